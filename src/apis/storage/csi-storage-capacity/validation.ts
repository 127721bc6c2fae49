// Upstream: k8s.io/kubernetes/pkg/apis/storage/validation/validation.go#ValidateCSIStorageCapacity
import { semanticDeepEqual } from '../../../machinery/deep-equal.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, invalid } from '../../../machinery/field.ts';
import { validateLabelSelector } from '../../../machinery/label-selector.ts';
import { nameIsDnsSubdomain } from '../../../machinery/names.ts';
import { fieldImmutableMessage } from '../../../machinery/object-meta-validation.ts';
import { Quantity } from '../../../machinery/quantity.ts';
import type { CSIStorageCapacity } from '../../../schema/types/storage-v1.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { validateMetadata } from '../../../server/registry/rules.ts';
import { internalValue, typeAt } from '../../common/internal-value.ts';

export type CsiStorageCapacityObject = CSIStorageCapacity & KubeObject;

const topologyPath = FieldPath.root('nodeTopology');
const classPath = FieldPath.root('storageClassName');
const capacityPath = FieldPath.root('capacity');

export function validate(object: CsiStorageCapacityObject): FieldError[] {
  return validateFields(object, false);
}

/** Where and of which class the capacity is makes it what it is. */
export function validateUpdate(object: CsiStorageCapacityObject, old: CsiStorageCapacityObject, { reader }: WriteContext): FieldError[] {
  const { nodeTopology, storageClassName, metadata } = object;
  const allowInvalidLabelValue = validateLabelSelector(old.nodeTopology, topologyPath).length > 0;
  const errors = [...validateMetadata(metadata, true), ...validateFields(object, allowInvalidLabelValue)];
  const type = typeAt(reader.resource('storage.k8s.io', 'csistoragecapacities').storage.type, 'nodeTopology');
  if (!semanticDeepEqual(nodeTopology, old.nodeTopology, type)) {
    errors.push(invalid(topologyPath, nodeTopology === undefined ? null : internalValue(type, nodeTopology), fieldImmutableMessage));
  }
  if (storageClassName !== old.storageClassName) errors.push(invalid(classPath, storageClassName, fieldImmutableMessage));
  return errors;
}

function validateFields(
  { nodeTopology, storageClassName, capacity }: CsiStorageCapacityObject,
  allowInvalidLabelValue: boolean,
): FieldError[] {
  const errors = [
    ...validateLabelSelector(nodeTopology, topologyPath, { allowInvalidLabelValue }),
    ...nameIsDnsSubdomain(storageClassName, false).map((problem) => invalid(classPath, storageClassName, problem)),
  ];
  if (capacity !== undefined && Quantity.parse(capacity).sign < 0) {
    errors.push(invalid(capacityPath, capacity, 'must be greater than or equal to 0'));
  }
  return errors;
}
