// Upstream: k8s.io/apimachinery/pkg/api/validate/each.go
import { deepEqual, semanticDeepEqual } from '../../machinery/deep-equal.ts';
import type { Type } from '../../machinery/type-model.ts';
import { innerMarker } from './marker.ts';
import type { Marker } from './marker.ts';
import { zeroOf } from './zero.ts';

/** How elements of a list are identified, and found again in the old list. */
export interface ListSemantics {
  /** absent: a list as a whole, whose elements have no identity */
  readonly same?: (left: unknown, right: unknown) => boolean;
  /** what elements that are the same have in common, as the key of a map; with `same` */
  readonly identity?: (item: unknown) => unknown;
  /** whether an element that was found again is unchanged; absent: being found says so */
  readonly unchanged?: (left: unknown, right: unknown) => boolean;
  /** `customUnique`: the kind itself looks for duplicates */
  readonly uniqueByHand?: boolean;
  /** `eachVal=opaqueType`: rules of the elements' type are not asked */
  readonly opaqueElements?: boolean;
}

export const wholeList: ListSemantics = Object.freeze({});

/** `unique` may say more about a list than its type, which is about merging. */
export function listSemantics(markers: readonly Marker[], type: Type): ListSemantics {
  const notes = {
    ...(markers.some(isOpaqueElements) && { opaqueElements: true }),
    ...(markers.some(({ name }) => name === 'customUnique') && { uniqueByHand: true }),
  };
  const kind = type.kind === 'list' ? (valueOf(markers, 'unique') ?? valueOf(markers, 'listType')) : undefined;
  if (kind === 'set') return { same: deepEqual, identity: identityOf, ...notes };
  if (kind !== 'map' || type.kind !== 'list') return notes;
  const keys = markers.filter(({ name }) => name === 'listMapKey').map(({ value }) => value);
  const readers = keyReaders(type.element, keys);
  return {
    same: (left, right) => readers.every((read) => read(left) === read(right)),
    identity: (item) => (readers.length === 1 ? readers[0]!(item) : readers.map((read) => identityOf(read(item))).join()),
    unchanged: (left, right) => semanticDeepEqual(left, right, type.element),
    ...notes,
  };
}

function isOpaqueElements(marker: Marker): boolean {
  return marker.name === 'eachVal' && innerMarker(marker).name === 'opaqueType';
}

function valueOf(markers: readonly Marker[], name: string): string | undefined {
  return markers.find((marker) => marker.name === name)?.value;
}

/** Longer lists are searched by identity: they may be as long as a body has room for. */
const fewItems = 16;

/** Finds the first of some elements that is the same as another. */
export function finder({ same, identity }: ListSemantics, items: readonly unknown[]): (item: unknown) => unknown {
  if (same === undefined) return () => undefined;
  if (items.length <= fewItems || identity === undefined) return (item) => items.find((other) => other !== null && same(other, item));
  const known = new Map<unknown, unknown>();
  for (const item of items) {
    if (item === null) continue;
    const key = identity(item);
    if (!known.has(key)) known.set(key, item);
  }
  return (item) => known.get(identity(item));
}

/** The places of elements that stand in front of them too. */
export function repeats({ same, identity }: ListSemantics, items: readonly unknown[]): number[] {
  const places: number[] = [];
  const seen = new Set<unknown>();
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    if (item === null) continue;
    if (items.length <= fewItems || identity === undefined) {
      for (let before = 0; before < index; before++) {
        if (items[before] === null || same?.(items[before], item) !== true) continue;
        places.push(index);
        break;
      }
    } else {
      const key = identity(item);
      if (seen.has(key)) places.push(index);
      else seen.add(key);
    }
  }
  return places;
}

/** The same for values that are the same, whatever the order of their fields; a text where it has parts. */
function identityOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' ? JSON.stringify(value) : `${typeof value} ${String(value)}`;
  if (Array.isArray(value)) return `[${value.map(identityOf).join()}]`;
  const entries = Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)}:${String(identityOf(inner))}`);
  return `{${entries.sort().join()}}`;
}

function keyReaders(element: Type, keys: readonly string[]): readonly ((item: unknown) => unknown)[] {
  if (element.kind !== 'struct') throw new Error('only structs have keys');
  return keys.map((key) => {
    const field = element.byName.get(key);
    if (field === undefined) throw new Error(`${element.name} has no ${key}`);
    const zero = zeroOf(field);
    return (item: unknown): unknown => (item as Readonly<Record<string, unknown>>)[key] ?? zero;
  });
}
