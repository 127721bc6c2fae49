// Upstream: k8s.io/kubernetes/pkg/apis/resource/validation/validation.go#validateNodeAllocatableResources
import { append } from '../../../machinery/append.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { invalid, notFound, required, typedValue } from '../../../machinery/field.ts';
import { Quantity } from '../../../machinery/quantity.ts';
import type { Device, NodeAllocatableMapping, NodeAllocatableOverhead } from '../../../schema/types/resource-v1.ts';
import { isHugePages } from '../../common/resource-names.ts';

/** What a device takes of the node's own resources. */
export function validateNodeAllocatable({ nodeAllocatableResources = {}, capacity = {} }: Device, path: FieldPath): FieldError[] {
  return Object.entries(nodeAllocatableResources).flatMap(([name, { mapping, overhead }]) => {
    const at = path.key(name);
    const errors: FieldError[] = [];
    if (name !== 'cpu' && name !== 'memory' && !isHugePages(name)) {
      errors.push(invalid(at, typedValue(name), 'must be a node allocatable resource name'));
    }
    if (mapping === undefined && overhead === undefined) errors.push(required(at, 'at least one of mapping or overhead must be set'));
    if (mapping !== undefined) append(errors, validateMapping(mapping, new Set(Object.keys(capacity)), at.child('mapping')));
    if (overhead !== undefined) append(errors, validateOverhead(overhead, at.child('overhead')));
    return errors;
  });
}

function validateMapping(
  { capacityKey, capacityMultiplier, deviceMultiplier }: NodeAllocatableMapping,
  capacities: ReadonlySet<string>,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  if (capacityKey !== undefined) {
    const at = path.child('capacityKey');
    if (capacityKey === '') errors.push(invalid(at, '', 'capacityKey must not be an empty string'));
    else if (!capacities.has(capacityKey)) errors.push(notFound(at, typedValue(capacityKey)));
    const multiplierPath = path.child('capacityMultiplier');
    if (capacityMultiplier === undefined) {
      errors.push(required(multiplierPath, 'capacityMultiplier is required when capacityKey is set').withOrigin('dependentRequired'));
    } else {
      append(errors, validatePositive(capacityMultiplier, multiplierPath));
    }
  }
  if (deviceMultiplier !== undefined) append(errors, validatePositive(deviceMultiplier, path.child('deviceMultiplier')));
  if (capacityMultiplier !== undefined && capacityKey === undefined) {
    errors.push(
      required(path.child('capacityKey'), 'capacityKey is required when capacityMultiplier is set').withOrigin('dependentRequired'),
    );
  }
  return errors;
}

function validatePositive(quantity: string, path: FieldPath): FieldError[] {
  return Quantity.parse(quantity).sign > 0 ? [] : [invalid(path, quantity, 'must be positive')];
}

function validateOverhead(overhead: NodeAllocatableOverhead, path: FieldPath): FieldError[] {
  const { perPod, perContainer } = overhead;
  if (perPod === undefined && perContainer === undefined) {
    return [invalid(path, '', 'at least one of perPod or perContainer must be set')];
  }
  return (['perPod', 'perContainer'] as const).flatMap((field) => {
    const quantity = overhead[field];
    const negative = quantity !== undefined && Quantity.parse(quantity).sign < 0;
    return negative ? [invalid(path.child(field), quantity, 'must be non-negative')] : [];
  });
}
