// Upstream: k8s.io/kubernetes/pkg/apis/resource/validation/validation.go#validateRequestPolicy
import { append } from '../../../machinery/append.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { forbidden, invalid, required } from '../../../machinery/field.ts';
import { Quantity } from '../../../machinery/quantity.ts';
import type { CapacityRequestPolicy, CapacityRequestPolicyRange } from '../../../schema/types/resource-v1.ts';
import { validateList } from '../../common/device/lists.ts';

const maxValues = 10;
const maxInt64 = Quantity.of(2n ** 63n - 1n);

/** How much of a capacity may be asked for: one of some values or something in a range, and its default. */
export function validateRequestPolicy(
  { default: standard, validValues = [], validRange }: CapacityRequestPolicy,
  capacity: string,
  path: FieldPath,
  fractional: boolean,
): FieldError[] {
  if (validValues.length > 0 && validRange !== undefined) {
    return [forbidden(path, 'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time')];
  }
  if (validValues.length === 0 && validRange === undefined) return [];
  const field = validRange === undefined ? 'validValues' : 'validRange';
  if (standard === null || standard === undefined) return [required(path.child('default'), `required when ${field} is defined`)];
  const subject: Subject = { standard: Quantity.parse(standard), capacity: Quantity.parse(capacity), path: path.child(field), fractional };
  return validRange === undefined ? validateValues(validValues, subject) : validateRange(validRange, subject);
}

interface Subject {
  readonly standard: Quantity;
  readonly capacity: Quantity;
  readonly path: FieldPath;
  /** whether parts of units count */
  readonly fractional: boolean;
}

function validateValues(texts: readonly string[], { standard, capacity, path, fractional }: Subject): FieldError[] {
  const values = texts.map((text) => Quantity.parse(text));
  const errors = values.flatMap((value, index) =>
    index > 0 && values[index - 1]!.compare(value) > 0
      ? [invalid(path.index(index), String(value), 'values must be sorted in ascending order')]
      : [],
  );
  const inCapacity = (value: Quantity, at: FieldPath): FieldError[] =>
    value.compare(capacity) > 0 ? [invalid(at, String(value), `option is larger than capacity value: ${capacity}`)] : [];
  const key = (value: Quantity): string => (fractional ? decimalText(value) : String(value.value()));
  append(errors, validateList(values, path, inCapacity, { max: maxValues, key }));
  // Values that are too many are not looked at.
  if (values.length > maxValues || !values.some((value) => value.equals(standard))) {
    errors.push(invalid(path, String(standard), 'default value is not valid according to the requestPolicy'));
  }
  return errors;
}

/** `0.500`: with as many places as its unit has */
function decimalText(quantity: Quantity): string {
  for (const places of [0, 3, 6]) {
    const value = quantity.scaledValue(-places);
    if (Quantity.of(value, 'DecimalSI', -places).equals(quantity)) return withPlaces(value, places);
  }
  return withPlaces(quantity.scaledValue(-9), 9);
}

function withPlaces(value: bigint, places: number): string {
  if (places === 0) return String(value);
  const digits = String(value < 0n ? -value : value).padStart(places + 1, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

function validateRange(range: CapacityRequestPolicyRange, subject: Subject): FieldError[] {
  const { standard, capacity, path } = subject;
  const [min, max, step] = [range.min, range.max, range.step].map((text) => (text === undefined ? undefined : Quantity.parse(text)));
  if (min === undefined) return [required(path.child('min'), 'required when validRange is defined')];
  const errors: FieldError[] = [];
  const refuse = (field: string, value: Quantity, detail: string): void =>
    void errors.push(invalid(path.child(field), String(value), detail));
  if (min.compare(capacity) > 0) refuse('min', min, `min is larger than capacity value: ${capacity}`);
  if (standard.compare(min) < 0) refuse('default', standard, `default is less than min: ${min}`);
  if (max !== undefined) {
    if (min.compare(max) > 0) refuse('max', min, `min is larger than max: ${max}`);
    if (max.compare(capacity) > 0) refuse('max', max, `max is larger than capacity value: ${capacity}`);
    if (standard.compare(max) > 0) refuse('default', standard, `default is more than max: ${max}`);
  }
  return [...errors, ...validateSteps({ default: standard, min, ...(max && { max }), ...(step && { step }) }, subject)];
}

interface RangeValues {
  readonly default: Quantity;
  readonly min: Quantity;
  readonly max?: Quantity;
  readonly step?: Quantity;
}

/** The default and the end of a range are a whole number of steps away from its begin. */
function validateSteps(values: RangeValues, { capacity, path, fractional }: Subject): FieldError[] {
  const milli = fractional && Object.values(values).some((value: Quantity) => !value.equals(value.roundUp(0)));
  if (milli) {
    const inexact = eachOf(values, path, (value) =>
      value.equals(Quantity.milli(value.milliValue())) ? undefined : 'value cannot be represented as a milli value',
    );
    if (inexact.length > 0) return inexact;
  }
  const { min, max, step } = values;
  if (step === undefined) return [];
  const at = path.child('step');
  if (step.sign <= 0) return [invalid(at, String(step), 'must be greater than zero')];
  const next = min.add(step);
  const errors =
    next.compare(capacity) > 0 ? [invalid(at, String(step), `one step ${next} is larger than capacity value: ${capacity}`)] : [];
  const unsafe = milli ? [] : eachOf(values, path, int64Problem);
  if (unsafe.length > 0) return [...errors, ...unsafe];
  const units = (value: Quantity): bigint => (milli ? value.milliValue() : value.value());
  for (const value of max === undefined ? [values.default] : [values.default, max]) {
    if ((units(value) - units(min)) % units(step) === 0n) continue;
    errors.push(invalid(at, String(value), `value is not a multiple of a given step (${step}) from (${min})`));
  }
  return errors;
}

function int64Problem(value: Quantity): string | undefined {
  if (value.sign < 0) return 'must be greater than or equal to 0';
  return value.compare(maxInt64) > 0 ? 'must not be larger than 9223372036854775807' : undefined;
}

function eachOf(values: RangeValues, path: FieldPath, problemOf: (value: Quantity) => string | undefined): FieldError[] {
  return (['default', 'min', 'max', 'step'] as const).flatMap((field) => {
    const value = values[field];
    const problem = value && problemOf(value);
    return problem === undefined ? [] : [invalid(path.child(field), String(value), problem)];
  });
}
