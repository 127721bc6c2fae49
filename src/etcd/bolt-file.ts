// Upstream: go.etcd.io/bbolt/internal/common/{page.go,meta.go,bucket.go}
import { setImmediate as turn } from 'node:timers/promises';

/** One entry of a bucket; the value is made when it is written, and must then have the length that it is said to have. */
export interface BoltEntry {
  readonly key: Buffer;
  readonly valueLength: number;
  readonly value: () => Buffer;
}

export interface BoltBucket {
  readonly name: string;
  /** in the order of their keys */
  readonly entries: readonly BoltEntry[];
}

const pageSize = 4096;
const pageHeader = 16;
const elementSize = 16;
const magic = 0xed0cdaed;
const version = 2;
const flag = Object.freeze({ branch: 0x01, leaf: 0x02, meta: 0x04, freelist: 0x10 });
const isBucket = 1;
const metaPages = 2;
/** Pages that are encoded before others get their turn. */
const pagesAtOnce = 256;

/** A page, possibly a long one, that knows its place in the file. */
interface Page {
  readonly id: number;
  readonly pages: number;
  readonly firstKey: Buffer;
  readonly encode: () => Buffer;
}

/**
 * A database file as bbolt writes them, from buckets that fit in memory while the file need not: places are given out first, then pages are
 * encoded one after the other. There are no free pages in it, and no transactions but the one that wrote it.
 */
export class BoltFile {
  readonly #pages: Page[] = [];
  #next = metaPages;

  constructor(buckets: readonly BoltBucket[]) {
    const freelist = this.#add(Buffer.alloc(0), pageHeader, (id, pages) => pageBytes(id, flag.freelist, 0, pages));
    const roots = buckets.map(({ name, entries }) => ({ name, root: this.#tree(entries) }));
    const names = roots
      .toSorted((a, b) => Buffer.from(a.name).compare(Buffer.from(b.name)))
      .map(({ name, root }) => ({ key: Buffer.from(name), valueLength: 16, value: () => bucketHeader(root) }));
    const root = this.#leaf(names, isBucket);
    this.#pages.unshift(...[0, 1].map((id) => this.#meta(id, root.id, freelist.id)));
  }

  get size(): number {
    return this.#next * pageSize;
  }

  async *bytes(): AsyncGenerator<Buffer, void, undefined> {
    for (const [i, { encode }] of this.#pages.entries()) {
      yield encode();
      if (i % pagesAtOnce === pagesAtOnce - 1) await turn();
    }
  }

  #meta(id: number, root: number, freelist: number): Page {
    return {
      id,
      pages: 1,
      firstKey: Buffer.alloc(0),
      encode: () => {
        const bytes = pageBytes(id, flag.meta, 0, 1);
        const meta = bytes.subarray(pageHeader, pageHeader + 64);
        meta.writeUInt32LE(magic, 0);
        meta.writeUInt32LE(version, 4);
        meta.writeUInt32LE(pageSize, 8);
        meta.writeBigUInt64LE(BigInt(root), 16);
        meta.writeBigUInt64LE(BigInt(freelist), 32);
        meta.writeBigUInt64LE(BigInt(this.#next), 40);
        meta.writeBigUInt64LE(BigInt(id), 48);
        meta.writeBigUInt64LE(fnv1a(meta.subarray(0, 56)), 56);
        return bytes;
      },
    };
  }

  #add(firstKey: Buffer, length: number, encode: (id: number, pages: number) => Buffer): Page {
    const id = this.#next;
    const pages = Math.ceil(length / pageSize);
    this.#next += pages;
    const page = { id, pages, firstKey, encode: () => encode(id, pages) };
    this.#pages.push(page);
    return page;
  }

  /** Leaves, and branches above them up to one page, whose number is returned. */
  #tree(entries: readonly BoltEntry[]): number {
    let level = parts(entries, ({ key, valueLength }) => key.length + valueLength).map((part) => this.#leaf(part, 0));
    if (level.length === 0) level = [this.#leaf([], 0)];
    while (level.length > 1) level = parts(level, ({ firstKey }) => firstKey.length).map((part) => this.#branch(part));
    return level[0]!.id;
  }

  #leaf(entries: readonly BoltEntry[], flags: number): Page {
    let length = pageHeader;
    for (const { key, valueLength } of entries) length += elementSize + key.length + valueLength;
    return this.#add(entries[0]?.key ?? Buffer.alloc(0), length, (id, pages) => {
      const bytes = pageBytes(id, flag.leaf, entries.length, pages);
      let at = pageHeader + entries.length * elementSize;
      for (const [i, { key, value, valueLength }] of entries.entries()) {
        const element = pageHeader + i * elementSize;
        bytes.writeUInt32LE(flags, element);
        bytes.writeUInt32LE(at - element, element + 4);
        bytes.writeUInt32LE(key.length, element + 8);
        bytes.writeUInt32LE(valueLength, element + 12);
        at += key.copy(bytes, at);
        at += value().copy(bytes, at);
      }
      return bytes;
    });
  }

  #branch(children: readonly Page[]): Page {
    let length = pageHeader;
    for (const { firstKey } of children) length += elementSize + firstKey.length;
    return this.#add(children[0]!.firstKey, length, (id, pages) => {
      const bytes = pageBytes(id, flag.branch, children.length, pages);
      let at = pageHeader + children.length * elementSize;
      for (const [i, { id: child, firstKey }] of children.entries()) {
        const element = pageHeader + i * elementSize;
        bytes.writeUInt32LE(at - element, element);
        bytes.writeUInt32LE(firstKey.length, element + 4);
        bytes.writeBigUInt64LE(BigInt(child), element + 8);
        at += firstKey.copy(bytes, at);
      }
      return bytes;
    });
  }
}

/** Runs of things that fit into a page together. */
function parts<T>(things: readonly T[], sizeOf: (thing: T) => number): T[][] {
  const found: T[][] = [];
  let size = Infinity;
  for (const thing of things) {
    const needed = elementSize + sizeOf(thing);
    if (size + needed > pageSize) {
      found.push([]);
      size = pageHeader;
    }
    found.at(-1)!.push(thing);
    size += needed;
  }
  return found;
}

function pageBytes(id: number, flags: number, count: number, pages: number): Buffer {
  const bytes = Buffer.alloc(pages * pageSize);
  bytes.writeBigUInt64LE(BigInt(id), 0);
  bytes.writeUInt16LE(flags, 8);
  bytes.writeUInt16LE(count, 10);
  bytes.writeUInt32LE(pages - 1, 12);
  return bytes;
}

function bucketHeader(root: number): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeBigUInt64LE(BigInt(root));
  return bytes;
}

function fnv1a(bytes: Buffer): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash;
}
