import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frame, FrameReader, framePrefix } from './framing.ts';
import { GrpcError, statusCode } from './status.ts';

test('messages of all sizes come whole, however the stream is cut', () => {
  const sent = [0, 1, 5, 70_000, 300_000, 1_500_000].map((length, index) => Buffer.alloc(length, index + 1));
  const stream = Buffer.concat(sent.map(frame));
  for (const step of [3, 4096, 200_000, stream.length]) {
    const reader = new FrameReader(2 << 20);
    const read: Buffer[] = [];
    for (let at = 0; at < stream.length; at += step) read.push(...reader.push(stream.subarray(at, at + step)));
    assert.ok(reader.idle);
    assert.deepEqual(
      read.map((message) => message.length),
      sent.map((message) => message.length),
    );
    assert.ok(read.every((message, index) => message.equals(sent[index]!)));
  }
});

test('the length that a peer announces takes no memory before the message comes', () => {
  const before = process.memoryUsage().arrayBuffers;
  const readers = Array.from({ length: 50 }, () => {
    const reader = new FrameReader(64 << 20);
    reader.push(Buffer.concat([framePrefix(64 << 20), Buffer.alloc(10)]));
    return reader;
  });
  const taken = process.memoryUsage().arrayBuffers - before;
  assert.ok(taken < 50 << 20, `${taken} bytes for ${readers.length} messages`);
});

test('more than the limit is refused by its length', () => {
  assert.throws(
    () => new FrameReader(10).push(framePrefix(11)),
    (error) => error instanceof GrpcError && error.code === statusCode.resourceExhausted,
  );
});
