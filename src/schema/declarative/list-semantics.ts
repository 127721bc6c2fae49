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
  if (kind === 'set') return { same: deepEqual, ...notes };
  if (kind !== 'map' || type.kind !== 'list') return notes;
  const keys = markers.filter(({ name }) => name === 'listMapKey').map(({ value }) => value);
  return { same: sameKeys(type.element, keys), unchanged: (left, right) => semanticDeepEqual(left, right, type.element), ...notes };
}

function isOpaqueElements(marker: Marker): boolean {
  return marker.name === 'eachVal' && innerMarker(marker).name === 'opaqueType';
}

function valueOf(markers: readonly Marker[], name: string): string | undefined {
  return markers.find((marker) => marker.name === name)?.value;
}

function sameKeys(element: Type, keys: readonly string[]): (left: unknown, right: unknown) => boolean {
  if (element.kind !== 'struct') throw new Error('only structs have keys');
  const readers = keys.map((key) => {
    const field = element.byName.get(key);
    if (field === undefined) throw new Error(`${element.name} has no ${key}`);
    const zero = zeroOf(field);
    return (item: unknown): unknown => (item as Readonly<Record<string, unknown>>)[key] ?? zero;
  });
  return (left, right) => readers.every((read) => read(left) === read(right));
}
