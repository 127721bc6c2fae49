// Upstream: plugin/pkg/admission/storage/storageclass/setdefault/admission.go
import type { PersistentVolumeClaim } from '../../schema/types/core-v1.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import { concerns } from '../common/concerns.ts';
import { newestDefault } from '../common/newest-default.ts';

const betaClassAnnotation = 'volume.beta.kubernetes.io/storage-class';
const defaultAnnotations = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'];

/** A claim that names no class gets the default one, if there is any. */
export const defaultStorageClass = definePlugin({
  name: 'DefaultStorageClass',
  enabledByDefault: true,
  create: ({ cluster }) => ({
    handles: (attributes) => attributes.operation === 'CREATE' && concerns(attributes, '', 'persistentvolumeclaims'),
    async mutate({ object }) {
      const { metadata, spec } = object as unknown as PersistentVolumeClaim;
      if (spec.storageClassName !== undefined || metadata.annotations?.[betaClassAnnotation] !== undefined) return;
      const classes = await cluster.list<KubeObject>('storage.k8s.io', 'storageclasses', '');
      const standard = newestDefault(classes, (one) => defaultAnnotations.some((key) => one.metadata.annotations?.[key] === 'true'));
      if (standard !== undefined) spec.storageClassName = standard.metadata.name as string;
    },
  }),
});
