// Upstream: k8s.io/kubernetes/pkg/api/pod/util.go#VisitPodSecretNames, #VisitPodConfigmapNames
import type { PodSpec } from '../../../schema/types/core-v1.ts';

/** Names of config maps that a pod needs, each as often as it is named. */
export function* configMapsOf(spec: PodSpec): Generator<string> {
  for (const { env, envFrom } of containersOf(spec)) {
    for (const { configMapRef } of envFrom ?? []) if (configMapRef?.name) yield configMapRef.name;
    for (const { valueFrom } of env ?? []) if (valueFrom?.configMapKeyRef?.name) yield valueFrom.configMapKeyRef.name;
  }
  for (const { configMap, projected } of spec.volumes ?? []) {
    if (configMap?.name) yield configMap.name;
    for (const source of projected?.sources ?? []) if (source.configMap?.name) yield source.configMap.name;
  }
}

/** Names of secrets that a pod needs. */
export function* secretsOf(spec: PodSpec): Generator<string> {
  for (const { name } of spec.imagePullSecrets ?? []) if (name) yield name;
  for (const { env, envFrom } of containersOf(spec)) {
    for (const { secretRef } of envFrom ?? []) if (secretRef?.name) yield secretRef.name;
    for (const { valueFrom } of env ?? []) if (valueFrom?.secretKeyRef?.name) yield valueFrom.secretKeyRef.name;
  }
  for (const volume of spec.volumes ?? []) {
    if (volume.secret?.secretName) yield volume.secret.secretName;
    if (volume.azureFile?.secretName) yield volume.azureFile.secretName;
    for (const source of volume.projected?.sources ?? []) if (source.secret?.name) yield source.secret.name;
    const { cephfs, cinder, flexVolume, rbd, scaleIO, iscsi, storageos } = volume;
    for (const one of [cephfs, cinder, flexVolume, rbd, scaleIO, iscsi, storageos]) if (one?.secretRef?.name) yield one.secretRef.name;
    if (volume.csi?.nodePublishSecretRef?.name) yield volume.csi.nodePublishSecretRef.name;
  }
}

function containersOf({
  initContainers,
  containers,
  ephemeralContainers,
}: PodSpec): Pick<NonNullable<PodSpec['initContainers']>[number], 'env' | 'envFrom'>[] {
  return [...(initContainers ?? []), ...(containers ?? []), ...(ephemeralContainers ?? [])];
}
