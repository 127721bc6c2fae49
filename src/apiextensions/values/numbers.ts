// Upstream: k8s.io/kube-openapi/pkg/validation/validate/{validator,values}.go
import { goFloat } from '../../machinery/go-format.ts';
import type { JSONSchemaProps } from '../../schema/types/apiextensions-v1.ts';
import { factorNotPositive, outOfBounds, remark } from './faults.ts';
import type { Run } from './run.ts';

type Numeric = number | bigint;

/** A float64, which is read as a bigint where it has no fraction. */
const asFloat = (value: Numeric | undefined): number | undefined => (value === undefined ? undefined : Number(value));

/** Integers beyond 2^53 are bigints, so that a number beyond is a float64. */
const isWhole = (value: Numeric): boolean => typeof value === 'bigint' || Number.isSafeInteger(value);

/** Bounds and multiples of numbers. `types` are those that the schema allows. */
export function numberCheck(schema: JSONSchemaProps, types: readonly string[], format: string): (run: Run, value: Numeric) => void {
  // With several types, or none, no range is implied.
  const type = types.length === 1 && (types[0] === 'integer' || types[0] === 'number') ? (types[0] as string) : '';
  const rangeFormat = type === '' ? '' : format;
  const [multipleOf, minimum, maximum] = [schema.multipleOf, schema.minimum, schema.maximum].map(asFloat);
  const constraintFault = (value: number | undefined, what: string, path: string): string | undefined =>
    value === undefined || isInRange(value, type, rangeFormat) ? undefined : rangeMessage(what, type, rangeFormat, path);
  return (run, value) => {
    if (!isInRange(value, type, rangeFormat)) run.add(() => remark(rangeMessage('Checked', type, rangeFormat, run.path)));
    if (multipleOf !== undefined) {
      const fault = constraintFault(multipleOf, 'MultipleOf', run.path);
      if (fault !== undefined) run.add(() => remark(fault));
      checkMultiple(run, value, multipleOf, fault === undefined);
    }
    if (minimum !== undefined) {
      const fault = constraintFault(minimum, 'Minimum boundary', run.path);
      if (fault !== undefined) run.add(() => remark(fault));
      const { bound, text, compared } = boundFor(value, minimum, fault === undefined);
      const isExclusive = schema.exclusiveMinimum === true;
      if (isExclusive ? compared <= bound : compared < bound)
        run.add(() => outOfBounds(run.path, `greater than ${isExclusive ? '' : 'or equal to '}${text}`, value));
    }
    if (maximum !== undefined) {
      const fault = constraintFault(maximum, 'Maximum boundary', run.path);
      if (fault !== undefined) run.add(() => remark(fault));
      const { bound, text, compared } = boundFor(value, maximum, fault === undefined);
      const isExclusive = schema.exclusiveMaximum === true;
      if (isExclusive ? compared >= bound : compared > bound)
        run.add(() => outOfBounds(run.path, `less than ${isExclusive ? '' : 'or equal to '}${text}`, value));
    }
  };
}

/** Whole numbers are compared with the whole part of a bound; a quirk kept. */
function boundFor(value: Numeric, bound: number, native: boolean): { bound: number; text: string; compared: Numeric } {
  if (!native || !isWhole(value)) return { bound, text: goFloat(bound), compared: Number(value) };
  const whole = Math.trunc(bound);
  return { bound: whole, text: String(whole), compared: value };
}

function checkMultiple(run: Run, value: Numeric, factor: number, native: boolean): void {
  if (native && isWhole(value)) {
    const whole = Math.trunc(factor);
    if (whole <= 0) run.add(() => factorNotPositive(run.path, whole, String(whole)));
    else if (typeof value === 'bigint' ? value % BigInt(whole) !== 0n : value % whole !== 0)
      run.add(() => outOfBounds(run.path, `a multiple of ${whole}`, value));
    return;
  }
  if (factor <= 0) run.add(() => factorNotPositive(run.path, factor, goFloat(factor)));
  else if (!isAlmostWhole(factor < 1 ? (1 / factor) * Number(value) : Number(value) / factor))
    run.add(() => outOfBounds(run.path, `a multiple of ${goFloat(factor)}`, value));
}

/** Whole but for what floating point does to it. */
export function isAlmostWhole(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  const whole = Math.trunc(value);
  const difference = Math.abs(value - whole);
  if (value === whole) return true;
  if (value === 0 || whole === 0 || difference < Number.MIN_VALUE) return difference < 1e-9 * Number.MIN_VALUE;
  return difference / Math.min(Math.abs(value) + Math.abs(whole), Number.MAX_VALUE) < 1e-9;
}

function isInRange(value: Numeric, type: string, format: string): boolean {
  if (type === 'integer') {
    if (typeof value === 'number' && !Number.isInteger(value)) return false;
    if (format === 'int32') return value >= -2147483648 && value <= 2147483647;
    return value >= -(2n ** 63n) && value < 2n ** 63n;
  }
  return format !== 'float' || Number.isFinite(Math.fround(Number(value)));
}

function rangeMessage(what: string, type: string, format: string, path: string): string {
  const of = format === '' ? `${type} (default format)` : `${type} with format ${format}`;
  return `${what} value must be of type ${of} in ${path}`;
}
