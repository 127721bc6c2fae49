import assert from 'node:assert/strict';
import { duplexPair } from 'node:stream';
import type { Duplex } from 'node:stream';
import { test } from 'node:test';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { flags, frame, frameTypes, headerBlock, settings } from '../../../test/support/http2-frames.ts';
import { Http2ClientConnection } from './client-connection.ts';
import type { ClientStream } from './client-stream.ts';
import { FrameReader } from './frame-reader.ts';
import { errorCode, preface, setting } from './frames.ts';

const limits = { streamWindow: 64 << 10, connectionWindow: 128 << 10, maxHeaderListSize: 64 << 10 };
const ok = headerBlock([[':status', '200']]);
const trailers = headerBlock([['grpc-status', '0']]);

/** What becomes of one stream. */
class Call {
  readonly lines: string[] = [];
  bytes = 0;
  code: number | undefined;
  stream: ClientStream | undefined;

  headers(lines: readonly string[]): void {
    this.lines.push(...lines);
  }

  data(piece: Buffer): void {
    this.bytes += piece.length;
  }

  closed(code: number): void {
    this.code = code;
  }
}

/** A client of ours, and a server whose every byte the test says. */
class World {
  readonly #server: Duplex;
  readonly #reader = new FrameReader(1 << 24);
  readonly client: Http2ClientConnection;
  readonly heard: string[] = [];
  /** of the headers that came last */
  lastFlags = 0;
  /** pieces in which the bytes came */
  writes = 0;
  /** type, stream and length of frames that came */
  readonly frames: (readonly [type: number, stream: number, length: number])[] = [];

  constructor(firstId?: number) {
    const [ours, theirs] = duplexPair();
    this.#server = theirs;
    let greeting = preface.length;
    theirs.on('data', (chunk: Buffer) => {
      this.writes++;
      const skipped = Math.min(greeting, chunk.length);
      greeting -= skipped;
      this.#reader.push(chunk.subarray(skipped));
      while (this.#reader.next()) {
        if (this.#reader.type === frameTypes.headers) this.lastFlags = this.#reader.flags;
        this.frames.push([this.#reader.type, this.#reader.stream, this.#reader.end - this.#reader.start]);
      }
    });
    const handler = { retired: (code: number) => void this.heard.push(`retired ${code}`), closed: () => void this.heard.push('closed') };
    this.client = new Http2ClientConnection(ours, limits, handler, firstId);
  }

  open(body?: Buffer): Call {
    const call = new Call();
    call.stream = this.client.open([':method', 'POST', ':path', '/x'], call);
    if (body !== undefined) call.stream.write(body, true);
    return call;
  }

  async send(...bytes: readonly Buffer[]): Promise<void> {
    for (const one of bytes) this.#server.write(one);
    await this.settle();
  }

  async settle(): Promise<void> {
    for (let turns = 0; turns < 5; turns++) await turn();
  }

  of(type: number): (readonly [number, number, number])[] {
    return this.frames.filter(([one]) => one === type);
  }
}

const response = (id: number, data = Buffer.from('hello')): Buffer =>
  Buffer.concat([
    frame(frameTypes.headers, flags.endHeaders, id, ok),
    frame(frameTypes.data, 0, id, data),
    frame(frameTypes.headers, flags.endHeaders | flags.endStream, id, trailers),
  ]);

test('a response is read however it is cut', async () => {
  for (const size of [1, 2, 7, 1000]) {
    const world = new World();
    const call = world.open(Buffer.from('body'));
    const bytes = Buffer.concat([settings(), response(1)]);
    for (let at = 0; at < bytes.length; at += size) await world.send(bytes.subarray(at, at + size));
    assert.deepEqual([call.lines, call.bytes, call.code], [[':status', '200', 'grpc-status', '0'], 5, errorCode.none]);
    assert.deepEqual(world.of(frameTypes.data), [[frameTypes.data, 1, 4]]);
  }
});

test('requests of one turn go out in one write', async () => {
  const world = new World();
  await world.settle();
  const before = world.writes;
  world.open();
  await new Promise<void>((resolve) => process.nextTick(resolve));
  world.open(Buffer.from('body'));
  await world.settle();
  assert.equal(world.of(frameTypes.headers).length, 2);
  assert.equal(world.writes - before, 1);
});

test('a request without a body is over with its headers', async () => {
  const world = new World();
  const call = new Call();
  world.client.open([':method', 'GET', ':path', '/x'], call, true);
  await world.settle();
  assert.deepEqual(world.of(frameTypes.headers).length, 1);
  assert.deepEqual(world.lastFlags & flags.endStream, flags.endStream);
  await world.send(settings(), response(1));
  assert.deepEqual([call.bytes, call.code], [5, errorCode.none]);
  assert.deepEqual([...world.of(frameTypes.data), ...world.of(frameTypes.reset)], []);
});

test('a body goes out as the windows of the server allow', async () => {
  const world = new World();
  world.open(Buffer.alloc(100_000));
  await world.settle();
  const sent = (): number => world.of(frameTypes.data).reduce((sum, [, , length]) => sum + length, 0);
  assert.equal(sent(), 65_535);
  const increment = Buffer.alloc(4);
  increment.writeUInt32BE(10_000);
  await world.send(settings(), frame(frameTypes.windowUpdate, 0, 1, increment));
  assert.equal(sent(), 65_535, 'that of the connection is used up');
  await world.send(frame(frameTypes.windowUpdate, 0, 0, increment));
  assert.equal(sent(), 75_535);
  increment.writeUInt32BE(100_000);
  await world.send(frame(frameTypes.windowUpdate, 0, 0, increment), frame(frameTypes.windowUpdate, 0, 1, increment));
  assert.equal(sent(), 100_000);
});

test('streams beyond those that the server takes at once wait for others to end', async () => {
  const world = new World();
  await world.send(settings([[setting.maxConcurrentStreams, 2]]));
  const calls = [1, 2, 3, 4].map(() => world.open(Buffer.from('body')));
  await world.settle();
  assert.equal(world.of(frameTypes.headers).length, 2);
  calls[3]?.stream?.reset(errorCode.cancel);
  await world.send(response(1));
  assert.deepEqual(
    world.of(frameTypes.headers).map(([, id]) => id),
    [1, 3, 5],
  );
  assert.deepEqual(world.of(frameTypes.reset), [], 'of a stream that never began the server knows nothing');
  await world.send(response(3), response(5));
  assert.deepEqual(
    calls.map(({ code }) => code),
    [0, 0, 0, errorCode.cancel],
  );
});

test('streams that the server will not serve any more are refused, and the others end first', async () => {
  const world = new World();
  const [first, second] = [world.open(Buffer.from('body')), world.open(Buffer.from('body'))];
  await world.send(settings(), frame(frameTypes.goaway, 0, 0, Buffer.of(0, 0, 0, 1, 0, 0, 0, 0)));
  assert.deepEqual([first.code, second.code, world.heard], [undefined, errorCode.refusedStream, ['retired 0']]);
  await world.send(response(1));
  assert.deepEqual([first.code, world.heard], [errorCode.none, ['retired 0', 'closed']]);
});

test('a connection whose numbers of streams are used up takes no more', async () => {
  const world = new World(2 ** 31 - 3);
  const first = world.open(Buffer.from('body'));
  assert.deepEqual(world.heard, []);
  const last = world.open(Buffer.from('body'));
  assert.deepEqual(world.heard, ['retired 0']);
  await world.send(settings(), response(2 ** 31 - 3), response(2 ** 31 - 1));
  assert.deepEqual([first.code, last.code, world.heard], [0, 0, ['retired 0', 'closed']]);
});

test('a server that ends early is sent no more, and what it resets is over', async () => {
  const world = new World();
  const [early, broken] = [world.open(), world.open()];
  await world.send(settings(), response(1), frame(frameTypes.reset, 0, 3, Buffer.of(0, 0, 0, errorCode.refusedStream)));
  assert.deepEqual([early.code, broken.code], [errorCode.none, errorCode.refusedStream]);
  assert.deepEqual(world.of(frameTypes.reset), [[frameTypes.reset, 1, 4]]);
});

test('what comes for a stream that is over does not use up the window of the others', async () => {
  const world = new World();
  world.open(Buffer.from('body')).stream?.reset(errorCode.cancel);
  const data = frame(frameTypes.data, 0, 1, Buffer.alloc(16_000));
  for (let count = 0; count < 30; count++) await world.send(count === 0 ? settings() : data);
  assert.deepEqual(world.heard, []);
  assert.ok(world.of(frameTypes.windowUpdate).filter(([, id]) => id === 0).length > 1);
});

test('pings are acknowledged a moment later, and acknowledgements of ours are heard at once', async () => {
  const world = new World();
  let heard = 0;
  world.client.ping(() => heard++);
  await world.send(settings(), frame(frameTypes.ping, 0, 0, Buffer.alloc(8)), frame(frameTypes.ping, flags.ack, 0, Buffer.alloc(8)));
  assert.equal(heard, 1);
  assert.equal(world.of(frameTypes.ping).length, 1);
  await sleep(200);
  assert.equal(world.of(frameTypes.ping).length, 2);
});

test('many pings are acknowledged at once', async () => {
  const world = new World();
  await world.send(settings(), ...Array.from({ length: 5 }, () => frame(frameTypes.ping, 0, 0, Buffer.alloc(8))));
  assert.equal(world.of(frameTypes.ping).length, 5);
});

const violations: Readonly<Record<string, Buffer>> = {
  'data for a stream that was never opened': frame(frameTypes.data, 0, 9, Buffer.alloc(1)),
  'headers of a pushed stream': frame(frameTypes.headers, flags.endHeaders, 2, ok),
  'a push': frame(5, flags.endHeaders, 1, Buffer.alloc(4)),
  'more than the window of the stream': Buffer.concat(Array.from({ length: 5 }, () => frame(frameTypes.data, 0, 1, Buffer.alloc(16_384)))),
  'a frame that is too large': frame(frameTypes.data, 0, 1, Buffer.alloc(20_000)),
  'an index that no table has': frame(frameTypes.headers, flags.endHeaders, 1, Buffer.of(0xff, 0x7f)),
  'another frame within headers': Buffer.concat([frame(frameTypes.headers, 0, 1, ok), frame(frameTypes.ping, 0, 0, Buffer.alloc(8))]),
  'a window that does not grow': frame(frameTypes.windowUpdate, 0, 0, Buffer.alloc(4)),
  'padding that is all there is': frame(frameTypes.data, 8, 1, Buffer.of(9, 0)),
};
for (const [name, bytes] of Object.entries(violations)) {
  test(`a server that breaks the rules is left: ${name}`, async () => {
    const world = new World();
    const call = world.open(Buffer.from('body'));
    await world.send(settings(), bytes);
    assert.deepEqual([call.code, world.heard], [errorCode.cancel, ['closed']]);
  });
}
