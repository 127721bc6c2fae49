import { fieldOverhead } from './static-table.ts';

/** 1: may stand in the name of a field; 2: in a value */
const classes = new Uint8Array(256).fill(2);
classes.fill(0, 0, 32);
classes[9] = 2;
classes[127] = 0;
for (const character of "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyz") classes[character.charCodeAt(0)] = 3;

/** One field of a header list, as it lies in a table. */
export class HeaderField {
  readonly name: string;
  readonly value: string;
  /** its characters may stand in a header of HTTP/2 */
  readonly valid: boolean;

  constructor(name: string, value: string, valid: boolean) {
    this.name = name;
    this.value = value;
    this.valid = valid;
  }

  get size(): number {
    return this.name.length + this.value.length + fieldOverhead;
  }
}

/** Lower-case letters and what else a token has; a name that begins with a colon is one of a few, which are compared with. */
export function isFieldName(bytes: Buffer, start: number, end: number): boolean {
  const first = bytes[start] === 0x3a ? start + 1 : start;
  if (first >= end) return false;
  for (let at = first; at < end; at++) if (((classes[bytes[at] as number] as number) & 1) === 0) return false;
  return true;
}

export function isFieldValue(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (((classes[bytes[at] as number] as number) & 2) === 0) return false;
  return true;
}
