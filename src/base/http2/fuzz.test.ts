import assert from 'node:assert/strict';
import { duplexPair } from 'node:stream';
import { test } from 'node:test';
import { frame, frameTypes, headerBlock, preface, settings } from '../../../test/support/http2-frames.ts';
import { Random } from '../../../test/fuzz/random.ts';
import { Http2ServerConnection } from './connection.ts';
import type { Http2Handler } from './connection.ts';
import { DateText } from './date-text.ts';
import { OutputPool } from './output-pool.ts';
import { SharedFrames } from './shared-frames.ts';
import type { Http2Stream } from './stream.ts';

const limits = { maxStreams: 10, streamWindow: 64 << 10, connectionWindow: 640 << 10, maxFrameSize: 64 << 10, maxHeaderListSize: 64 << 10 };
const shared = { pool: new OutputPool(), date: new DateText(), frame: new SharedFrames() };

/** Responds to some requests at once, to some later, and to some not at all. */
class Served implements Http2Handler {
  readonly #random: Random;
  open = 0;
  requests = 0;
  isClosed = false;

  constructor(random: Random) {
    this.#random = random;
  }

  request(stream: Http2Stream) {
    this.open++;
    this.requests++;
    const how = this.#random.below(5);
    if (how === 0) this.#respond(stream);
    else if (how === 1) setImmediate(() => this.#respond(stream));
    else if (how === 2) stream.read({ data: () => this.#random.below(2) === 0, end: () => this.#respond(stream), broken: () => {} });
    else if (how === 3) setImmediate(() => stream.reset(2));
    return { bodyArrived: () => {}, released: () => void this.open-- };
  }

  #respond(stream: Http2Stream): void {
    stream.respond(200, { 'x-a': String(this.#random.below(5)) }, false);
    stream.write(Buffer.alloc(this.#random.below(100_000)));
    stream.finish(Buffer.from('end'));
  }

  greeted(): void {}
  signal(): void {}
  refused(): void {}
  mayReadOn(): boolean {
    return this.#random.below(4) > 0;
  }
  closed(): void {
    this.isClosed = true;
  }
}

const fields = [
  [':method', 'POST'],
  [':scheme', 'https'],
  [':authority', 'localhost'],
  [':path', '/'],
] as const;

/** `latest`: the stream that was opened last */
function soundFrame(random: Random, latest: number, next: () => number): Buffer {
  if (latest < 0) return frame(frameTypes.headers, 4, next(), headerBlock(fields));
  const stream = 2 * random.below((latest + 1) / 2) + 1;
  const end = random.below(2);
  switch (random.below(50) === 0 ? 9 : random.below(9)) {
    case 0:
    case 1:
      return frame(frameTypes.headers, 4 | end, next(), headerBlock(fields));
    case 2:
      return frame(frameTypes.data, end, stream, Buffer.alloc(random.below(2000)));
    case 3:
      return frame(frameTypes.reset, 0, stream, Buffer.from([0, 0, 0, 8]));
    case 4:
      return frame(frameTypes.windowUpdate, 0, random.below(2) * stream, Buffer.from([0, 0, random.below(256), 1]));
    case 5:
      return settings([
        random.pick([
          [1, random.below(5000)],
          [2, 0],
          [3, 9],
          [4, random.below(70_000)],
          [5, 20_000],
          [77, 1],
        ] as const),
      ]);
    case 6:
      return frame(frameTypes.ping, 0, 0, Buffer.alloc(8));
    case 7:
      return frame(2, 0, stream, Buffer.from([0, 0, 0, 0, 1]));
    case 8:
      return frame(20 + random.below(200), random.below(256), stream, random.bytes(random.below(40)));
    default:
      return frame(random.below(12), random.below(256), stream, random.bytes(random.below(40)));
  }
}

/** A byte is changed, or the end is cut off. */
function mutated(bytes: Buffer, random: Random): Buffer {
  const copy = Buffer.from(bytes);
  if (random.below(4) === 0) return copy.subarray(0, random.below(copy.length));
  copy[random.below(copy.length)] = random.below(256);
  return copy;
}

test('whatever frames come, the connection answers or ends, and holds nothing when it is over', async () => {
  let requests = 0;
  for (let seed = 1; seed <= 400; seed++) {
    const random = new Random(seed);
    const [ours, theirs] = duplexPair();
    theirs.on('error', () => {});
    // Some do not read.
    if (seed % 5 > 0) theirs.resume();
    const handler = new Served(random);
    const connection = new Http2ServerConnection(ours, limits, shared, handler);
    let latest = -1;
    const next = (): number => (latest += 2);
    theirs.write(Buffer.concat([preface, settings()]));
    for (let count = 0; count < 60 && !connection.ending; count++) {
      const sound = soundFrame(random, latest, next);
      theirs.write(seed % 3 === 0 && random.below(10) === 0 ? mutated(sound, random) : sound);
      if (random.below(8) === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    assert.ok(handler.open <= limits.maxStreams);
    connection.destroy();
    await new Promise((resolve) => setImmediate(resolve));
    assert.ok(handler.isClosed, `seed ${seed}`);
    assert.equal(handler.open, 0, `seed ${seed}`);
    requests += handler.requests;
  }
  assert.ok(requests > 1000, String(requests));
});
