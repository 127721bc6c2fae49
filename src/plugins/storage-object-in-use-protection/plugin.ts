// Upstream: k8s.io/kubernetes/plugin/pkg/admission/storage/storageobjectinuseprotection/admission.go
import { definePlugin } from '../../server/admission/plugin.ts';
import type { FeatureGates } from '../../server/registry/features.ts';

const finalizers: Readonly<Record<string, string>> = {
  '/persistentvolumes': 'kubernetes.io/pv-protection',
  '/persistentvolumeclaims': 'kubernetes.io/pvc-protection',
  'storage.k8s.io/volumeattributesclasses': 'kubernetes.io/vac-protection',
};

/** Volumes and claims stay while they are in use: a controller takes the finalizer away then. */
export const storageObjectInUseProtection = definePlugin({
  name: 'StorageObjectInUseProtection',
  enabledByDefault: true,
  create: ({ features }) => ({
    handles: ({ operation, resource, subresource }) =>
      operation === 'CREATE' && subresource === '' && finalizerOf(resource.group, resource.names.plural, features) !== undefined,
    mutate({ object, resource }) {
      const finalizer = finalizerOf(resource.group, resource.names.plural, features);
      if (object === undefined || finalizer === undefined || object.metadata.finalizers?.includes(finalizer)) return;
      object.metadata.finalizers = [...(object.metadata.finalizers ?? []), finalizer];
    },
  }),
});

function finalizerOf(group: string, plural: string, features: FeatureGates): string | undefined {
  if (plural === 'volumeattributesclasses' && !features.enabled('VolumeAttributesClass')) return undefined;
  return finalizers[`${group}/${plural}`];
}
