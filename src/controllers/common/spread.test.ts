import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Spread } from './spread.ts';

test('Spread passes on a few at once, and many in slices and in their order', async () => {
  const taken: number[] = [];
  const spread = new Spread<number>((key) => taken.push(key));
  for (let key = 0; key < 2500; key++) spread.add(key);
  assert.equal(taken.length, 1000);
  await turn();
  spread.add(2500);
  assert.equal(taken.length, 2000);
  await turn();
  await turn();
  assert.deepEqual(taken, [...Array(2501).keys()]);
  spread.add(2501);
  assert.equal(taken.length, 2502);
});
