// Upstream: k8s.io/kubernetes/plugin/pkg/admission/storage/persistentvolume/resize/admission.go
import { Quantity } from '../../machinery/quantity.ts';
import type { PersistentVolumeClaim } from '../../schema/types/core-v1.ts';
import type { StorageClass } from '../../schema/types/storage-v1.ts';
import { forbid } from '../../server/admission/forbid.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import { admitting, requestsFor } from '../../server/admission/requests-for.ts';
import type { ObjectReader } from '../../server/registry/object-reader.ts';
import type { KubeObject } from '../../server/registry/definition.ts';

const betaClassAnnotation = 'volume.beta.kubernetes.io/storage-class';

const claims = requestsFor<PersistentVolumeClaim>('', 'persistentvolumeclaims');

/** Claims grow only where their storage class allows it. */
export const persistentVolumeClaimResize = definePlugin({
  name: 'PersistentVolumeClaimResize',
  enabledByDefault: true,
  create: ({ reader }) =>
    admitting(claims.on(['UPDATE']), {
      async validate(attributes) {
        const { object: claim, old } = attributes;
        if (sizeOf(claim).compare(sizeOf(old)) <= 0) return;
        if (old.status?.phase !== 'Bound') throw forbid(attributes, 'Only bound persistent volume claims can be expanded');
        if (await mayGrow(claim, old, reader)) return;
        throw forbid(
          attributes,
          'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
        );
      },
    }),
});

function sizeOf({ spec }: PersistentVolumeClaim): Quantity {
  return Quantity.parse(spec.resources?.requests?.['storage'] ?? '0');
}

async function mayGrow(claim: PersistentVolumeClaim, old: PersistentVolumeClaim, reader: ObjectReader): Promise<boolean> {
  const name = classOf(claim);
  if (name === '' || name !== classOf(old)) return false;
  const found = await reader.get<StorageClass & KubeObject>('storage.k8s.io', 'storageclasses', '', name);
  return found?.allowVolumeExpansion ?? false;
}

function classOf({ metadata, spec }: PersistentVolumeClaim): string {
  return metadata.annotations?.[betaClassAnnotation] ?? spec.storageClassName ?? '';
}
