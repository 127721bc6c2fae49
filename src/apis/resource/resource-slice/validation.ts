// Upstream: k8s.io/kubernetes/pkg/apis/resource/validation/validation.go#ValidateResourceSlice
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, invalid, required, typedValue } from '../../../machinery/field.ts';
import { asPrinted } from '../../../machinery/go-distinctions.ts';
import { fieldImmutableMessage } from '../../../machinery/object-meta-validation.ts';
import type { Type } from '../../../machinery/type-model.ts';
import type {
  CounterSet,
  Device,
  DeviceAttribute,
  ResourcePool,
  ResourceSlice,
  ResourceSliceSpec,
} from '../../../schema/types/resource-v1.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { validateSkippedOperations } from '../../common/device/binding-conditions.ts';
import { validateList } from '../../common/device/lists.ts';
import { isFullyQualifiedName, validateDriverName, validatePoolName } from '../../common/device/names.ts';
import { internalValue, typeAt } from '../../common/internal-value.ts';
import { validateCounters } from './counters.ts';
import { DeviceRules } from './device-validation.ts';
import { hasListAttributes } from './disabled-fields.ts';
import { validateNodeChoice } from './node-choice.ts';

export type SliceObject = ResourceSlice & KubeObject;

const maxDevices = 128;
const maxAdvancedDevices = 64;
const maxCounterSets = 8;
const specPath = FieldPath.root('spec');
const choices = '`nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection`';

export function validate({ spec }: SliceObject, context: WriteContext): FieldError[] {
  return validateSpec(spec, undefined, context);
}

export function validateUpdate({ spec }: SliceObject, old: SliceObject, context: WriteContext): FieldError[] {
  return validateSpec(spec, old.spec, context);
}

function validateSpec(spec: ResourceSliceSpec, old: ResourceSliceSpec | undefined, context: WriteContext): FieldError[] {
  const rules = new DeviceRules(spec, context.features);
  const errors = [
    ...validateDriverName(spec.driver, specPath.child('driver')),
    ...validatePool(spec.pool, specPath.child('pool')),
    ...(old === undefined ? [] : validateUnchanged(spec, old)),
    ...validateNodes(spec, context),
  ];
  if (asPrinted(spec, 'sharedCounters', []) !== null && asPrinted(spec, 'devices', []) !== null) {
    errors.push(invalid(specPath, '', 'only one of `sharedCounters` or `devices` is allowed'));
  }
  const before = ({ name }: Device): Device | undefined => old?.devices?.find((device) => device.name === name);
  return [
    ...errors,
    ...validateList(spec.devices, specPath.child('devices'), (device, at) => rules.validate(device, before(device), at), {
      max: isAdvanced(spec) ? maxAdvancedDevices : maxDevices,
      key: ({ name }) => name,
    }),
    ...validateList(spec.sharedCounters, specPath.child('sharedCounters'), validateCounterSet, { declaredMax: maxCounterSets }),
    ...validatePartitionType(spec, context),
    ...validateSkippedOperations(spec.skipNodeOperations, specPath),
  ];
}

function validatePool({ name, resourceSliceCount, generation }: ResourcePool, path: FieldPath): FieldError[] {
  const errors = validatePoolName(name, path.child('name'));
  if (resourceSliceCount <= 0) errors.push(invalid(path.child('resourceSliceCount'), resourceSliceCount, 'must be greater than zero'));
  if (generation < 0) errors.push(invalid(path.child('generation'), generation, 'must be greater than or equal to zero'));
  return errors;
}

function validateUnchanged(spec: ResourceSliceSpec, old: ResourceSliceSpec): FieldError[] {
  const unchanged = (value: string | undefined, before: string | undefined, path: FieldPath): FieldError[] =>
    value === before ? [] : [invalid(path, typedValue(value ?? null), fieldImmutableMessage)];
  return [
    ...unchanged(spec.pool.name, old.pool.name, specPath.child('pool', 'name')),
    ...unchanged(spec.driver, old.driver, specPath.child('driver')),
    ...unchanged(spec.nodeName, old.nodeName, specPath.child('nodeName')),
  ];
}

/** All devices are on one node, on nodes with certain labels, on all nodes, or each says for itself. */
function validateNodes(spec: ResourceSliceSpec, { reader }: WriteContext): FieldError[] {
  const { set, errors } = validateNodeChoice(spec, specPath, 'must be either unset or set to a non-empty string', (nodeSelector, path) => {
    const terms = nodeSelector.nodeSelectorTerms ?? [];
    if (terms.length === 1) return [];
    const type = typeAt(reader.resource('resource.k8s.io', 'resourceslices').storage.type, 'spec', 'nodeSelector', 'nodeSelectorTerms');
    const shown = internalValue(type, nodeSelector.nodeSelectorTerms);
    return [invalid(path.child('nodeSelectorTerms'), shown, 'must have exactly one node selector term')];
  });
  if (spec.perDeviceNodeSelection === true) set.push('`perDeviceNodeSelection`');
  if (spec.perDeviceNodeSelection === false) {
    errors.push(invalid(specPath.child('perDeviceNodeSelection'), false, 'must be either unset or set to true'));
  }
  if (set.length === 0) errors.push(required(specPath, `exactly one of ${choices} is required`));
  if (set.length > 1) {
    errors.push(invalid(specPath, `{${set.join(', ')}}`, `exactly one of ${choices} is required, but multiple fields are set`));
  }
  return errors;
}

/** Slices whose devices cost more to look at hold fewer of them. */
function isAdvanced(spec: ResourceSliceSpec): boolean {
  return consumesCounters(spec) || hasListAttributes(spec) || (spec.devices ?? []).some(({ taints = [] }) => taints.length > 0);
}

function consumesCounters({ devices = [] }: ResourceSliceSpec): boolean {
  return devices.some((device) => (device.consumesCounters ?? []).length > 0);
}

/** Names are for the type's declared rules. */
function validateCounterSet({ counters }: CounterSet, path: FieldPath): FieldError[] {
  return validateCounters(counters, path.child('counters'));
}

/** Every partition says of which type it is, in the attribute that the slice names. */
function validatePartitionType(spec: ResourceSliceSpec, { reader }: WriteContext): FieldError[] {
  const { partitionTypeAttribute: name, driver, devices = [] } = spec;
  if (name === undefined) return [];
  const path = specPath.child('partitionTypeAttribute');
  if (!consumesCounters(spec)) {
    return [invalid(path, name, 'may only be set on a slice which declares devices that consume counters')];
  }
  if (!isFullyQualifiedName(name, path)) return [];
  const bareName = name.startsWith(`${driver}/`) ? name.slice(driver.length + 1) : name;
  const { type } = reader.resource('resource.k8s.io', 'resourceslices').storage;
  return devices.flatMap(({ consumesCounters: consumed = [], attributes = {} }, index) => {
    if (consumed.length === 0) return [];
    const at = specPath.child('devices').index(index).child('attributes').key(name);
    const attribute: DeviceAttribute | undefined = attributes[name] ?? attributes[bareName];
    if (attribute === undefined) {
      return [required(at, 'device consumes counters and `partitionTypeAttribute` names this attribute, so it must be set')];
    }
    if (attribute.string !== undefined) return [];
    const shown = internalValue(elementOf(typeAt(elementOf(typeAt(type, 'spec', 'devices')), 'attributes')), attribute);
    return [invalid(at, shown, 'must be a string value because `partitionTypeAttribute` names this attribute')];
  });
}

function elementOf(type: Type): Type {
  if (type.kind === 'list') return type.element;
  return type.kind === 'map' ? type.value : type;
}
