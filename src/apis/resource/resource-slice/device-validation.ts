// Upstream: k8s.io/kubernetes/pkg/apis/resource/validation/validation.go#validateDevice
import { semanticDeepEqual } from '../../../machinery/deep-equal.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { LiteralValue, forbidden, invalid, required, tooLong } from '../../../machinery/field.ts';
import { isLongerThan } from '../../../machinery/names.ts';
import type { Device, DeviceAttribute, DeviceCapacity, ResourceSliceSpec } from '../../../schema/types/resource-v1.ts';
import type { FeatureGates } from '../../../server/registry/features.ts';
import { validateBindingConditions } from '../../common/device/binding-conditions.ts';
import { validateList, validateMap } from '../../common/device/lists.ts';
import { maxQualifiedNameLength, validateQualifiedName } from '../../common/device/names.ts';
import { validateTaint } from '../../common/device/taints.ts';
import { validateDnsLabel } from '../../common/pod-spec/rules.ts';
import { validateCounters } from './counters.ts';
import { validateNodeAllocatable } from './node-allocatable.ts';
import { validateNodeChoice } from './node-choice.ts';
import { validateRequestPolicy } from './request-policy.ts';

const maxEntries = 32;
const maxValues = 48;
const maxTaints = 16;
const maxConsumptions = 2;
const maxValueLength = 64;
const identifier = '(0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)';
const number = '(0|[1-9]\\d*)';
const build = '[0-9a-zA-Z-]+';
const semver = new RegExp(`^${number}\\.${number}\\.${number}(-${identifier}(\\.${identifier})*)?(\\+${build}(\\.${build})*)?$`);

/** Rules for the devices of one slice. */
export class DeviceRules {
  readonly #perDevice: boolean;
  readonly #features: FeatureGates;

  constructor({ perDeviceNodeSelection }: ResourceSliceSpec, features: FeatureGates) {
    this.#perDevice = perDeviceNodeSelection === true;
    this.#features = features;
  }

  validate(device: Device, old: Device | undefined, path: FieldPath): FieldError[] {
    const { capacity, taints } = device;
    const sameCapacity = old !== undefined && semanticDeepEqual(old.capacity, capacity);
    const sameTaints = old !== undefined && semanticDeepEqual(old.taints, taints);
    return [
      ...validateDnsLabel(device.name, path.child('name')),
      ...validateNumbers(device, path),
      ...validateMap(device.attributes, path.child('attributes'), validateQualifiedName, validateAttribute, maxQualifiedNameLength),
      ...(sameCapacity ? [] : this.#validateCapacities(device, path.child('capacity'))),
      ...(sameTaints ? [] : validateList(taints, path.child('taints'), validateTaint, { max: maxTaints })),
      ...validateList(
        device.consumesCounters,
        path.child('consumesCounters'),
        ({ counters }, at) => validateCounters(counters, at.child('counters')),
        { declaredMax: maxConsumptions },
      ),
      ...this.#validateNodes(device, path),
      ...validateBindingConditions(device, path),
      ...validateNodeAllocatable(device, path.child('nodeAllocatableResources')),
    ];
  }

  #validateCapacities({ capacity, allowMultipleAllocations }: Device, path: FieldPath): FieldError[] {
    const rule = ({ value, requestPolicy }: DeviceCapacity, at: FieldPath): FieldError[] => {
      if (requestPolicy === undefined) return [];
      const policyPath = at.child('requestPolicy');
      if (allowMultipleAllocations !== true) return [forbidden(policyPath, 'allowMultipleAllocations must be true')];
      return validateRequestPolicy(requestPolicy, value, policyPath, this.#features.enabled('DRAFractionalCapacityRange'));
    };
    return validateMap(capacity, path, validateQualifiedName, rule, maxQualifiedNameLength);
  }

  #validateNodes(device: Device, path: FieldPath): FieldError[] {
    if (!this.#perDevice) {
      if (device.nodeName === undefined && device.nodeSelector === undefined && device.allNodes === undefined) return [];
      const detail =
        '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec';
      return [invalid(path, new LiteralValue('null'), detail)];
    }
    const { set, errors } = validateNodeChoice(device, path, 'must not be empty');
    if (set.length === 1) return errors;
    const detail =
      'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec';
    return [...errors, set.length === 0 ? required(path, detail) : invalid(path, `{${set.join(', ')}}`, detail)];
  }
}

/** Attributes and capacities together, and values where attributes have several. */
function validateNumbers({ attributes = {}, capacity = {} }: Device, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const entries = Object.keys(attributes).length + Object.keys(capacity).length;
  if (entries > maxEntries) {
    errors.push(invalid(path, entries, `the total number of attributes and capacities must not exceed ${maxEntries}`));
  }
  const values = Object.values(attributes).reduce((sum, { ints = [], bools = [], strings = [], versions = [] }) => {
    return sum + (ints.length + bools.length + strings.length + versions.length || 1);
  }, 0);
  if (values > maxValues) errors.push(invalid(path, values, `the total number of attribute values must not exceed ${maxValues}`));
  return errors;
}

function validateAttribute(attribute: DeviceAttribute, path: FieldPath): FieldError[] {
  const { string, version, strings = [], versions = [] } = attribute;
  return [
    ...(string === undefined ? [] : validateString(string, path.child('string'))),
    ...(version === undefined ? [] : validateVersion(version, path.child('version'))),
    ...validateNotEmpty(attribute, 'bools', path),
    ...validateNotEmpty(attribute, 'ints', path),
    ...validateNotEmpty(attribute, 'strings', path),
    ...strings.flatMap((value, index) => validateString(value, path.child('strings').index(index))),
    ...validateNotEmpty(attribute, 'versions', path),
    ...versions.flatMap((value, index) => validateVersion(value, path.child('versions').index(index))),
    ...validateOneValue(attribute, path),
  ];
}

function validateOneValue(attribute: DeviceAttribute, path: FieldPath): FieldError[] {
  const { int = null, bool = null, string = null, version = null, ints = null, bools = null, strings = null, versions = null } = attribute;
  const set = [int, bool, string, version, ints, bools, strings, versions].filter((value) => value !== null).length;
  if (set === 1) return [];
  const shown = { IntValue: int, BoolValue: bool, StringValue: string, VersionValue: version };
  const lists = { IntValues: ints, BoolValues: bools, StringValues: strings, VersionValues: versions };
  return [invalid(path, set === 0 ? '' : { ...shown, ...lists }, 'exactly one value must be specified').withOrigin('union')];
}

function validateNotEmpty(attribute: DeviceAttribute, field: 'bools' | 'ints' | 'strings' | 'versions', path: FieldPath): FieldError[] {
  return attribute[field]?.length === 0 ? [invalid(path.child(field), [], 'must not be empty if specified')] : [];
}

function validateString(value: string, path: FieldPath): FieldError[] {
  return isLongerThan(value, maxValueLength) ? [tooLong(path, maxValueLength)] : [];
}

function validateVersion(value: string, path: FieldPath): FieldError[] {
  const errors = semver.test(value) ? [] : [invalid(path, value, 'must be a string compatible with semver.org spec 2.0.0')];
  return [...errors, ...validateString(value, path)];
}
