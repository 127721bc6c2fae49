import assert from 'node:assert/strict';
import { Duplex } from 'node:stream';
import { test } from 'node:test';
import { Output } from './output.ts';
import { OutputPool } from './output-pool.ts';
import { SharedFrames } from './shared-frames.ts';

/** What is written to it, write by write. */
class Written extends Duplex {
  readonly writes: Buffer[] = [];

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, callback: () => void): void {
    this.writes.push(chunk);
    callback();
  }
}

const nextTick = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

test('bytes that are sent for the third time on a stream of the same number are one frame from then on', () => {
  const shared = new SharedFrames();
  const bytes = Buffer.from('event');
  assert.equal(shared.of(bytes, 3), undefined);
  assert.equal(shared.of(bytes, 3), undefined);
  const frame = shared.of(bytes, 3);
  assert.deepEqual(frame, Buffer.from([0, 0, 5, 0, 0, 0, 0, 0, 3, ...bytes]));
  assert.equal(shared.of(bytes, 3), frame);
  assert.equal(shared.of(bytes, 5), undefined);
  assert.equal(shared.of(Buffer.from('event'), 5), undefined);
});

test('what is sent in several pieces shares each of them, until others have been sent', () => {
  const shared = new SharedFrames();
  const pieces = ['one', 'two', 'three'].map((text) => Buffer.from(text));
  const send = (): (Buffer | undefined)[] => pieces.map((piece) => shared.of(piece, 1));
  send();
  send();
  const frames = send();
  assert.ok(!frames.includes(undefined));
  assert.deepEqual(send(), frames);
  for (let stream = 3; stream < 19; stream += 2) shared.of(Buffer.from('other'), stream);
  assert.deepEqual(send(), [undefined, undefined, undefined]);
});

test('frames that are large go out one by one', async () => {
  const socket = new Written();
  const output = new Output(socket, new OutputPool(), { roomForMore() {} });
  const frames = [Buffer.alloc(5_000, 'a'), Buffer.alloc(5_000, 'b'), Buffer.alloc(5_000, 'c')];
  for (const frame of frames) output.writeWhole(frame);
  await nextTick();
  await nextTick();
  assert.deepEqual(socket.writes, frames);
});

test('a frame that is all that is written goes out as it is, and is copied where something stands before it or after it', async () => {
  const frame = Buffer.from('frame');
  const sockets = Array.from({ length: 3 }, () => new Written());
  const pool = new OutputPool();
  const [alone, before, after] = sockets.map((socket) => new Output(socket, pool, { roomForMore() {} }));
  const write = (output: Output | undefined, text: string): void => {
    if (output === undefined) return;
    const at = output.reserve(text.length);
    output.used = at + output.buffer.write(text, at);
  };
  alone?.writeWhole(frame);
  before?.writeWhole(frame);
  write(before, ' and more');
  write(after, 'more and ');
  after?.writeWhole(frame);
  after?.writeWhole(frame);
  await nextTick();
  await nextTick();
  assert.equal(sockets[0]?.writes[0], frame);
  assert.deepEqual(
    sockets.map(({ writes }) => writes.map(String)),
    [['frame'], ['frame and more'], ['more and frameframe']],
  );
});
