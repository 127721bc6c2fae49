// Upstream: github.com/google/cel-go/interpreter/attributes.go

import type { Evaluate, Frame } from './frame.ts';
import { isInt } from './numbers.ts';
import { showValue } from './show.ts';
import type { Value } from './values.ts';
import { CelError, CelList, CelMap, CelObject, Double, noSuchOverload, Optional, typeOf, Uint } from './values.ts';

/** One step of `a.b[c].?d`. */
export interface Qualifier {
  /** A constant key, or what computes it. */
  readonly key: Value | Evaluate;
  readonly isOptional: boolean;
  /** Asks for presence only: made by has(). */
  readonly isTest: boolean;
}

/** A variable or value with the selections applied to it: evaluated, and charged for, as one. */
export type Attribute =
  | { readonly kind: 'base'; readonly base: Evaluate; readonly qualifiers: Qualifier[] }
  | { readonly kind: 'conditional'; readonly condition: Evaluate; readonly then: Attribute; readonly otherwise: Attribute };

export function addQualifier(attribute: Attribute, qualifier: Qualifier): void {
  if (attribute.kind === 'base') {
    attribute.qualifiers.push(qualifier);
    return;
  }
  addQualifier(attribute.then, qualifier);
  addQualifier(attribute.otherwise, qualifier);
}

/** Compiles an attribute. Every selection costs one; the attribute itself is charged by the caller. */
export function resolveAttribute(attribute: Attribute): Evaluate {
  if (attribute.kind === 'base')
    return attribute.qualifiers.length === 0 ? attribute.base : qualified(attribute.base, attribute.qualifiers);
  const { condition } = attribute;
  const then = resolveAttribute(attribute.then);
  const otherwise = resolveAttribute(attribute.otherwise);
  return (frame) => {
    const chosen = condition(frame);
    if (chosen === true) return then(frame);
    if (chosen === false) return otherwise(frame);
    return chosen instanceof CelError ? chosen : noSuchOverload;
  };
}

function qualified(base: Evaluate, qualifiers: readonly Qualifier[]): Evaluate {
  const isPlain = qualifiers.every(({ key, isOptional, isTest }) => typeof key === 'string' && !isOptional && !isTest);
  if (isPlain) {
    const fields = qualifiers.map(({ key }) => key as string);
    return fields.length === 1 ? selectOne(base, fields[0]!) : selectMany(base, fields);
  }
  return (frame) => {
    const operand = base(frame);
    if (operand instanceof CelError) return operand;
    return walk(frame, operand, qualifiers);
  };
}

function selectOne(base: Evaluate, field: string): Evaluate {
  return (frame) => {
    const operand = base(frame);
    if (operand instanceof CelMap) {
      const found = operand.find(field);
      frame.charge(1);
      return found === undefined ? missingKey(field) : found;
    }
    return operand instanceof CelError ? operand : selectStep(frame, operand, field);
  };
}

function selectMany(base: Evaluate, fields: readonly string[]): Evaluate {
  return (frame) => {
    let value = base(frame);
    for (let i = 0; i < fields.length && !(value instanceof CelError); i++) {
      if (value instanceof CelMap) {
        const found: Value | undefined = value.find(fields[i]!);
        frame.charge(1);
        value = found === undefined ? missingKey(fields[i]!) : found;
      } else {
        if (value instanceof Optional)
          return walk(
            frame,
            value,
            fields.slice(i).map((key) => ({ key, isOptional: false, isTest: false })),
          );
        value = selectStep(frame, value, fields[i]!);
      }
    }
    return value;
  };
}

function selectStep(frame: Frame, operand: Value, field: string): Value {
  if (operand instanceof Optional) return walk(frame, operand, [{ key: field, isOptional: false, isTest: false }]);
  const value = qualify(operand, field);
  frame.charge(1);
  return value;
}

const missingKey = (key: Value): CelError => new CelError(`no such key: ${showValue(key)}`);

function walk(frame: Frame, operand: Value, qualifiers: readonly Qualifier[]): Value {
  let isOptional = false;
  let value = operand;
  if (value instanceof Optional) {
    if (value.value === undefined) return value;
    value = value.value;
    isOptional = true;
  }
  for (const { key, isOptional: starts, isTest } of qualifiers) {
    isOptional ||= starts;
    const at = typeof key === 'function' ? key(frame) : key;
    const found = at instanceof CelError ? at : isOptional || isTest ? probe(value, at, isTest) : qualify(value, at);
    // Below an optional, what is absent or fails costs nothing.
    const isAbsent = found === undefined || (isTest && found === false);
    if (isOptional && isAbsent) return Optional.none;
    if (!isOptional || !(found instanceof CelError)) frame.charge(1);
    if (found instanceof CelError) return found;
    value = isTest && isOptional ? null : found!;
  }
  return isOptional ? new Optional(value) : value;
}

/** `operand[key]`, an error where there is no such thing. */
function qualify(operand: Value, key: Value): Value {
  if (operand instanceof CelMap) {
    const found = operand.find(key);
    return found === undefined ? missingKey(key) : found;
  }
  if (operand instanceof CelList) {
    const index = indexOf(key);
    if (index instanceof CelError) return index;
    return index >= 0 && index < operand.length ? operand.at(index) : new CelError(`index out of bounds: ${showValue(key)}`);
  }
  if (operand instanceof CelError) return operand;
  return operand instanceof CelObject && typeof key === 'string' ? operand.get(key) : missingKey(key);
}

/** `operand[?key]`: undefined where there is no such thing. A test returns whether it is there. */
function probe(operand: Value, key: Value, isTest: boolean): Value | undefined {
  if (operand instanceof CelObject && typeof key === 'string') {
    const isSet = operand.has(key);
    if (isSet instanceof CelError || isTest) return isSet;
    return isSet ? operand.get(key) : undefined;
  }
  const found = find(operand, key);
  if (!isTest || found instanceof CelError) return found;
  return found !== undefined;
}

function find(operand: Value, key: Value): Value | undefined {
  if (operand instanceof CelMap) return operand.find(key);
  if (operand instanceof CelList) {
    const index = indexOf(key);
    if (index instanceof CelError) return index;
    return index >= 0 && index < operand.length ? operand.at(index) : undefined;
  }
  return operand instanceof CelError ? operand : undefined;
}

function indexOf(key: Value): number | CelError {
  if (typeof key === 'number') return key;
  if (isInt(key)) return Number(key);
  if (key instanceof Uint) return Number(key.value);
  if (key instanceof Double)
    return Number.isInteger(key.value) ? key.value : new CelError(`unsupported index value ${showValue(key)} in list`);
  return new CelError(`unsupported index type '${typeOf(key).name}' in list`);
}
