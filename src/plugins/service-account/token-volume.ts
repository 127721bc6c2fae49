// Upstream: k8s.io/kubernetes/plugin/pkg/admission/serviceaccount/admission.go
import { generateName } from '../../machinery/names.ts';
import type { PodSpec, Volume, VolumeMount } from '../../schema/types/core-v1.ts';

const volumePrefix = 'kube-api-access-';
const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
/** an hour and a bit: the odd seconds tell tokens of this volume from those that a client asked for */
const expirationSeconds = 3607;

/** Mounts the account's token, the authority to trust and the namespace into every container that mounts nothing there itself. */
export function mountToken(spec: PodSpec): void {
  const existing = spec.volumes?.find(({ name }) => name.startsWith(volumePrefix));
  const name = existing?.name ?? generateName(volumePrefix);
  const mount: VolumeMount = { name, readOnly: true, mountPath };
  let mounted = false;
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
    if (container.volumeMounts?.some((one) => one.mountPath === mountPath)) continue;
    container.volumeMounts = [...(container.volumeMounts ?? []), { ...mount }];
    mounted = true;
  }
  if (mounted && existing === undefined) spec.volumes = [...(spec.volumes ?? []), tokenVolume(name)];
}

function tokenVolume(name: string): Volume {
  return {
    name,
    projected: {
      sources: [
        { serviceAccountToken: { expirationSeconds, path: 'token' } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        { downwardAPI: { items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }] } },
      ],
      defaultMode: 0o644,
    },
  };
}
