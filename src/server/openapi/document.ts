import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Encoding } from '../../openapi/document-entry.ts';
import { documentPieces } from '../../openapi/document-layout.ts';
import type { DocumentContent } from './document-source.ts';
import type { CompressedBlocks } from './joined-gzip.ts';
import { joinedGzip } from './joined-gzip.ts';
import { Slices } from '../../base/slices.ts';

/** A block has about so many entries, and ends when it is this large. */
const entriesPerBlock = 16;
const blockBytes = 512 << 10;
const comma = Buffer.from(',');

/** Bytes that are sent one after the other; those of a block together. */
export interface Bytes {
  readonly blocks: readonly (readonly Buffer[])[];
  readonly length: number;
}

/** A document in its encodings, plain and compressed. Each is made once, in slices, however many ask for it. */
export class ServedDocument {
  readonly content: DocumentContent;
  /** SHA-512 of the JSON form, in capitals */
  readonly hash: string;
  readonly #blocks = new Map<Encoding, Promise<readonly (readonly Buffer[])[]>>();
  readonly #plain = new Map<Encoding, Promise<Bytes>>();
  readonly #gzip = new Map<Encoding, Promise<Bytes>>();
  readonly #compressed: CompressedBlocks;
  readonly #grown: (document: ServedDocument) => void;
  #size = 0;

  private constructor(
    content: DocumentContent,
    hash: string,
    json: readonly (readonly Buffer[])[],
    compressed: CompressedBlocks,
    grown: (document: ServedDocument) => void,
  ) {
    this.content = content;
    this.hash = hash;
    this.#blocks.set('json', Promise.resolve(json));
    this.#compressed = compressed;
    this.#grown = grown;
    this.#size = lengthOf(json.flat());
  }

  static async make(
    content: DocumentContent,
    compressed: CompressedBlocks,
    slices: Slices,
    grown: (document: ServedDocument) => void = () => {},
  ): Promise<ServedDocument> {
    const blocks = await blocksOf(content, 'json', slices);
    const hash = createHash('sha512');
    for (const block of blocks) {
      for (const bytes of block) hash.update(bytes);
      await slices.pause();
    }
    return new ServedDocument(content, hash.digest('hex').toUpperCase(), blocks, compressed, grown);
  }

  /** bytes that it keeps in memory */
  get size(): number {
    return this.#size;
  }

  plain(encoding: Encoding): Promise<Bytes> {
    return once(this.#plain, encoding, async () => {
      const blocks = await this.#blocksIn(encoding);
      return { blocks, length: lengthOf(blocks.flat()) };
    });
  }

  gzip(encoding: Encoding): Promise<Bytes> {
    return once(this.#gzip, encoding, async () => {
      const compressed = await joinedGzip(await this.#blocksIn(encoding), this.#compressed, new Slices());
      const bytes = { blocks: compressed.map((one) => [one]), length: lengthOf(compressed) };
      this.#grow(bytes.length);
      return bytes;
    });
  }

  #blocksIn(encoding: Encoding): Promise<readonly (readonly Buffer[])[]> {
    return once(this.#blocks, encoding, async () => {
      const blocks = await blocksOf(this.content, encoding, new Slices());
      this.#grow(lengthOf(blocks.flat()));
      return blocks;
    });
  }

  #grow(bytes: number): void {
    this.#size += bytes;
    this.#grown(this);
  }
}

/**
 * The bytes of a document, in blocks that depend only on the names of the entries in them: a change leaves the blocks before and after
 * it as they are.
 */
async function blocksOf({ layout, tables }: DocumentContent, encoding: Encoding, slices: Slices): Promise<Buffer[][]> {
  if (encoding === 'protobuf') {
    // Encoding takes its time, and lengths stand before what they are of.
    for (const entries of Object.values(tables)) {
      for (const entry of entries) if (!entry.isEncoded && entry.protobuf.length > 0) await slices.pause();
    }
  }
  const blocks: Buffer[][] = [];
  for (const piece of documentPieces(layout, tables, encoding)) {
    if (piece.entries === undefined) {
      blocks.push([piece.bytes]);
      continue;
    }
    let block: Buffer[] = [];
    let size = 0;
    for (const [index, entry] of piece.entries.entries()) {
      const bytes = entry.in(encoding);
      if (block.length > 0 && (size > blockBytes || crc32(entry.name) % entriesPerBlock === 0)) {
        blocks.push(block);
        block = [];
        size = 0;
      }
      block.push(bytes);
      if (piece.separator !== '' && index < piece.entries.length - 1) block.push(comma);
      size += bytes.length;
    }
    blocks.push(block);
    await slices.pause();
  }
  return blocks;
}

function lengthOf(buffers: readonly Buffer[]): number {
  return buffers.reduce((sum, { length }) => sum + length, 0);
}

/** The task of that name; one that failed may be tried again. */
function once<K, V>(tasks: Map<K, Promise<V>>, key: K, start: () => Promise<V>): Promise<V> {
  const running = tasks.get(key);
  if (running !== undefined) return running;
  const task = start();
  tasks.set(key, task);
  task.catch(() => tasks.delete(key));
  return task;
}
