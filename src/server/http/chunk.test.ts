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

test('a chunk that was handed over takes its next buffer when there is something to write: those of many lists are few', () => {
  const pool = new ChunkPool(128 << 10, 1);
  const seen = new Set<ArrayBufferLike>();
  const chunks = Array.from({ length: 10 }, () => new Chunk(pool, Infinity));
  for (let round = 0; round < 3; round++) {
    for (const chunk of chunks) {
      chunk.bytes(Buffer.alloc(100_000));
      const { bytes, release } = chunk.hand();
      seen.add(bytes.buffer);
      release();
    }
  }
  assert.equal(seen.size, 1);
});

test('what is written after a part was handed over is what the next part has', () => {
  const chunk = new Chunk(new ChunkPool(128 << 10, 1), Infinity);
  chunk.text('first');
  assert.equal(String(chunk.hand().bytes), 'first');
  chunk.byte(0x2c);
  chunk.text('second');
  assert.equal(String(chunk.hand().bytes), ',second');
  assert.equal(String(chunk.finish()), '');
});
