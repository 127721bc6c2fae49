import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { constants, inflateRawSync } from 'node:zlib';
import type { Frame } from './frames.ts';
import { controlFrame, dataFrame, FrameReader, frameTypes, HeaderWriter } from './frames.ts';

const written = Buffer.concat([
  controlFrame(frameTypes.ping, Buffer.from([0, 0, 0, 1])),
  dataFrame(5, Buffer.from('hello'), false),
  dataFrame(5, Buffer.alloc(0), true),
]);
const read: readonly Frame[] = [
  { kind: 'control', type: frameTypes.ping, last: false, payload: Buffer.from([0, 0, 0, 1]) },
  { kind: 'data', stream: 5, last: false, payload: Buffer.from('hello') },
  { kind: 'data', stream: 5, last: true, payload: Buffer.alloc(0) },
];

describe('FrameReader', () => {
  for (const size of [1, 3, 8, 1000]) {
    test(`reads frames that come in pieces of ${size} bytes`, () => {
      const reader = new FrameReader();
      const frames: Frame[] = [];
      for (let at = 0; at < written.length; at += size) frames.push(...reader.read(written.subarray(at, at + size)));
      assert.deepEqual(
        frames.map((frame) => ({ ...frame, payload: Buffer.from(frame.payload) })),
        read,
      );
    });
  }
});

test('control frames are of version 3 of the protocol', () => {
  assert.equal(controlFrame(frameTypes.goAway, Buffer.alloc(8)).toString('hex'), '8003000700000008' + '00'.repeat(8));
});

test('HeaderWriter writes one zlib stream whose blocks can be read as they come', () => {
  const writer = new HeaderWriter();
  const blocks = [writer.block({ streamType: 'error' }), writer.block({ streamType: 'stdin' })];
  const zlibHead = 6;
  const plain = inflateRawSync(Buffer.concat(blocks).subarray(zlibHead), { finishFlush: constants.Z_SYNC_FLUSH });
  const pair = (value: string): string => `\0\0\0\x01\0\0\0\x0astreamtype\0\0\0\x05${value}`;
  assert.equal(plain.toString('latin1'), pair('error') + pair('stdin'));
});
