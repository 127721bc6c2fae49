import type { Sent } from './hunted-server.ts';

/** Something that a client may send, in any size up to what the server takes. */
export interface Case {
  readonly name: string;
  /** what must be there before; sent without being measured */
  readonly before?: (size: number) => readonly Sent[];
  readonly request: (size: number) => Sent;
  /** the largest that makes sense, below the limit of bodies */
  readonly limit?: number;
  /** which part of the limit is sent first; only what takes long there is sent in full */
  readonly screen?: number;
}

export const bodyLimit = 3 * 1024 * 1024;
export const headerLimit = 1024 * 1024;

export const json = (value: unknown): string => JSON.stringify(value);

/** As many items as fit. */
export function fill<T>(size: number, item: (index: number) => T): T[] {
  const items: T[] = [];
  let room = size;
  for (let index = 0; room > 0; index++) {
    const made = item(index);
    room -= (JSON.stringify(made) ?? '').length + 1;
    if (room > 0 || index === 0) items.push(made);
  }
  return items;
}

export function fillMap(size: number, key: (index: number) => string, value: unknown): Record<string, unknown> {
  const width = JSON.stringify(value).length;
  const map: Record<string, unknown> = {};
  let room = size;
  for (let index = 0; ; index++) {
    const name = key(index);
    room -= name.length + width + 4;
    if (room < 0) return map;
    map[name] = value;
  }
}
