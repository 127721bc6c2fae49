// Upstream: k8s.io/kube-openapi/pkg/validation/validate, k8s.io/apiextensions-apiserver/pkg/apiserver/validation/{validation,ratcheting}.go
import type { Steps } from '../../base/steps.ts';
import { Correlation } from '../../cel/kubernetes/correlation.ts';
import { compileRegex } from '../../cel/regex.ts';
import type { OpenApiSchema } from '../../cel/schema-types.ts';
import { CelError } from '../../cel/values.ts';
import { writeSorted } from '../../machinery/codec/json/write.ts';
import { deepEqual } from '../../machinery/deep-equal.ts';
import type { FieldError, FieldPath } from '../../machinery/field.ts';
import type { JSONSchemaProps } from '../../schema/types/apiextensions-v1.ts';
import type { JsonObject } from '../schema/node.ts';
import { isJsonObject } from '../schema/node.ts';
import { compileCombination } from './combination.ts';
import * as fault from './faults.ts';
import { formatRule, supportedFormat } from './formats.ts';
import { numberCheck } from './numbers.ts';
import { Matches, Run, UnfinishedError } from './run.ts';
import { typeCheck } from './types.ts';

/**
 * Checks a value at one schema node and adds what it finds to the run. Returns how many checks there were: where none of several schemas
 * fits, the one that got furthest is the one to complain about. `old` is what stood in the value's place before an update.
 */
export type Check = (run: Run, value: unknown, old: Correlation | undefined) => number;

/** A schema as a validator, compiled once. */
export class ValueValidator {
  readonly #check: Check;
  readonly #schema: JSONSchemaProps;

  constructor(schema: JSONSchemaProps, formatOf: FormatOf = supportedFormat) {
    this.#schema = schema;
    this.#check = compileSchema(schema, formatOf);
  }

  validate(value: unknown, path?: FieldPath): FieldError[] {
    return this.#validate(value, path, new Matches(false));
  }

  *validateInSteps(value: unknown, path?: FieldPath): Steps<FieldError[]> {
    return yield* inSteps((matches) => this.#validate(value, path, matches));
  }

  /** Faults of what has not changed are let through. */
  *validateUpdate(value: unknown, old: unknown, path?: FieldPath): Steps<FieldError[]> {
    return yield* inSteps((matches) => {
      const run = new Run(matches);
      const correlation = new Correlation(value, old, this.#schema as OpenApiSchema);
      this.#check(run, value, correlation);
      if (run.faults.isEmpty || correlation.isUnchanged) return [];
      return fault.fieldErrors(run.faults.all, path);
    });
  }

  #validate(value: unknown, path: FieldPath | undefined, matches: Matches): FieldError[] {
    const run = new Run(matches);
    this.#check(run, value, undefined);
    return run.faults.isEmpty ? [] : fault.fieldErrors(run.faults.all, path);
  }
}

/** Most take no step. Those that do begin again after each, and search no text twice. */
function* inSteps(validate: (matches: Matches) => FieldError[]): Steps<FieldError[]> {
  for (const matches = new Matches(true); ; matches.beginAgain()) {
    try {
      return validate(matches);
    } catch (error) {
      if (!(error instanceof UnfinishedError)) throw error;
      yield;
    }
  }
}

/** The format that a schema of a type is taken to have. */
type FormatOf = (format: string | undefined, type: string) => string;

/** For defaults of a definition, which upstream holds against formats that it takes no notice of in objects; a quirk kept. */
export const writtenFormat: FormatOf = (format = '') => format;

export function compileSchema(schema: JSONSchemaProps, formatOf: FormatOf): Check {
  const types = schema['x-kubernetes-int-or-string'] ? ['integer', 'string'] : schema.type ? [schema.type] : [];
  const format = formatOf(schema.format, types.length === 1 ? (types[0] as string) : '');
  const checkType = typeCheck(types, schema.nullable === true, format);
  const checkText = compileText(schema, format);
  const checkNumber = numberCheck(schema, types, format);
  const combination = compileCombination(schema, (part) => compileSchema(part, formatOf));
  const checkList = compileList(schema, formatOf);
  const checkObject = compileObject(schema, formatOf);
  const values = schema.enum ?? [];
  const isListed = enumLookup(values);
  const notInEnum = fault.enumFault(values);
  const checkEnum = (run: Run, value: unknown): void => {
    if (values.length > 0 && !isListed(value)) run.add(() => notInEnum(run.path, value));
  };
  return (run, value, old) => {
    if (value === null || value === undefined) {
      const matches = checkType(run, null);
      checkEnum(run, null);
      return matches;
    }
    // One for each validator that applies, as upstream counts: combination, enum, and the node itself always do.
    let matches = 3;
    if (types.length > 0 || format !== '') matches += 1 + checkType(run, value);
    matches += combination(run, value, old);
    switch (typeof value) {
      case 'string':
        matches += checkText(run, value);
        break;
      case 'number':
      case 'bigint':
        checkNumber(run, value);
        matches += 2;
        break;
      case 'object':
        matches += 1;
        if (Array.isArray(value)) matches += checkList(run, value, old);
        break;
      default:
        break;
    }
    checkEnum(run, value);
    if (isJsonObject(value)) matches += checkObject(run, value, old);
    return matches;
  };
}

function compileText({ minLength, maxLength, pattern }: JSONSchemaProps, format: string): (run: Run, value: string) => number {
  const regex = pattern ? compileRegex(pattern) : undefined;
  const rule = format === '' ? undefined : formatRule(format);
  const max = maxLength === undefined ? Infinity : Number(maxLength);
  const min = minLength === undefined ? 0 : Number(minLength);
  const checkText = (run: Run, value: string): void => {
    if (value.length > max && characters(value) > max) run.add(() => fault.tooLongText(run.path, max));
    else if (value.length < min * 2 && characters(value) < min) run.add(() => fault.tooShortText(run.path, minLength ?? 0, value));
    else if (regex instanceof CelError)
      run.add(() => fault.patternMismatch(run.path, `${pattern ?? ''}, but pattern is invalid: ${regex.message}`, value));
    else if (regex !== undefined && !run.matches.matches(regex, value))
      run.add(() => fault.patternMismatch(run.path, pattern ?? '', value));
  };
  return (run, value) => {
    checkText(run, value);
    if (rule === undefined) return 1;
    if (!rule(value)) run.add(() => fault.wrongType(run.path, format, value));
    return 2;
  };
}

function compileList(
  schema: JSONSchemaProps,
  formatOf: FormatOf,
): (run: Run, items: readonly unknown[], old: Correlation | undefined) => number {
  const { items: itemSchema, minItems, maxItems, uniqueItems } = schema;
  const checkItem = itemSchema && !Array.isArray(itemSchema) ? compileChild(itemSchema, formatOf) : undefined;
  return (run, items, old) => {
    let matches = 1;
    if (checkItem !== undefined) {
      for (let i = 0; i < items.length; i++) {
        run.enter(i);
        matches += checkItem(run, items[i], old?.index(i));
        run.leave();
      }
    }
    const size = items.length;
    if (minItems !== undefined && size < minItems) run.add(() => fault.tooFewItems(run.path, size, minItems));
    if (maxItems !== undefined && size > maxItems) run.add(() => fault.tooManyItems(run.path, size, Number(maxItems)));
    if (uniqueItems && items.some((item, i) => items.slice(0, i).some((earlier) => deepEqual(earlier, item)))) {
      run.add(() => fault.duplicateItems(run.path));
    }
    return matches;
  };
}

function compileObject(
  schema: JSONSchemaProps,
  formatOf: FormatOf,
): (run: Run, object: JsonObject, old: Correlation | undefined) => number {
  const { minProperties, maxProperties, required = [], additionalProperties } = schema;
  const properties = new Map(Object.entries(schema.properties ?? {}).map(([name, property]) => [name, compileChild(property, formatOf)]));
  const namesIn = propertyLookup(properties);
  const checkAdditional = typeof additionalProperties === 'object' ? compileChild(additionalProperties, formatOf) : undefined;
  return (run, object, old) => {
    let matches = 0;
    const keys = Object.keys(object);
    const size = keys.length;
    if (minProperties !== undefined && size < minProperties) run.add(() => fault.tooFewProperties(run.path, size, minProperties));
    if (maxProperties !== undefined && size > maxProperties) run.add(() => fault.tooManyProperties(run.path, size, Number(maxProperties)));
    if (additionalProperties === false) {
      for (const key of keys) if (!properties.has(key)) run.add(() => fault.forbiddenProperty(run.path, key));
    } else if (checkAdditional !== undefined) {
      for (const key of keys) if (!properties.has(key)) matches += within(run, key, checkAdditional, object[key], old);
    }
    for (const name of namesIn(object, keys)) matches += within(run, name, properties.get(name)!, object[name], old);
    for (const name of required) {
      if (Object.hasOwn(object, name)) continue;
      // Thousands may be missing in each of thousands.
      if (!run.takesMore) break;
      run.add(() => fault.missing(`${run.path}.${name}`));
    }
    return matches;
  };
}

/** Properties that an object has, in the order of the schema, which may have thousands that most of thousands of objects do not have. */
function propertyLookup(properties: ReadonlyMap<string, Check>): (object: JsonObject, keys: readonly string[]) => readonly string[] {
  const names = [...properties.keys()];
  let places: ReadonlyMap<string, number> | undefined;
  return (object, keys) => {
    if (keys.length === 0) return [];
    if (names.length < 4 * keys.length) return names.filter((name) => Object.hasOwn(object, name));
    const place = (places ??= new Map(names.map((name, index) => [name, index])));
    return keys.filter((key) => place.has(key)).sort((one, other) => place.get(one)! - place.get(other)!);
  };
}

function within(run: Run, key: string, check: Check, value: unknown, old: Correlation | undefined): number {
  // The version of an object is that of its handler, before and after: whether it changed cannot be seen.
  const before = run.isAtRoot && (key === 'apiVersion' || key === 'kind') ? undefined : old?.key(key);
  run.enter(key);
  const matches = check(run, value, before);
  run.leave();
  return matches;
}

/** Below the root, each value that has not changed is let through on its own. Made when the first value comes along. */
function compileChild(schema: JSONSchemaProps, formatOf: FormatOf): Check {
  let made: Check | undefined;
  return (run, value, old) => {
    const check = (made ??= compileSchema(schema, formatOf));
    if (old === undefined) {
      run.countCompared();
      return check(run, value, undefined);
    }
    const { faults, matches } = run.apart(() => check(run, value, old));
    if (!faults.isEmpty && !old.isUnchanged) run.addAll(faults);
    return matches;
  };
}

function characters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** A long list of values may have to be looked up in a long enumeration, so it is not gone through for each. */
function enumLookup(values: readonly unknown[]): (value: unknown) => boolean {
  const scalars: ReadonlySet<unknown> = new Set(values);
  const composites = values.filter(isComposite);
  const largest = composites.reduce<number>((most, value) => Math.max(most, fault.amountOf(value, Infinity)), 0);
  let texts: ReadonlySet<string> | undefined;
  return (value) => {
    switch (typeof value) {
      case 'object':
        // A quirk kept: null is in no enumeration. What is larger than all of it is not written to be compared: it may be so at each of many levels.
        if (value === null || fault.amountOf(value, largest) > largest) return false;
        return (texts ??= new Set(composites.map(writeSorted))).has(writeSorted(value));
      case 'number':
        // A number is compared as what the enum has: 1.7 is as good as 1 where the enum has whole numbers. A quirk kept.
        return scalars.has(value) || scalars.has(Math.trunc(value));
      default:
        return scalars.has(value);
    }
  };
}

function isComposite(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
