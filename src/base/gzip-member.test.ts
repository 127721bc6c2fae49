import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { GzipSum, blockSum, deflatedBlock, gzipHeader, storedBlock } from './gzip-member.ts';

test('blocks that are known by their sums alone read as what they were made of', async () => {
  const parts = [0, 1, 2, 3, 255, 4096, 65_535, 100_003].map((length) => randomBytes(length));
  const sum = new GzipSum();
  const blocks: Buffer[] = [gzipHeader];
  for (const [index, part] of parts.entries()) {
    if (index % 3 === 0) sum.add(part);
    else sum.append(blockSum(part));
    blocks.push(part.length < 100 ? storedBlock(part) : await deflatedBlock(part, 1));
  }
  // gunzip refuses a wrong checksum and a wrong length.
  assert.deepEqual(gunzipSync(Buffer.concat([...blocks, sum.trailer()])), Buffer.concat(parts));
});

test('storedBlock() refuses what is too long for one', () => {
  assert.throws(() => storedBlock(Buffer.alloc(65_536)), RangeError);
});
