// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#ValidateTolerations
import { append } from '../../../machinery/append.ts';
import { invalid, notSupported, required, typedValue } from '../../../machinery/field.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { goQuote } from '../../../machinery/go-format.ts';
import { checkLabelValue } from '../../../machinery/names.ts';
import { validateLabelName } from '../../../machinery/object-meta-validation.ts';
import type { Toleration } from '../../../schema/types/core-v1.ts';
import { problemsOf, validateOneOf } from './rules.ts';

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export interface TolerationOptions {
  readonly allowTaintTolerationComparisonOperators: boolean;
}

export function validateTolerations(
  tolerations: readonly Toleration[] | undefined,
  path: FieldPath,
  options: TolerationOptions,
): FieldError[] {
  return (tolerations ?? []).flatMap((toleration, index) => {
    const at = path.index(index);
    const { key = '', operator = '', effect = '', tolerationSeconds } = toleration;
    const errors = key === '' ? [] : validateLabelName(key, at.child('key'));
    if (key === '' && operator !== 'Exists') {
      const detail = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
      errors.push(invalid(at.child('operator'), typedValue(operator), detail));
    }
    if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
      errors.push(invalid(at.child('effect'), typedValue(effect), "effect must be 'NoExecute' when `tolerationSeconds` is set"));
    }
    append(errors, validateOperator(toleration, at, options));
    return effect === '' ? errors : [...errors, ...validateTaintEffect(effect, at.child('effect'))];
  });
}

export function validateTaintEffect(effect: string, path: FieldPath): FieldError[] {
  return effect === '' ? [required(path, '')] : validateOneOf(effect, effects, path);
}

function validateOperator({ operator = '', value = '' }: Toleration, path: FieldPath, options: TolerationOptions): FieldError[] {
  const at = path.child('operator');
  switch (operator) {
    case 'Equal':
    case '': {
      const problems = checkLabelValue(value);
      return problems.length === 0 ? [] : [invalid(at, value, problems.join(';'))];
    }
    case 'Exists':
      return value === '' ? [] : [invalid(at, value, "value must be empty when `operator` is 'Exists'")];
    case 'Lt':
    case 'Gt':
      if (!options.allowTaintTolerationComparisonOperators) {
        return [notSupported(at, typedValue(operator), ['Equal', 'Exists', 'Lt', 'Gt'])];
      }
      return problemsOf([...decimalProblems(value), ...int64Problems(value)], value, path.child('value'));
    default:
      return [notSupported(at, typedValue(operator), ['Equal', 'Exists'])];
  }
}

function decimalProblems(value: string): readonly string[] {
  if (value === '') return ['must be non-empty'];
  return /^(?:0|-?[1-9][0-9]*)$/.test(value) ? [] : ['must be a valid decimal integer in canonical form'];
}

function int64Problems(value: string): readonly string[] {
  const failed = `strconv.ParseInt: parsing ${goQuote(value)}:`;
  if (!/^[+-]?[0-9]+$/.test(value)) return [`${failed} invalid syntax`];
  return BigInt.asIntN(64, BigInt(value)) === BigInt(value) ? [] : [`${failed} value out of range`];
}
