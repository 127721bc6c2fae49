// Upstream: k8s.io/apiserver/pkg/cel/common/{valuesunstructured,valuesreflect}.go

import { stringify } from '../machinery/codec/json/write.ts';
import { deepEqual } from '../machinery/deep-equal.ts';
import { ArrayList } from './collections.ts';
import { equal } from './equality.ts';
import { escapeField, unescapeField } from './escaping.ts';
import type { JsonObject } from './json-values.ts';
import { JsonList, JsonMap } from './json-values.ts';
import { CelType } from './types.ts';
import type { Truth, Value } from './values.ts';
import { CelError, CelList, CelMap, CelObject, Double, Duration, noSuchOverload, Timestamp, Uint } from './values.ts';

/** Makes a value of what stands at a place of the schema. */
export type Adapter = (json: unknown) => Value;

const preservedType = new CelType('dyn', 'unknown');

/** Something that the schema preserves without knowing it: it can be compared and nothing else. */
export class PreservedValue extends CelObject {
  readonly type = preservedType;
  readonly json: unknown;

  constructor(json: unknown) {
    super();
    this.json = json;
  }

  equals(other: Value): Truth {
    return deepEqual(this.json, rawValue(other));
  }
}

/** The JSON behind a value, or a key that stands for it. */
function rawValue(value: Value): unknown {
  if (value instanceof PreservedValue || value instanceof SchemaMap || value instanceof SchemaList) return value.json;
  if (value instanceof JsonList || value instanceof JsonMap) return value.json;
  if (value instanceof Double) return value.value;
  return value;
}

/** An object with a schema for its properties, or for all of them. */
export class SchemaMap extends CelMap {
  readonly json: JsonObject;
  readonly #property: (name: string) => Adapter | undefined;
  /** Whether properties are known by their escaped names. */
  readonly #isObject: boolean;

  constructor(json: JsonObject, property: (name: string) => Adapter | undefined, isObject: boolean) {
    super();
    this.json = json;
    this.#property = property;
    this.#isObject = isObject;
  }

  get size(): number {
    return Object.keys(this.json).length;
  }

  find(key: Value): Value | undefined {
    if (typeof key !== 'string') return noSuchOverload;
    const name = this.#isObject ? unescapeField(key) : key;
    if (name === undefined || !Object.hasOwn(this.json, name)) return undefined;
    const json = this.json[name];
    if (this.#isObject && (json === null || json === undefined)) return undefined;
    return this.#property(name)?.(json);
  }

  keys(): readonly Value[] {
    const known = Object.keys(this.json).filter((name) => this.#property(name));
    return this.#isObject ? known.map((name) => escapeField(name) ?? name) : known;
  }

  equals(other: Value): Truth {
    if (!(other instanceof CelMap)) return noSuchOverload;
    if (this.size !== other.size) return false;
    for (const [name, json] of Object.entries(this.json)) {
      const same = this.#property(name) ? this.#equalProperty(name, other) : equalPreserved(name, json, other);
      if (same !== true) return same;
    }
    return true;
  }

  #equalProperty(name: string, other: CelMap): Truth {
    const mine = this.find(name);
    const theirs = other.find(name);
    if (mine === undefined || theirs === undefined) return mine === theirs;
    return equalWithNull(mine, theirs);
  }
}

function equalPreserved(name: string, json: unknown, other: CelMap): Truth {
  if (!(other instanceof SchemaMap)) return noSuchOverload;
  return !Object.hasOwn(other.json, name) || deepEqual(json, other.json[name]);
}

/** Elements compare by the rules of the left one's type; null equals only null. */
const equalWithNull = (a: Value, b: Value): Truth => (a instanceof CelError ? a : equal(a, b));

export type ListKind = { readonly kind: 'atomic' } | { readonly kind: 'set' } | { readonly kind: 'map'; readonly keys: readonly string[] };

/** An array with a schema for its items. The list type decides on equality and `+`. */
export class SchemaList extends CelList {
  readonly json: readonly unknown[];
  readonly #item: Adapter;
  readonly #listKind: ListKind;

  constructor(json: readonly unknown[], item: Adapter, listKind: ListKind) {
    super();
    this.json = json;
    this.#item = item;
    this.#listKind = listKind;
  }

  get length(): number {
    return this.json.length;
  }

  at(index: number): Value {
    return this.#item(this.json[index]);
  }

  equals(other: Value): Truth {
    return equalLists(this, other, this.#listKind);
  }

  contains(value: Value): Truth {
    let failure: CelError | undefined;
    for (const item of this) {
      const same = item instanceof CelError ? item : equal(item, value);
      if (same === true) return true;
      if (same instanceof CelError) failure ??= same;
    }
    return failure ?? false;
  }

  concat(other: CelList): Value {
    return concatLists(this, other, this.#listKind);
  }
}

/** What `+` of sets and of maps makes: it still is one. */
class KeyedList extends ArrayList {
  readonly #listKind: ListKind;

  constructor(items: Value[], listKind: ListKind) {
    super(items);
    this.#listKind = listKind;
  }

  override equals(other: Value): Truth {
    return equalLists(this, other, this.#listKind);
  }

  override concat(other: CelList): Value {
    return concatLists(this, other, this.#listKind);
  }
}

function equalLists(list: CelList, other: Value, { ...listKind }: ListKind): Truth {
  if (!(other instanceof CelList)) return noSuchOverload;
  if (list.length !== other.length) return false;
  if (listKind.kind === 'set') return equalSets(list, other);
  if (listKind.kind === 'map') return equalMapLists(list, other, listKind.keys);
  for (let i = 0; i < list.length; i++) {
    const same = equalWithNull(list.at(i), other.at(i));
    if (same !== true) return same;
  }
  return true;
}

function equalSets(list: CelList, other: CelList): Truth {
  const mine = keysOfSet(list);
  if (mine instanceof CelError) return mine;
  const theirs = keysOfSet(other);
  if (theirs instanceof CelError) return theirs;
  return mine.size === theirs.size && [...theirs].every((key) => mine.has(key));
}

function keysOfSet(list: CelList): Set<string> | CelError {
  const keys = new Set<string>();
  for (const item of list) {
    const key = setKey(item);
    if (key instanceof CelError) return key;
    keys.add(key);
  }
  return keys;
}

function setKey(item: Value): string | CelError {
  if (item instanceof CelList || item instanceof CelMap)
    return new CelError('listSet operations are only supported on lists of scalar values');
  return scalarKey(item);
}

/** Tells scalars apart by type and value. */
function scalarKey(value: Value | undefined): string {
  if (value === undefined || value === null) return 'null';
  if (value instanceof Double) return `double:${value.value}`;
  if (value instanceof Uint) return `uint:${value.value}`;
  if (value instanceof Timestamp) return `timestamp:${value.seconds}.${value.nanos}`;
  if (value instanceof Duration) return `duration:${value.nanos}`;
  if (value instanceof Uint8Array) return `bytes:${Buffer.from(value).toString('base64')}`;
  return `${typeof value}:${typeof value === 'object' ? stringify(rawValue(value)) : String(value)}`;
}

function mapKey(item: Value, keys: readonly string[]): string {
  return JSON.stringify(keys.map((key) => (item instanceof CelMap ? scalarKey(item.find(key)) : 'null')));
}

function equalMapLists(list: CelList, other: CelList, keys: readonly string[]): Truth {
  const mine = new Map([...list].map((item) => [mapKey(item, keys), item]));
  const seen = new Set<string>();
  for (const item of other) {
    const key = mapKey(item, keys);
    const counterpart = mine.get(key);
    if (counterpart === undefined) return false;
    const same = equalWithNull(counterpart, item);
    if (same !== true) return same;
    seen.add(key);
  }
  return seen.size === mine.size;
}

function concatLists(list: CelList, other: CelList, listKind: ListKind): Value {
  const items = [...list];
  if (listKind.kind === 'atomic') return new ArrayList([...items, ...other]);
  return listKind.kind === 'set' ? unionOfSets(items, other) : mergeByKey(items, other, listKind);
}

function unionOfSets(items: Value[], other: CelList): Value {
  const keys = new Set<string>();
  for (const item of items) {
    const key = setKey(item);
    if (key instanceof CelError) return key;
    keys.add(key);
  }
  for (const item of other) {
    const key = setKey(item);
    if (key instanceof CelError) return key;
    if (!keys.has(key)) items.push(item);
    keys.add(key);
  }
  return new KeyedList(items, { kind: 'set' });
}

/** Items of the other list replace those with the same keys and otherwise go to the end. */
function mergeByKey(items: Value[], other: CelList, listKind: ListKind & { kind: 'map' }): Value {
  const places = new Map(items.map((item, place) => [mapKey(item, listKind.keys), place]));
  for (const item of other) {
    const place = places.get(mapKey(item, listKind.keys));
    if (place === undefined) items.push(item);
    else items[place] = item;
  }
  return new KeyedList(items, listKind);
}
