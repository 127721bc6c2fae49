// Lists that are asked for again: items that follow each other are joined once and kept, so that the next list is put together from them.
import type { EncodingCache } from '../object/encoding-cache.ts';
import type { StoredEntry } from '../registry/entry.ts';
import type { Page } from './list.ts';

/** How items stand in a list. */
export interface RunItems {
  /** under which runs of them are kept */
  readonly encoding: string;
  /** before each of them; there is none in protobuf */
  readonly separator: number | undefined;
  bytes(entry: StoredEntry): Buffer;
}

/** Items that were listed together. */
interface Run {
  readonly entries: readonly StoredEntry[];
  /** joined; undefined: they were listed once */
  readonly joined: Joined | undefined;
  /** of what is kept for them */
  readonly length: number;
}

interface Joined {
  readonly bytes: Buffer;
  /** where each of them ends */
  readonly ends: readonly number[];
}

/** Those of large objects are sent one by one: they are few, and a copy of them is not. */
const mostRunBytes = 512 << 10;
const bytesPerEntry = 16;

/** The items of a page in their order, those that are kept as bytes together. */
export function runsOf(runs: EncodingCache, { items, parts }: Page, form: RunItems): Iterable<StoredEntry | Buffer> {
  return parts === undefined ? items : { [Symbol.iterator]: () => new Runs(runs, parts, form) };
}

/** A generator would take as long as what is done with its values. */
class Runs implements Iterator<StoredEntry | Buffer, undefined> {
  readonly #runs: EncodingCache;
  readonly #parts: readonly (readonly StoredEntry[])[];
  readonly #form: RunItems;
  #part = 0;
  #at = 0;

  constructor(runs: EncodingCache, parts: readonly (readonly StoredEntry[])[], form: RunItems) {
    this.#runs = runs;
    this.#parts = parts;
    this.#form = form;
  }

  next(): IteratorResult<StoredEntry | Buffer, undefined> {
    const entries = this.#parts[this.#part];
    if (entries === undefined) return { done: true, value: undefined };
    const run = this.#at === 0 ? runOf(this.#runs, entries, this.#form) : undefined;
    const value = run ?? (entries[this.#at++] as StoredEntry);
    if (run !== undefined || this.#at === entries.length) {
      this.#part++;
      this.#at = 0;
    }
    return { done: false, value };
  }
}

/** The bytes of items that are listed for the second time at least; undefined: they are to be written one by one. */
function runOf(runs: EncodingCache, entries: readonly StoredEntry[], form: RunItems): Buffer | undefined {
  const first = entries[0] as StoredEntry;
  const known = runs.find<Run>(first, form.encoding);
  const isKnown = known !== undefined && isOf(known, entries);
  if (isKnown && known.joined !== undefined) return known.joined.bytes;
  const size = entries.length * bytesPerEntry;
  if (!isKnown && known?.joined === undefined) {
    keep(runs, form, { entries, joined: undefined, length: size });
    return undefined;
  }
  const stored = entries.reduce((sum, { value }) => sum + value.length, 0);
  if (stored > mostRunBytes || !runs.hasRoom(stored + size)) return undefined;
  const joined = join(entries, form, known);
  keep(runs, form, { entries, joined, length: joined.bytes.length + size });
  return joined.bytes;
}

function keep(runs: EncodingCache, { encoding }: RunItems, run: Run): void {
  runs.keep(run.entries[0] as StoredEntry, encoding, run);
}

/** The same objects: an entry does not change. */
function isOf({ entries: known }: Run, entries: readonly StoredEntry[]): boolean {
  return known === entries || (known.length === entries.length && entries.every((entry, at) => entry === known[at]));
}

/** What has not changed since `before` is copied from there. */
function join(entries: readonly StoredEntry[], { separator, bytes }: RunItems, before: Run): Joined {
  const pieces: Buffer[] = [];
  const ends: number[] = [];
  let length = 0;
  const gap = separator === undefined ? 0 : 1;
  for (const entry of entries) {
    const piece = keptOf(entry, before, gap) ?? bytes(entry);
    pieces.push(piece);
    ends.push((length += gap + piece.length));
  }
  const joined = Buffer.alloc(length, separator);
  for (const [at, piece] of pieces.entries()) joined.set(piece, (ends[at] as number) - piece.length);
  return { bytes: joined, ends };
}

function keptOf(entry: StoredEntry, { entries, joined }: Run, gap: number): Buffer | undefined {
  const at = joined === undefined ? -1 : entries.indexOf(entry);
  if (joined === undefined || at < 0) return undefined;
  return joined.bytes.subarray((at === 0 ? 0 : (joined.ends[at - 1] as number)) + gap, joined.ends[at]);
}
