import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pace } from './pace.ts';
import { SliceQueue } from './slice-queue.ts';

test('those that rest are called back in their order, one in each turn of the event loop', async () => {
  const slices = new SliceQueue();
  const order: string[] = [];
  const work = async (name: string): Promise<void> => {
    for (let slice = 0; slice < 3; slice++) {
      await slices.rest();
      order.push(name);
    }
  };
  const all = Promise.all([work('a'), work('b')]);
  for (let turn = 1; turn <= 6; turn++) {
    await new Promise((resolve) => void setImmediate(resolve));
    assert.ok(order.length <= turn, `${order.join('')} after ${turn} turns`);
  }
  await all;
  assert.equal(order.join(''), 'ababab');
});

test('a pace that shares slices rests in their queue', async () => {
  const pace = new Pace(new SliceQueue(), 0);
  assert.ok(pace.isDue);
  await pace.rest();
  await pace.rest();
});
