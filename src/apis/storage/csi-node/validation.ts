// Upstream: k8s.io/kubernetes/pkg/apis/storage/validation/validation.go#ValidateCSINode
import { semanticDeepEqual } from '../../../machinery/deep-equal.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { FieldPath as Path, duplicate, invalid, required } from '../../../machinery/field.ts';
import { checkQualifiedName } from '../../../machinery/names.ts';
import { fieldImmutableMessage, validateNonNegative } from '../../../machinery/object-meta-validation.ts';
import type { ListType } from '../../../machinery/type-model.ts';
import { repeatsIn } from '../../../machinery/repeats.ts';
import type { CSINode, CSINodeDriver } from '../../../schema/types/storage-v1.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { validateMetadata } from '../../../server/registry/rules.ts';
import { internalValue, typeAt } from '../../common/internal-value.ts';
import { validateCsiDriverName } from '../../common/pod-spec/volume-sources.ts';

export type CsiNodeObject = CSINode & KubeObject;

const driversPath = Path.root('spec', 'drivers');
const maxNodeIdBytes = 256;

export function validate({ spec }: CsiNodeObject): FieldError[] {
  const drivers = spec.drivers ?? [];
  const repeats = repeatsIn(drivers.map(({ name }) => name));
  return drivers.flatMap((driver, index) => {
    const path = driversPath.index(index);
    return [
      ...validateCsiDriverName(driver.name, path.child('name')),
      ...validateNodeId(driver.nodeID, path.child('nodeID')),
      ...validateNonNegative(driver.allocatable?.count, path.child('allocatable', 'count')),
      ...(repeats.has(index) ? [duplicate(path.child('name'), driver.name)] : []),
      ...validateTopologyKeys(driver.topologyKeys ?? [], path),
    ];
  });
}

/** A driver on a node stays what it is; how many volumes it takes may change. */
export function validateUpdate(node: CsiNodeObject, old: CsiNodeObject, { features, reader }: WriteContext): FieldError[] {
  const type = (typeAt(reader.resource('storage.k8s.io', 'csinodes').storage.type, 'spec', 'drivers') as ListType).element;
  const compared = (driver: CSINodeDriver): CSINodeDriver => {
    const { allocatable: _, ...fixed } = driver;
    return features.enabled('MutableCSINodeAllocatableCount') ? fixed : driver;
  };
  const errors = [...validateMetadata(node.metadata, false), ...validate(node)];
  const byName = Map.groupBy(node.spec.drivers ?? [], ({ name }) => name);
  for (const before of old.spec.drivers ?? []) {
    for (const driver of byName.get(before.name) ?? []) {
      if (semanticDeepEqual(compared(driver), compared(before), type)) continue;
      errors.push(invalid(driversPath, internalValue(type, compared(driver)), fieldImmutableMessage));
    }
  }
  return errors;
}

function validateNodeId(id: string, path: FieldPath): FieldError[] {
  if (id === '') return [required(path, '')];
  return Buffer.byteLength(id) > maxNodeIdBytes ? [invalid(path, id, `must be ${maxNodeIdBytes} characters or less`)] : [];
}

/** All of it is said of the driver, as in upstream. */
function validateTopologyKeys(keys: readonly string[], path: FieldPath): FieldError[] {
  const repeats = repeatsIn(keys);
  return keys.flatMap((key, index) => [
    ...(key === '' ? [required(path, '')] : []),
    ...(repeats.has(index) ? [duplicate(path, key)] : []),
    ...checkQualifiedName(key).map((problem) => invalid(path, key, problem)),
  ]);
}
