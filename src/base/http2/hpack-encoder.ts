// RFC 7541. Strings are written as they are: to compress them costs more than the bytes, and what repeats is in the table.
import { HeaderField, isFieldName, isFieldValue } from './header-field.ts';
import { HeaderTable } from './header-table.ts';
import { defaultTableSize, staticFields } from './static-table.ts';

interface Name {
  /** index in the static table; 0: none */
  readonly index: number;
  /** indices there, by value */
  readonly values: ReadonlyMap<string, number>;
}

const staticNames = makeStaticNames();
const noName: Name = { index: 0, values: new Map() };

/** Fields whose values hardly repeat: they would push others out of the table. */
const unique: ReadonlySet<string> = new Set([
  'audit-id',
  'content-length',
  'content-range',
  'etag',
  'grpc-timeout',
  'last-modified',
  'link',
  'location',
  'retry-after',
  'set-cookie',
  'traceparent',
  'warning',
]);

/** An entry of the dynamic table, by the number with which it was added. */
interface Added {
  readonly field: HeaderField;
  readonly number: number;
}

/** Writes the header blocks of one connection. */
export class HpackEncoder {
  readonly #added = new Map<string, Map<string, Added>>();
  readonly #table: HeaderTable = new HeaderTable(defaultTableSize, (field) => this.#forget(field));
  /** how many fields were ever added */
  #count = 0;
  /** the smallest size since the last block, which the next one says before the present one; undefined: it did not change */
  #smallest: number | undefined;

  /** The peer keeps a table of this size at most. */
  resize(size: number): void {
    const usable = Math.min(size, defaultTableSize);
    if (usable === this.#table.maxSize) return;
    this.#smallest = Math.min(this.#smallest ?? this.#table.maxSize, usable);
    this.#table.resize(usable);
  }

  /** Bytes that a field takes at most. */
  static bound(name: string, value: string): number {
    return name.length + value.length + 14;
  }

  /** Writes what is to be said before the first field of a block; returns the offset after it. */
  begin(target: Buffer, at: number): number {
    if (this.#smallest === undefined) return at;
    const { maxSize } = this.#table;
    const next = this.#smallest < maxSize ? writeInteger(target, at, 0x20, 5, this.#smallest) : at;
    this.#smallest = undefined;
    return writeInteger(target, next, 0x20, 5, maxSize);
  }

  /** Writes a field; returns the offset after it. As in Go, one that may not be sent is left out. */
  field(target: Buffer, at: number, name: string, value: string): number {
    const known = staticNames.get(name) ?? noName;
    const byValue = this.#added.get(name);
    const indexed = !unique.has(name);
    // What is looked up in a map becomes a string of the engine's table: one that does not repeat stays out of it.
    if (indexed) {
      const index = known.values.get(value);
      if (index !== undefined) return writeInteger(target, at, 0x80, 7, index);
      const added = byValue?.get(value);
      if (added !== undefined) return writeInteger(target, at, 0x80, 7, staticFields.length + this.#count - added.number);
    }
    const nameIndex = known.index || this.#nameIndex(byValue);
    let next = indexed ? writeInteger(target, at, 0x40, 6, nameIndex) : writeInteger(target, at, 0, 4, nameIndex);
    if (nameIndex === 0) {
      next = writeString(target, next, name);
      if (!isFieldName(target, next - name.length, next)) return at;
    }
    next = writeString(target, next, value);
    if (!isFieldValue(target, next - value.length, next)) return at;
    if (indexed) this.#add(name, value);
    return next;
  }

  #nameIndex(byValue: Map<string, Added> | undefined): number {
    if (byValue === undefined) return 0;
    for (const { number } of byValue.values()) return staticFields.length + this.#count - number;
    return 0;
  }

  #add(name: string, value: string): void {
    const field = new HeaderField(name, value, true);
    if (!this.#table.add(field)) return;
    const added: Added = { field, number: this.#count++ };
    const byValue = this.#added.get(name);
    if (byValue === undefined) this.#added.set(name, new Map([[value, added]]));
    else byValue.set(value, added);
  }

  #forget({ name, value }: HeaderField): void {
    const byValue = this.#added.get(name);
    if (byValue === undefined) return;
    byValue.delete(value);
    if (byValue.size === 0) this.#added.delete(name);
  }
}

function writeInteger(target: Buffer, at: number, pattern: number, prefix: number, value: number): number {
  const most = 2 ** prefix - 1;
  if (value < most) {
    target[at] = pattern | value;
    return at + 1;
  }
  target[at] = pattern | most;
  let next = at + 1;
  let rest = value - most;
  for (; rest >= 128; rest = Math.floor(rest / 128)) target[next++] = (rest % 128) | 0x80;
  target[next] = rest;
  return next + 1;
}

function writeString(target: Buffer, at: number, text: string): number {
  const start = writeInteger(target, at, 0, 7, text.length);
  return start + target.write(text, start, 'latin1');
}

function makeStaticNames(): ReadonlyMap<string, Name> {
  const names = new Map<string, { index: number; values: Map<string, number> }>();
  for (const [at, [name, value]] of staticFields.entries()) {
    const known = names.get(name);
    const values = known?.values ?? new Map<string, number>();
    if (value !== '') values.set(value, at + 1);
    if (known === undefined) names.set(name, { index: at + 1, values });
  }
  return names;
}
