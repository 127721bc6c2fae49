import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownBytes } from './own-bytes.ts';

test('bytes from the pool of node are copied, others are not', () => {
  const pooled = Buffer.from('some text');
  const own = ownBytes(pooled);
  assert.deepEqual(own, pooled);
  assert.equal(own.buffer.byteLength, own.length);
  assert.equal(ownBytes(own), own);
});
