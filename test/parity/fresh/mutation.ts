import type { Random } from '../../fuzz/random.ts';
import type { StructType, Type } from '../../../src/machinery/type-model.ts';
import { escapeKey } from '../json-pointer.ts';
import type { Json } from './bases.ts';
import { misfit, valueOf } from './values.ts';

/** A place of an object: its keys, the type that is declared there, and what is there. */
interface Place {
  readonly keys: readonly (string | number)[];
  readonly type: Type;
  readonly value: unknown;
}

export interface Change {
  readonly keys: readonly (string | number)[];
  /** undefined: taken away */
  readonly value: unknown;
}

export const pointerOf = ({ keys }: Change): string => keys.map((key) => `/${escapeKey(String(key))}`).join('');

/** Every place below spec, data and whatever else is not metadata of the server's own. */
function placesOf(object: Json, type: StructType): Place[] {
  const places: Place[] = [];
  const visit = (value: unknown, at: Type, keys: readonly (string | number)[]): void => {
    if (keys.length > 0) places.push({ keys, type: at, value });
    if (at.kind === 'list' && Array.isArray(value)) for (const [index, item] of value.entries()) visit(item, at.element, [...keys, index]);
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return;
    if (at.kind === 'map') for (const [key, item] of Object.entries(value)) visit(item, at.value, [...keys, key]);
    if (at.kind !== 'struct') return;
    for (const { name, type: fieldType } of at.fields) {
      const isOwn = keys.length === 0 && (name === 'apiVersion' || name === 'kind' || name === 'status');
      const isMetadata =
        keys.length === 1 && keys[0] === 'metadata' && !['labels', 'annotations', 'finalizers', 'ownerReferences'].includes(name);
      if (isOwn || isMetadata) continue;
      const item = (value as Json)[name];
      if (item === undefined) places.push({ keys: [...keys, name], type: fieldType, value: undefined });
      else visit(item, fieldType, [...keys, name]);
    }
  };
  visit(object, type, []);
  return places;
}

export function changeOf(object: Json, type: StructType, random: Random): Change {
  const places = placesOf(object, type);
  const present = places.filter(({ value }) => value !== undefined);
  // Absent fields are many: what is there is changed as often.
  const { keys, type: at, value } = random.pick(random.below(2) === 0 && present.length > 0 ? present : places);
  return { keys, value: changedValue(value, at, random) };
}

function changedValue(value: unknown, type: Type, random: Random): unknown {
  const chance = random.below(20);
  if (chance === 0) return misfit(random);
  if (chance === 1) return null;
  if (value !== undefined && chance < 5) return undefined;
  if (Array.isArray(value) && chance < 14) return changedList(value, type, random);
  return valueOf(type, random);
}

function changedList(list: readonly unknown[], type: Type, random: Random): unknown[] {
  const item = type.kind === 'list' ? valueOf(type.element, random) : {};
  switch (random.below(6)) {
    case 0:
      return [];
    case 1:
      return [...list, ...list.slice(0, 1)];
    case 2:
      return list.toReversed();
    case 3:
      return list.slice(1);
    case 4:
      return [item, ...list];
    default:
      return [...list, item];
  }
}

/** A copy with the change made. */
export function changed(object: Json, { keys, value }: Change): Json {
  const copy = structuredClone(object);
  let container = copy as Record<string | number, unknown>;
  for (const key of keys.slice(0, -1)) container = container[key] as Record<string | number, unknown>;
  const last = keys.at(-1) as string | number;
  if (value !== undefined) container[last] = value;
  else if (Array.isArray(container)) container.splice(Number(last), 1);
  else delete container[last];
  return copy;
}

/** The change as a merge patch; undefined where one cannot say it: within a list. */
export function asMergePatch({ keys, value }: Change): Json | undefined {
  if (keys.some((key) => typeof key === 'number')) return undefined;
  return keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value ?? null) as Json;
}

export function asJsonPatch(change: Change, wasThere: boolean): Json[] {
  const path = pointerOf(change);
  if (change.value === undefined) return [{ op: 'remove', path }];
  return [{ op: wasThere ? 'replace' : 'add', path, value: change.value }];
}
