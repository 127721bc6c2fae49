import type { Slices } from '../../base/slices.ts';
import { GzipSum, deflatedBlock, gzipHeader, storedBlock } from '../../base/gzip-member.ts';

/** shorter ones are not worth the while */
const worthBytes = 512;

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
  const out: Buffer[] = [gzipHeader];
  const sum = new GzipSum();
  for (const block of blocks) {
    for (const bytes of block) sum.add(bytes);
    out.push(await compressed(block, known));
    await slices.pause();
  }
  out.push(sum.trailer());
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
  const bytes = joined.length < worthBytes ? storedBlock(joined) : await deflatedBlock(joined, 6);
  known.set(first, { from: block, bytes });
  return bytes;
}
