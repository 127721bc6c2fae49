import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '../../base/clock.ts';
import { EncodingCache } from './encoding-cache.ts';

const bytes = (): Buffer => Buffer.alloc(40);

function get(cache: EncodingCache, entry: object, encoding: string, make: () => Buffer): Buffer {
  const known = cache.find<Buffer>(entry, encoding);
  if (known !== undefined) return known;
  const made = make();
  cache.keep(entry, encoding, made);
  return made;
}

describe('EncodingCache', () => {
  test('makes an encoding once, as long as it is asked for', () => {
    const clock = new ManualClock();
    using cache = new EncodingCache(100, clock);
    const entry = {};
    let made = 0;
    const ask = (): Buffer => get(cache, entry, 'protobuf', () => (made++, bytes()));
    for (let i = 0; i < 10; i++) {
      ask();
      clock.advance(20_000);
    }
    assert.equal(made, 1);
    assert.equal(cache.size, 40);
  });

  test('forgets what is not asked for, and then needs no timer', () => {
    const clock = new ManualClock();
    using cache = new EncodingCache(100, clock);
    get(cache, {}, 'protobuf', bytes);
    clock.advance(120_000);
    assert.equal(cache.size, 0);
    assert.equal(clock.timers, 0);
  });

  test('forgets what was replaced at once, in both generations', () => {
    const clock = new ManualClock();
    using cache = new EncodingCache(200, clock);
    const [replaced, current] = [{}, {}];
    get(cache, replaced, 'protobuf', bytes);
    clock.advance(31_000);
    get(cache, replaced, 'rows', bytes);
    get(cache, current, 'rows', bytes);
    cache.forget(replaced);
    assert.equal(cache.size, 40);
    assert.equal(cache.find(replaced, 'protobuf'), undefined);
    assert.notEqual(cache.find(current, 'rows'), undefined);
  });

  test('tells encodings of one object apart', () => {
    using cache = new EncodingCache(100, new ManualClock());
    const entry = {};
    const one = get(cache, entry, 'protobuf', bytes);
    assert.notEqual(get(cache, entry, 'v2 json', bytes), one);
    assert.equal(get(cache, entry, 'protobuf', bytes), one);
  });

  test('keeps what it has when more is read than its budget has room for', () => {
    const clock = new ManualClock();
    using cache = new EncodingCache(100, clock);
    const entries = [{}, {}, {}];
    const made: number[] = [];
    for (let round = 0; round < 5; round++) {
      for (const [index, entry] of entries.entries()) get(cache, entry, 'protobuf', () => (made.push(index), bytes()));
      assert.ok(cache.size <= 100);
      clock.advance(31_000);
    }
    assert.deepEqual(made, [0, 1, 2, 2, 2, 2, 2]);
  });

  test('counts what takes the place of something else once', () => {
    using cache = new EncodingCache(100, new ManualClock());
    const entry = {};
    for (let round = 0; round < 5; round++) cache.keep(entry, 'run', bytes());
    assert.equal(cache.size, 40);
    assert.ok(cache.hasRoom(60));
    assert.ok(!cache.hasRoom(61));
  });
});
