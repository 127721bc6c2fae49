import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { Chunk, ChunkPool } from './chunk.ts';
import { WritableSink } from './sink.ts';

test('bytes that were handed over count until they are released, also when the client has gone', () => {
  const pool = new ChunkPool(128 << 10, 1);
  const chunk = new Chunk(pool, Infinity);
  chunk.bytes(Buffer.alloc(100_000));
  const first = chunk.hand();
  chunk.bytes(Buffer.alloc(100_000));
  const second = chunk.hand();
  assert.equal(pool.onTheWay, 2 * pool.size);
  first.release();
  const gone = new PassThrough().destroy();
  assert.ok(new WritableSink(gone).write(second.bytes, second.release));
  assert.equal(pool.onTheWay, 0);
});
