import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pace } from './pace.ts';
import type { Paced } from './pace.ts';
import { until } from '../../../test/support/eventually.ts';

/** Sends a number of portions, one in each step. */
class Sender implements Paced {
  readonly #pace: Pace;
  readonly #bytes: number;
  left: number;

  constructor(pace: Pace, portions: number, bytes: number) {
    this.#pace = pace;
    this.left = portions;
    this.#bytes = bytes;
  }

  step(): void {
    this.left--;
    this.#pace.spend(this.#bytes);
    if (this.left > 0) this.#pace.run(this);
    else this.#pace.done(this);
  }
}

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test('what is little is sent at once', () => {
  const pace = new Pace();
  const sender = new Sender(pace, 2, 1000);
  pace.run(sender);
  assert.equal(sender.left, 0);
  assert.equal(pace.active, 0);
});

test('senders of much share each turn of the event loop, and all come to their end', async () => {
  const pace = new Pace();
  const senders = Array.from({ length: 50 }, () => new Sender(pace, 4, 256 << 10));
  for (const sender of senders) pace.run(sender);
  const sent = (): number => senders.reduce((sum, { left }) => sum + 4 - left, 0);
  let turns = 0;
  for (let before = -1; sent() < 200; turns++) {
    assert.ok(sent() - before <= 5, 'no turn sends more than a megabyte and the portion that exceeds it');
    before = sent();
    await turn();
  }
  assert.ok(turns >= 40);
  assert.equal(pace.active, 0);
});

test('one after the other has its step: a sender of little does not wait for those of much', async () => {
  const pace = new Pace();
  const large = Array.from({ length: 8 }, () => new Sender(pace, 100, 256 << 10));
  for (const sender of large) pace.run(sender);
  const small = new Sender(pace, 1, 100);
  pace.run(small);
  for (let turns = 0; turns < 4; turns++) await turn();
  assert.equal(small.left, 0);
  assert.ok(large.every(({ left }) => left > 90));
});

test('the more watches are behind, the less of each may wait for its client', () => {
  const pace = new Pace();
  const idle = { step: () => {} };
  pace.run(idle);
  assert.equal(pace.limit, 1 << 20);
  for (let index = 0; index < 255; index++) pace.run({ step: () => {} });
  assert.equal(pace.limit, 256 << 10);
  for (let index = 0; index < 5000; index++) pace.run({ step: () => {} });
  assert.equal(pace.limit, 64 << 10);
  pace.done(idle);
  assert.equal(pace.active, 5255);
});

test('while many clients are still to read, others wait, and not for long', async (context) => {
  const { mock: clock } = context.mock.method(performance, 'now', () => 1);
  const pace = new Pace();
  const unread = Array.from({ length: 16 }, () => ({ step: () => {} }));
  for (const paced of unread) {
    pace.run(paced);
    pace.waits(paced);
  }
  const [first, second] = [new Sender(pace, 1, 100), new Sender(pace, 1, 100)];
  pace.run(first);
  await turn();
  assert.equal(first.left, 1);
  pace.run(unread[0] as Paced);
  assert.equal(first.left, 0, 'one of them has read');
  pace.waits(unread[0] as Paced);
  pace.run(second);
  clock.restore();
  // Clients that do not read are waited for by their own watches alone.
  await until('the second has had its turns', () => second.left <= 0);
  assert.equal(pace.active, 16);
});
