import assert from 'node:assert/strict';
import { test } from 'node:test';
import { controlFrame, dataFrame, FrameReader, frameTypes } from './frames.ts';

test('frames come out of pieces of any size, each put together once', () => {
  const large = Buffer.alloc(10_000_000, 'x');
  const bytes = Buffer.concat([
    dataFrame(1, Buffer.from('a'), false),
    dataFrame(3, large, true),
    controlFrame(frameTypes.ping, Buffer.alloc(4)),
  ]);
  for (const size of [1000, 65_536, bytes.length]) {
    const reader = new FrameReader();
    const found: string[] = [];
    for (let at = 0; at < bytes.length; at += size) {
      for (const frame of reader.read(bytes.subarray(at, at + size))) found.push(`${frame.kind} ${frame.payload.length} ${frame.last}`);
    }
    assert.deepEqual(found, ['data 1 false', 'data 10000000 true', 'control 4 false'], `pieces of ${size}`);
  }
});
