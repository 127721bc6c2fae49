// Upstream: k8s.io/kubernetes/pkg/apis/batch/validation/validation.go#validatePodFailurePolicy, #validateSuccessPolicy
import { append } from '../../../machinery/append.ts';
import { duplicate, invalid, notSupported, omitValue, required, tooLong, tooMany, typedValue } from '../../../machinery/field.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { goQuoteList } from '../../../machinery/go-format.ts';
import { checkQualifiedName } from '../../../machinery/names.ts';
import { validateNonNegative } from '../../../machinery/object-meta-validation.ts';
import { repeatsIn } from '../../../machinery/repeats.ts';
import type {
  JobSpec,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyOnPodConditionsPattern,
  PodFailurePolicyRule,
  SuccessPolicyRule,
} from '../../../schema/types/batch-v1.ts';
import { countIndexes } from './indexes.ts';

const maxRules = 20;
const maxExitCodes = 255;
const maxConditions = 20;
const maxSucceededIndexesBytes = 64 * 1024;
const actions = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const operators = ['In', 'NotIn'];
const conditionStatuses = ['False', 'True', 'Unknown'];

export function validatePodFailurePolicy(spec: JobSpec, path: FieldPath): FieldError[] {
  const rules = spec.podFailurePolicy?.rules ?? [];
  const rulesPath = path.child('rules');
  const { containers, initContainers } = spec.template.spec;
  const names = new Set([...(containers ?? []), ...(initContainers ?? [])].map(({ name }) => name));
  return [
    ...(rules.length > maxRules ? [tooMany(rulesPath, rules.length, maxRules)] : []),
    ...rules.flatMap((rule, index) => validateFailureRule(spec, rule, rulesPath.index(index), names)),
  ];
}

/** Required, with the choice in the message, and one of these. */
function oneOf(value: string | undefined, supported: readonly string[], path: FieldPath): FieldError[] {
  if (!value) return [required(path, `valid values: ${goQuoteList(supported)}`)];
  return supported.includes(value) ? [] : [notSupported(path, typedValue(value), supported)];
}

function validateFailureRule(spec: JobSpec, rule: PodFailurePolicyRule, path: FieldPath, names: ReadonlySet<string>): FieldError[] {
  const { action, onExitCodes, onPodConditions = [] } = rule;
  const errors = oneOf(action, actions, path.child('action'));
  if (action === 'FailIndex' && spec.backoffLimitPerIndex === undefined) {
    errors.push(invalid(path.child('action'), typedValue(action), 'requires the backoffLimitPerIndex to be set'));
  }
  if (onExitCodes !== undefined) append(errors, validateExitCodes(onExitCodes, path.child('onExitCodes'), names));
  if (onPodConditions.length > 0) append(errors, validateConditions(onPodConditions, path.child('onPodConditions')));
  if ((onExitCodes !== undefined) === onPodConditions.length > 0) {
    const what =
      onExitCodes === undefined
        ? 'one of OnExitCodes and OnPodConditions is required'
        : 'both OnExitCodes and OnPodConditions is not supported';
    errors.push(invalid(path, omitValue, `specifying ${what}`));
  }
  return errors;
}

function validateConditions(patterns: readonly PodFailurePolicyOnPodConditionsPattern[], path: FieldPath): FieldError[] {
  return [
    ...(patterns.length > maxConditions ? [tooMany(path, patterns.length, maxConditions)] : []),
    ...patterns.flatMap(({ type = '', status }, index) => [
      ...checkQualifiedName(type).map((problem) => invalid(path.index(index).child('type'), type, problem)),
      ...oneOf(status, conditionStatuses, path.index(index).child('status')),
    ]),
  ];
}

function validateExitCodes(codes: PodFailurePolicyOnExitCodesRequirement, path: FieldPath, names: ReadonlySet<string>): FieldError[] {
  const { operator, containerName } = codes;
  const values = codes.values ?? [];
  const errors = oneOf(operator, operators, path.child('operator'));
  if (containerName !== undefined && !names.has(containerName)) {
    const detail = 'must be one of the container or initContainer names in the pod template';
    errors.push(invalid(path.child('containerName'), containerName, detail));
  }
  const valuesPath = path.child('values');
  if (values.length === 0) errors.push(invalid(valuesPath, codes.values, 'at least one value is required'));
  if (values.length > maxExitCodes) errors.push(tooMany(valuesPath, values.length, maxExitCodes));
  const repeats = repeatsIn(values);
  values.forEach((value, index) => {
    if (operator === 'In' && value === 0) errors.push(invalid(valuesPath.index(index), value, 'must not be 0 for the In operator'));
    if (repeats.has(index)) errors.push(duplicate(valuesPath.index(index), value));
  });
  const ordered = values.every((value, index) => index === 0 || (values[index - 1] as number) <= value);
  return ordered ? errors : [...errors, invalid(valuesPath, values, 'must be ordered')];
}

export function validateSuccessPolicy(spec: JobSpec, path: FieldPath): FieldError[] {
  const rules = spec.successPolicy?.rules ?? [];
  const rulesPath = path.child('rules');
  return [
    ...(rules.length === 0 ? [required(rulesPath, 'at least one rules must be specified when the successPolicy is specified')] : []),
    ...(rules.length > maxRules ? [tooMany(rulesPath, rules.length, maxRules)] : []),
    ...rules.flatMap((rule, index) => validateSuccessRule(spec.completions ?? 0, rule, rulesPath.index(index))),
  ];
}

function validateSuccessRule(completions: number, { succeededCount, succeededIndexes }: SuccessPolicyRule, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (succeededCount === undefined && succeededIndexes === undefined) {
    errors.push(required(path, 'at least one of succeededCount or succeededIndexes must be specified'));
  }
  let total = 0;
  if (succeededIndexes !== undefined) {
    const indexesPath = path.child('succeededIndexes');
    if (succeededIndexes.length > maxSucceededIndexesBytes) errors.push(tooLong(indexesPath, maxSucceededIndexesBytes));
    const read = countIndexes(succeededIndexes, completions);
    if ('problem' in read) errors.push(invalid(indexesPath, succeededIndexes, `error parsing succeededIndexes: ${read.problem}`));
    else ({ total } = read);
  }
  if (succeededCount === undefined) return errors;
  const countPath = path.child('succeededCount');
  const atMost = (limit: number, what: string): FieldError =>
    invalid(countPath, succeededCount, `must be less than or equal to ${limit} (the number of ${what})`);
  append(errors, validateNonNegative(succeededCount, countPath));
  if (succeededCount > completions) errors.push(atMost(completions, 'specified completions'));
  if (succeededIndexes !== undefined && succeededCount > total) {
    errors.push(atMost(total, 'indexes in the specified succeededIndexes field'));
  }
  return errors;
}
