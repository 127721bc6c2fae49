import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { ManualClock } from '../base/clock.ts';
import { RepeatedCheck } from './repeated-check.ts';

function repeated(check: () => boolean | Promise<boolean>): { clock: ManualClock; looks: () => number; one: RepeatedCheck } {
  const clock = new ManualClock();
  let looks = 0;
  const one = new RepeatedCheck({
    check: async () => {
      looks++;
      return check();
    },
    failed: () => {},
    everyMs: 1000,
    afterFailureMs: 100,
    clock,
  });
  return { clock, looks: () => looks, one };
}

test('what is well is looked at again after a while', async () => {
  const { clock, looks, one } = repeated(() => true);
  one.request();
  await turn();
  clock.advance(999);
  await turn();
  assert.equal(looks(), 1);
  clock.advance(1);
  await turn();
  assert.equal(looks(), 2);
});

test('what is bad is looked at sooner, and later each time', async () => {
  const { clock, looks, one } = repeated(() => {
    throw new Error('bad');
  });
  one.request();
  await turn();
  for (const delay of [100, 200, 400, 800, 1000, 1000]) {
    const before = looks();
    clock.advance(delay - 1);
    await turn();
    assert.equal(looks(), before);
    clock.advance(1);
    await turn();
    assert.equal(looks(), before + 1);
  }
  one.restart();
  await turn();
  clock.advance(100);
  await turn();
  assert.equal(looks(), 9);
});

test('requests during a look ask for one more, and none follows the end', async () => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const { clock, looks, one } = repeated(() => promise);
  one.request();
  one.request();
  one.request();
  assert.equal(looks(), 1);
  resolve(true);
  await turn();
  assert.equal(looks(), 2);
  one[Symbol.dispose]();
  clock.advance(10_000);
  await turn();
  assert.equal(looks(), 2);
});
