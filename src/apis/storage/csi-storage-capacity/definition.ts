// Upstream: k8s.io/kubernetes/pkg/registry/storage/csistoragecapacity/strategy.go
import { defineResource } from '../../../server/registry/definition.ts';
import { FieldPath } from '../../../machinery/field.ts';
import { nodeSelectorWarnings } from '../../common/node-label-warnings.ts';
import { validate, validateUpdate } from './validation.ts';
import type { CsiStorageCapacityObject } from './validation.ts';

/** Has the generic columns: upstream has others, but does not use them. */
export const csiStorageCapacities = defineResource<CsiStorageCapacityObject>({
  group: 'storage.k8s.io',
  plural: 'csistoragecapacities',
  strategy: {
    allowUnconditionalUpdate: false,
    validate,
    validatesMetadataOnUpdate: true,
    validateUpdate,
    warningsOnCreate: ({ nodeTopology }) => nodeSelectorWarnings(nodeTopology, FieldPath.root('nodeTopology')),
    warningsOnUpdate: ({ nodeTopology }) => nodeSelectorWarnings(nodeTopology, FieldPath.root('nodeTopology')),
  },
});
