import { isBlank, isObject } from '../json/json-object.ts';
import type { JsonObject } from '../json/json-object.ts';
import type { FieldSet } from './field-set.ts';
import { fieldShape } from './shape.ts';
import type { ListShape, MapShape, Shape } from './shape.ts';

/** What of a value decides which fields a create comes to own: names, keys of items, and values where an empty object has some already. */
type Outline =
  /** nothing: it is owned as a whole, whatever it is */
  | { readonly is: 'whole' }
  /** there is nothing in it */
  | { readonly is: 'empty' }
  | { readonly is: 'empty list' }
  | { readonly is: 'empty map' }
  | { readonly is: 'value'; readonly value: unknown }
  | { readonly is: 'map'; readonly isStruct: boolean; readonly names: readonly string[]; readonly inner: readonly Outline[] }
  | { readonly is: 'list'; readonly keys: readonly string[]; readonly items: readonly Item[] };

interface Item {
  /** of a list with keys, their values; of a set, the value */
  readonly values: readonly unknown[];
  readonly inner: Outline;
}

const whole: Outline = { is: 'whole' };
const empty: Outline = { is: 'empty' };

/** Objects with more in them have no outline. */
const mostNodes = 1000;
const kept = 4;
/** One of so many objects that are like none before is kept: where no two are alike, that costs little. */
const sampled = 8;

/**
 * Most objects that are created are like one that was created before, but for their values: pods of one template, leases, events. Then the
 * set of fields that their manager owns is the same, and need not be made again.
 */
export class Outlines {
  readonly #shape: Shape;
  readonly #zero: JsonObject;
  readonly #known: { readonly outline: Outline; readonly fields: FieldSet }[] = [];
  #next = 0;
  #unlike = 0;

  /** @param zero what objects are compared with to see what a create sets */
  constructor(shape: Shape, zero: JsonObject) {
    this.#shape = shape;
    this.#zero = zero;
  }

  /** The fields of an object like this one, which `add` was called with. */
  fieldsOf(object: JsonObject): FieldSet | undefined {
    for (const { outline, fields } of this.#known) if (fits(outline, object)) return fields;
    return undefined;
  }

  /** `fields` returns what the object's manager owns, if that is to be kept. */
  add(object: JsonObject, fields: () => FieldSet): void {
    if (this.#unlike++ % sampled !== 0) return;
    const outline = new Sketch().of(this.#shape, object, this.#zero);
    if (outline === undefined) return;
    this.#known[this.#next] = { outline, fields: fields() };
    this.#next = (this.#next + 1) % kept;
  }
}

class Sketch {
  #nodes = 0;

  /** Undefined where there is none. `zero` is what an empty object has there. */
  of(shape: Shape, value: unknown, zero: unknown): Outline | undefined {
    if (++this.#nodes > mostNodes) return undefined;
    const outline = this.#inner(shape, value, zero);
    if (zero === undefined || outline === undefined || outline.is === 'map' || outline.is === 'list') return outline;
    if (typeof value !== 'object' || value === null) return { is: 'value', value };
    if (outline === whole) return undefined;
    return { is: Array.isArray(value) ? 'empty list' : 'empty map' };
  }

  #inner({ map, list }: Shape, value: unknown, zero: unknown): Outline | undefined {
    if ((map === undefined || map.atomic) && (list === undefined || list.atomic)) return whole;
    if (Array.isArray(value)) {
      if (list === undefined || list.atomic) return undefined;
      return value.length === 0 ? empty : this.#list(list, value);
    }
    if (!isObject(value) || isBlank(value)) return empty;
    return map === undefined || map.atomic ? undefined : this.#map(map, value, isObject(zero) ? zero : {});
  }

  #map(map: MapShape, value: JsonObject, zero: JsonObject): Outline | undefined {
    const isStruct = map.element === undefined;
    const names: string[] = [];
    const inner: Outline[] = [];
    for (const name in value) {
      const item = value[name];
      if (item === undefined && isStruct) continue;
      const shape = fieldShape(map, name);
      const outline = shape === undefined || item === undefined ? undefined : this.of(shape, item, zero[name]);
      if (outline === undefined) return undefined;
      names.push(name);
      inner.push(outline);
    }
    return { is: 'map', isStruct, names, inner };
  }

  #list({ sortedKeys, element }: ListShape, value: readonly unknown[]): Outline | undefined {
    const keys = sortedKeys.map(({ name }) => name);
    const items: Item[] = [];
    for (const item of value) {
      const inner = this.of(element, item, undefined);
      if (inner === undefined || (keys.length > 0 && !isObject(item))) return undefined;
      const values = keys.length === 0 ? [item] : keys.map((key) => (item as JsonObject)[key]);
      if (values.some((each) => typeof each === 'object')) return undefined;
      items.push({ values, inner });
    }
    return { is: 'list', keys, items };
  }
}

function fits(outline: Outline, value: unknown): boolean {
  switch (outline.is) {
    case 'whole':
      return true;
    case 'empty':
      return typeof value !== 'object' || value === null || (Array.isArray(value) ? value.length === 0 : isBlank(value as JsonObject));
    case 'empty list':
      return Array.isArray(value) && value.length === 0;
    case 'empty map':
      return isObject(value) && isBlank(value);
    case 'value':
      return value === outline.value;
    case 'map':
      return isObject(value) && !isBlank(value) && fitsMap(outline.isStruct, outline.names, outline.inner, value);
    case 'list':
      return Array.isArray(value) && value.length === outline.items.length && fitsList(outline.keys, outline.items, value);
  }
}

function fitsMap(isStruct: boolean, names: readonly string[], inner: readonly Outline[], value: JsonObject): boolean {
  let at = 0;
  for (const name in value) {
    const item = value[name];
    if (item === undefined && isStruct) continue;
    if (item === undefined || name !== names[at] || !fits(inner[at]!, item)) return false;
    at++;
  }
  return at === names.length;
}

function fitsList(keys: readonly string[], items: readonly Item[], value: readonly unknown[]): boolean {
  for (let at = 0; at < items.length; at++) {
    const { values, inner } = items[at]!;
    const item = value[at];
    if (keys.length === 0) {
      if (item !== values[0]) return false;
    } else if (!isObject(item) || !keys.every((key, index) => item[key] === values[index])) return false;
    if (!fits(inner, item)) return false;
  }
  return true;
}
