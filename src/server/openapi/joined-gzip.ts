import { promisify } from 'node:util';
import { constants, crc32, deflateRaw } from 'node:zlib';
import type { Slices } from '../../base/slices.ts';

const deflate = promisify(deflateRaw);
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** an empty block that says that it is the last one */
const end = Buffer.from([1, 0, 0, 0xff, 0xff]);
/** shorter ones are not worth the while */
const worthBytes = 512;
const maxStored = 0xffff;

/** What was compressed, by the first of the buffers that it was made of. */
export type CompressedBlocks = WeakMap<Buffer, CompressedBlock>;

interface CompressedBlock {
  readonly from: readonly Buffer[];
  readonly bytes: Buffer;
}

/**
 * Blocks of bytes as one gzip member. Each block is compressed on its own and ends at a full byte, so that a document of which one block
 * changed is put together from what is there and that one, compressed anew.
 */
export async function joinedGzip(blocks: readonly (readonly Buffer[])[], known: CompressedBlocks, slices: Slices): Promise<Buffer[]> {
  const out: Buffer[] = [header];
  let checksum = 0;
  let length = 0;
  for (const block of blocks) {
    for (const bytes of block) {
      checksum = crc32(bytes, checksum);
      length += bytes.length;
    }
    out.push(await compressed(block, known));
    await slices.pause();
  }
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(checksum, 0);
  trailer.writeUInt32LE(length % 2 ** 32, 4);
  out.push(end, trailer);
  return out;
}

async function compressed(block: readonly Buffer[], known: CompressedBlocks): Promise<Buffer> {
  const [first] = block;
  if (first === undefined) return Buffer.alloc(0);
  const there = known.get(first);
  if (there !== undefined && there.from.length === block.length && there.from.every((one, index) => one === block[index])) {
    return there.bytes;
  }
  const joined = block.length === 1 ? first : Buffer.concat(block);
  const bytes = joined.length < worthBytes ? stored(joined) : await deflate(joined, { finishFlush: constants.Z_FULL_FLUSH, level: 6 });
  known.set(first, { from: block, bytes });
  return bytes;
}

/** A block that is not compressed. */
function stored(bytes: Buffer): Buffer {
  if (bytes.length > maxStored) throw new RangeError('too long for a stored block');
  const head = Buffer.alloc(5);
  head.writeUInt16LE(bytes.length, 1);
  head.writeUInt16LE(bytes.length ^ maxStored, 3);
  return Buffer.concat([head, bytes]);
}
