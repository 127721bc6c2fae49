// Upstream: k8s.io/kubernetes/pkg/registry/storage/storageclass/strategy.go, k8s.io/kubernetes/pkg/apis/storage/v1/defaults.go
import { FieldPath } from '../../../machinery/field.ts';
import type { StorageClass } from '../../../schema/types/storage-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { deprecatedNodeLabel } from '../../common/node-label-warnings.ts';
import { columns } from './columns.ts';
import { validate, validateUpdate } from './validation.ts';

type Class = StorageClass & KubeObject;

export const storageClasses = defineResource<Class>({
  group: 'storage.k8s.io',
  plural: 'storageclasses',
  strategy: {
    returnDeletedObject: true,
    defaults(storageClass) {
      storageClass.reclaimPolicy ??= 'Delete';
      storageClass.volumeBindingMode ??= 'Immediate';
    },
    validate,
    validatesMetadataOnUpdate: true,
    validateUpdate,
    warningsOnCreate: warnings,
    warningsOnUpdate: warnings,
  },
  columns,
});

function warnings({ allowedTopologies = [] }: Class): readonly string[] {
  return allowedTopologies.flatMap(({ matchLabelExpressions = [] }, index) =>
    matchLabelExpressions.flatMap(({ key }, at) => {
      const text = deprecatedNodeLabel(key);
      const path = FieldPath.root('allowedTopologies').index(index).child('matchLabelExpressions').index(at).child('key');
      return text === undefined ? [] : [`${path}: ${text}`];
    }),
  );
}
