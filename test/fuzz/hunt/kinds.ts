import type { Field, StructType, Type } from '../../../src/machinery/type-model.ts';
import { createSchema } from '../../../src/schema/index.ts';
import { servedGroupVersions } from '../../../src/schema/resources.ts';
import { locateModules } from '../../../tools/generate/modules.ts';
import { readStubs } from '../../interop/stubs.ts';
import type { Case } from './case.ts';
import { fill, fillMap, fillSame, json } from './case.ts';
import type { Sent } from './hunted-server.ts';

/** What texts are made of, and what they end in: most patterns are at their worst where only the end does not fit. */
const texts: readonly (readonly [unit: string, end: string])[] = [
  ['a', '!'],
  ['a.', '-'],
  ['1', 'x'],
  ['/', '!'],
  [' ', 'x'],
];
/** What takes more than linear time shows in texts of this length; in the longest ones it would take the whole day. */
const textLimit = 100_000;
/** Fields of a map in a built-in kind, a little below what it may have. */
const mostFields = (at: readonly string[]): number => (at[0] === 'metadata' || at.length === 1 ? 49_000 : 19_500);
/** There are thousands of cases. */
const screen = 0.2;
const deepest = 9;

/**
 * Every list, map and string of every kind, filled up to the limit, one at a time, in an object that is valid otherwise, created and
 * updated. Each struct is looked into where it is met first: what a Deployment has in its template has the same rules as in a Pod.
 */
export function kindCases(): Case[] {
  const schema = createSchema();
  const cases: Case[] = [];
  const met = new Set<string>();
  const stubs = validObjects();
  for (const { group, version, resources } of servedGroupVersions()) {
    if (!/^v\d+$/.test(version)) continue;
    for (const { kind, name: plural, namespaced, verbs } of resources) {
      if (!verbs.includes('create')) continue;
      const type = schema.typeOf({ group, version, kind });
      if (type === undefined) continue;
      const metadata = type.byName.get('metadata')?.type;
      if (metadata?.kind === 'struct' && kind !== 'ConfigMap') met.add(metadata.name);
      else if (metadata?.kind === 'struct') met.delete(metadata.name);
      const prefix = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
      const path = `${prefix}${namespaced ? '/namespaces/default' : ''}/${plural}`;
      const stub = stubs.get(`${group}/${version}/${plural}`) ?? { metadata: { name: 'a' } };
      const head = { apiVersion: group === '' ? version : `${group}/${version}`, kind, ...stub };
      const label = group === '' ? kind : `${kind}.${group}`;
      for (const { at, fillings } of places(type, met)) {
        for (const [how, filling, limit] of fillings) {
          const name = `${label} ${at.join('.')} ${how}`;
          const [start = '', end = ''] = json(put(head, at, gap)).split(json(gap));
          const body = (size: number): string => start + filling(size) + end;
          const most = limit === undefined ? { screen } : { limit, screen: 1 / 4 };
          cases.push({ name, ...most, request: (size) => ({ method: 'POST', path: `${path}?dryRun=All`, body: body(size) }) });
          // an update has the same rules for texts
          const isAnotherText = limit !== undefined && how !== fillings[0]?.[0];
          if (!verbs.includes('update') || at.join('.') === 'metadata.name' || isAnotherText) continue;
          const stored = `${path}/${head.metadata.name}${at[0] === 'status' ? '/status' : ''}`;
          const place = `${stored}?dryRun=All`;
          const small: Sent = { method: 'POST', path, body: json(head) };
          // What is there may be as long as what is to be: each may be compared with each.
          const before = (size: number): readonly Sent[] =>
            how === 'distinct' ? [small, { method: 'PUT', path: stored, body: body(size) }] : [small];
          cases.push({ name: `${name}, update`, ...most, before, request: (size) => ({ method: 'PUT', path: place, body: body(size) }) });
        }
      }
    }
  }
  return cases.toSorted((one, other) => (one.limit ?? 0) - (other.limit ?? 0));
}

interface ValidObject {
  readonly metadata: { readonly name: string };
}

/** By group, version and resource: the objects of upstream's storage test. Without them (there is no Go), what is filled is all there is. */
function validObjects(): ReadonlyMap<string, ValidObject> {
  try {
    return new Map(
      readStubs(locateModules()['k8s.io/kubernetes'], 'default').map(({ group, version, resource, object }) => [
        `${group}/${version}/${resource}`,
        object,
      ]),
    );
  } catch (error) {
    console.warn(`kinds: hunting without valid objects: ${String(error)}`);
    return new Map();
  }
}

/** Fillings are JSON: most of it is the same again and again. */
type Fillings = readonly (readonly [how: string, filling: (size: number) => string, limit?: number])[];
/** where a filling goes */
const gap = '(here)';

/** The places of a type that take any amount, with what to put there. `[]` in a path is the only item of a list, `{}` that of a map. */
function* places(type: StructType, met: Set<string>, at: readonly string[] = []): Generator<{ at: readonly string[]; fillings: Fillings }> {
  if (at.length > deepest || met.has(type.name)) return;
  met.add(type.name);
  for (const field of type.fields) {
    if (at.length === 0 && (field.name === 'kind' || field.name === 'apiVersion')) continue;
    yield* placesOf(field.type, met, [...at, field.name]);
  }
}

function* placesOf(type: Type, met: Set<string>, at: readonly string[]): Generator<{ at: readonly string[]; fillings: Fillings }> {
  switch (type.kind) {
    case 'scalar':
      if (type.enum !== undefined) return;
      if (['string', 'quantity', 'intOrString', 'time', 'microTime', 'duration', 'bytes'].includes(type.scalar)) {
        yield {
          at,
          fillings: texts.map(([unit, end]) => [json(unit + end), (size) => json(unit.repeat(size / unit.length - 1) + end), textLimit]),
        };
      } else if (['raw', 'json', 'fieldsV1', 'unknown'].includes(type.scalar)) {
        yield {
          at,
          fillings: [
            ['object', (size) => json(fillMap(size, (index) => `f:${index}`, {}, mostFields(at)))],
            ['deep', deep],
          ],
        };
      }
      return;
    case 'list':
      yield {
        at,
        fillings: [
          ['empty', (size) => fillSame(size, sample(type.element, 'empty', 0))],
          ['same', (size) => fillSame(size, sample(type.element, 'same', 0))],
          ['distinct', (size) => json(fill(size, (index) => sample(type.element, 'distinct', index)))],
        ],
      };
      yield* placesOf(type.element, met, [...at, '[]']);
      return;
    case 'map':
      yield {
        at,
        fillings: [
          ['keys', (size) => json(fillMap(size, (index) => `k${index}`, sample(type.value, 'same', 0), mostFields(at)))],
          ['bad keys', (size) => json(fillMap(size, (index) => `-${index}`, sample(type.value, 'empty', 0), mostFields(at)))],
        ],
      };
      yield* placesOf(type.value, met, [...at, '{}']);
      return;
    case 'struct':
      yield* places(type, met, at);
      return;
    case 'variant':
      yield* placesOf(type.object, met, at);
  }
}

function deep(size: number): string {
  const depth = Math.min(size / 6, 4000);
  return '{"a":'.repeat(depth) + '{}' + '}'.repeat(depth);
}

/** A value of a type: as little as there is, the same for all items, or different in each. */
function sample(type: Type, how: 'empty' | 'same' | 'distinct', index: number, depth = 0): unknown {
  switch (type.kind) {
    case 'scalar':
      return sampleScalar(type.scalar, type.enum, how, index);
    case 'list':
      return how === 'empty' || depth > 2 ? [] : [sample(type.element, how, index, depth + 1)];
    case 'map':
      return {};
    case 'variant':
      return {};
    case 'struct': {
      if (how === 'empty') return {};
      const chosen = type.fields.filter((field) => isTelling(field, depth)).slice(0, 6);
      return Object.fromEntries(chosen.map((field) => [field.name, sample(field.type, how, index, depth + 1)]));
    }
  }
}

function isTelling({ type, required }: Field, depth: number): boolean {
  return type.kind === 'scalar' ? !['raw', 'json', 'fieldsV1', 'time', 'microTime'].includes(type.scalar) : required && depth < 3;
}

function sampleScalar(scalar: string, values: readonly string[] | undefined, how: string, index: number): unknown {
  const number = how === 'distinct' ? index % 60_000 : 1;
  switch (scalar) {
    case 'bool':
      return true;
    case 'int32':
    case 'int64':
    case 'uint32':
    case 'uint64':
    case 'float32':
    case 'float64':
    case 'intOrString':
      return number;
    case 'quantity':
      return String(number);
    case 'time':
    case 'microTime':
      return null;
    case 'duration':
      return '1s';
    case 'bytes':
      return '';
    case 'raw':
    case 'json':
    case 'fieldsV1':
    case 'unknown':
      return {};
    default:
      return how === 'empty' ? '' : (values?.[0] ?? (how === 'same' ? 'a' : `a${index}`));
  }
}

function put(object: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (name === '[]') return [put(Array.isArray(object) ? object[0] : {}, rest, value)];
  if (name === '{}') return { a: put({}, rest, value) };
  return { ...(object as object), [name]: put((object as Record<string, unknown> | undefined)?.[name] ?? {}, rest, value) };
}
