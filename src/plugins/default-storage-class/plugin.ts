// Upstream: k8s.io/kubernetes/plugin/pkg/admission/storage/storageclass/setdefault/admission.go
import type { PersistentVolumeClaim } from '../../schema/types/core-v1.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import { admitting, requestsFor } from '../../server/admission/requests-for.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import { newestDefault } from '../common/newest-default.ts';

const claims = requestsFor<PersistentVolumeClaim>('', 'persistentvolumeclaims');
const betaClassAnnotation = 'volume.beta.kubernetes.io/storage-class';
const defaultAnnotations = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'];

/** A claim that names no class gets the default one, if there is any. */
export const defaultStorageClass = definePlugin({
  name: 'DefaultStorageClass',
  enabledByDefault: true,
  create: ({ reader }) =>
    admitting(claims.on(['CREATE']), {
      async mutate({ object: { metadata, spec } }) {
        if (spec.storageClassName !== undefined || metadata.annotations?.[betaClassAnnotation] !== undefined) return;
        const classes = await reader.list<KubeObject>('storage.k8s.io', 'storageclasses', '');
        const standard = newestDefault(classes, (one) => defaultAnnotations.some((key) => one.metadata.annotations?.[key] === 'true'));
        if (standard !== undefined) spec.storageClassName = standard.metadata.name as string;
      },
    }),
});
