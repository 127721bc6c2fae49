// Upstream: k8s.io/kube-openapi/pkg/validation/errors/schema.go, k8s.io/apiextensions-apiserver/pkg/apiserver/validation/validation.go
import { parseJson } from '../../machinery/codec/json/parse.ts';
import { writeSorted } from '../../machinery/codec/json/write.ts';
import type { FieldPath } from '../../machinery/field.ts';
import { goJson, goQuote } from '../../machinery/go-format.ts';
import { FieldError, invalid, notSupported, required, tooLong, tooMany, typeInvalid } from '../../machinery/field.ts';
import { childPath } from '../schema/paths.ts';

/** What is wrong with a value: in the words of the validator, and as what kind of field error clients see it. */
export interface Fault {
  /** path of the value; undefined where the validator has only words */
  readonly name: string | undefined;
  readonly message: string;
  readonly toError: (location: FieldPath | undefined, message: string) => FieldError;
}

/** What is larger is shown in the order in which it was sent: there may be one within the other, a hundred times. */
const mostOrdered = 10_000;

/** As Go shows it: keys of maps in order. */
export function shown(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value ?? '';
  return amountOf(value, mostOrdered) > mostOrdered ? value : parseJson(writeSorted(value));
}

/** How many values there are in a value, with itself; if there are more than that, one more than that at least. */
export function amountOf(value: unknown, most: number): number {
  let amount = 1;
  if (typeof value !== 'object' || value === null || most < 1) return amount;
  if (Array.isArray(value)) {
    if (value.length > most) return value.length + 1;
    for (let i = 0; i < value.length && amount <= most; i++) amount += amountOf(value[i], most - amount);
  } else {
    for (const key in value) if ((amount += amountOf((value as Record<string, unknown>)[key], most - amount)) > most) break;
  }
  return amount;
}

const invalidWith =
  (value: unknown): Fault['toError'] =>
  (location, message) =>
    invalid(location, shown(value), message);

export function wrongType(name: string, type: string, value: unknown): Fault {
  const message =
    typeof value === 'string' ? `${name} in body must be of type ${type}: ${goQuote(value)}` : `${name} in body must be of type ${type}`;
  return { name, message, toError: (location, text) => typeInvalid(location, shown(value), text) };
}

export function missing(name: string): Fault {
  return { name, message: `${name} in body is required`, toError: (location) => required(location, '') };
}

/** The values are listed once, by the first that is none of them: there may be thousands, and thousands that are none. */
export function enumFault(values: readonly unknown[]): (name: string, value: unknown) => Fault {
  let listed: { readonly text: string; readonly detail: string } | undefined;
  return (name, value) => {
    const supported = (listed ??= listedValues(values));
    return {
      name,
      message: `${name} in body should be one of [${supported.text}]`,
      toError: (location) => new FieldError('FieldValueNotSupported', location, shown(value), supported.detail),
    };
  };
}

function listedValues(values: readonly unknown[]): { readonly text: string; readonly detail: string } {
  const texts = values.map((one) => (typeof one === 'string' ? one : goJson(one)));
  return { text: texts.join(' '), detail: notSupported(undefined, '', texts).detail };
}

export function tooLongText(name: string, max: number): Fault {
  return { name, message: `${name} in body should be at most ${max} chars long`, toError: (location) => tooLong(location, max) };
}

export function tooShortText(name: string, min: number | bigint, value: string): Fault {
  return { name, message: `${name} in body should be at least ${min} chars long`, toError: invalidWith(value) };
}

export function patternMismatch(name: string, pattern: string, value: string): Fault {
  return { name, message: `${name} in body should match '${pattern}'`, toError: invalidWith(value) };
}

export function tooManyItems(name: string, size: number, max: number): Fault {
  return { name, message: `${name} in body should have at most ${max} items`, toError: (location) => tooMany(location, size, max) };
}

export function tooFewItems(name: string, size: number, min: number | bigint): Fault {
  return { name, message: `${name} in body should have at least ${min} items`, toError: invalidWith(size) };
}

export function duplicateItems(name: string): Fault {
  return { name, message: `${name} in body shouldn't contain duplicates`, toError: invalidWith(undefined) };
}

export function tooManyProperties(name: string, size: number, max: number): Fault {
  return { name, message: `${name} in body should have at most ${max} properties`, toError: (location) => tooMany(location, size, max) };
}

export function tooFewProperties(name: string, size: number, min: number | bigint): Fault {
  return { name, message: `${name} in body should have at least ${min} properties`, toError: invalidWith(size) };
}

export function forbiddenProperty(name: string, key: string): Fault {
  return { name, message: `${name}.${key} in body is a forbidden property`, toError: invalidWith(key) };
}

/** Bounds and multiples; `relation` reads `less than or equal to 5`. */
export function outOfBounds(name: string, relation: string, value: unknown): Fault {
  return { name, message: `${name} in body should be ${relation}`, toError: invalidWith(value) };
}

export function factorNotPositive(name: string, factor: number, text: string): Fault {
  return { name, message: `factor MultipleOf declared for ${name} must be positive: ${text}`, toError: invalidWith(factor) };
}

/** A fault that upstream tells in words only, without a place. */
export function remark(message: string): Fault {
  return { name: undefined, message, toError: invalidWith('') };
}

export function fieldErrors(faults: readonly Fault[], base: FieldPath | undefined): FieldError[] {
  return faults.map(({ name, message, toError }) => {
    const isElsewhere = name !== undefined && name !== '' && name !== '.';
    return toError(isElsewhere ? childPath(base, name.startsWith('.') ? name.slice(1) : name) : base, message);
  });
}
