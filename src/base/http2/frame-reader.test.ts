import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frame } from '../../../test/support/http2-frames.ts';
import type { Frame } from '../../../test/support/http2-frames.ts';
import { Random } from '../../../test/fuzz/random.ts';
import { FrameReader } from './frame-reader.ts';

test('frames are the same, wherever what came was cut', () => {
  const random = new Random(7);
  for (let round = 0; round < 300; round++) {
    const frames: Frame[] = Array.from({ length: random.below(12) }, () => ({
      type: random.below(256),
      flags: random.below(256),
      stream: random.below(2 ** 31),
      payload: Buffer.alloc(random.below(4) === 0 ? random.below(3000) : random.below(20), random.below(256)),
    }));
    const bytes = Buffer.concat(frames.map(({ type, flags, stream, payload }) => frame(type, flags, stream, payload)));
    const reader = new FrameReader(1 << 14);
    const read: Frame[] = [];
    for (let at = 0; at < bytes.length;) {
      const end = at + 1 + random.below(random.below(3) === 0 ? 4000 : 12);
      reader.push(Buffer.from(bytes.subarray(at, end)));
      at = end;
      // Some of it is read later, together with what follows.
      if (random.below(5) === 0) continue;
      while (reader.next()) read.push({ type: reader.type, flags: reader.flags, stream: reader.stream, payload: reader.payload });
    }
    while (reader.next()) read.push({ type: reader.type, flags: reader.flags, stream: reader.stream, payload: reader.payload });
    assert.deepEqual(read, frames);
  }
});

test('a frame that is too large is found before it has come', () => {
  for (const cut of [9, 4]) {
    const reader = new FrameReader(100);
    const bytes = frame(0, 0, 1, Buffer.alloc(101)).subarray(0, 9);
    reader.push(bytes.subarray(0, cut));
    if (cut < 9) {
      assert.ok(!reader.next());
      reader.push(bytes.subarray(cut));
    }
    assert.ok(reader.next());
    assert.ok(reader.tooLarge);
  }
});
