import type { Sent } from './hunted-server.ts';

/** Something that a client may send, in any size up to what the server takes. */
export interface Case {
  readonly name: string;
  /** what must be there for several cases: made once in each server, by the function itself */
  readonly world?: readonly World[];
  /** what must be there before; sent without being measured */
  readonly before?: (size: number) => readonly Sent[];
  readonly request: (size: number) => Sent;
  /** the largest that makes sense, below the limit of bodies */
  readonly limit?: number;
  /** which part of the limit is sent first; only what takes long there is sent in full */
  readonly screen?: number;
  /** what it sets off is measured, too, until the response to this is what it says */
  readonly settled?: Sent;
  /** what it meets is gone afterwards: only the first time counts */
  readonly once?: true;
}

/** Requests that are sent one after the other, those of an inner list beside each other. */
export type World = () => readonly (Sent | readonly Sent[])[];

export const bodyLimit = 3 * 1024 * 1024;
export const headerLimit = 1024 * 1024;

/** A little below what an object of a built-in kind may hold beside its length: what is beyond it is refused before it costs much. */
const most = { items: 49_000, objects: 19_600, members: 149_000, membersOfOne: 49_000 };

export const json = (value: unknown): string => JSON.stringify(value);

/** As many items as fit, and as a body of this size may have its share of. */
export function fill<T>(size: number, item: (index: number) => T): T[] {
  const items: T[] = [];
  let room = roomOf(size);
  for (let index = 0; ; index++) {
    const made = item(index);
    const costs = costsOf(JSON.stringify(made) ?? '');
    room = room.map((left, place) => left - (costs[place] ?? 0));
    if (index > 0 && room.some((left) => left < 0)) return items;
    items.push(made);
  }
}

/** The JSON of as many of the same item as fit. */
export function fillSame(size: number, item: unknown): string {
  const text = JSON.stringify(item) ?? 'null';
  const costs = costsOf(text);
  const count = Math.max(1, Math.floor(Math.min(...roomOf(size).map((left, place) => left / (costs[place] ?? 0)))));
  return `[${`${text},`.repeat(count - 1)}${text}]`;
}

function roomOf(size: number): readonly number[] {
  const share = size / bodyLimit;
  return [size, most.items * share, most.objects * share, most.members * share];
}

/** Bytes, items, objects that are items, and fields of the JSON of an item. */
function costsOf(item: string): readonly number[] {
  const [objects, members, items] = [/(?:^|[[,])\{/g, /:/g, /,/g].map((sign) => item.match(sign)?.length ?? 0) as [number, number, number];
  return [item.length + 1, items + 1, objects, members];
}

export function fillMap(size: number, key: (index: number) => string, value: unknown, atMost = most.membersOfOne): Record<string, unknown> {
  const width = JSON.stringify(value).length;
  const map: Record<string, unknown> = {};
  let room = size;
  const count = (atMost * size) / bodyLimit;
  for (let index = 0; ; index++) {
    const name = key(index);
    room -= name.length + width + 4;
    if (room < 0 || index > count) return map;
    map[name] = value;
  }
}
