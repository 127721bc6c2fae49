import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pace } from './pace.ts';
import { SliceQueue } from './slice-queue.ts';

test('those that rest are called back in their order, one in each turn of the event loop whose slice is used up', async () => {
  const slices = new SliceQueue(-1);
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

test('those that rest are called back in one turn of the event loop while its slice lasts, each when the one before it waits again', async () => {
  const slices = new SliceQueue(Infinity);
  const order: string[] = [];
  const work = async (name: string): Promise<void> => {
    await slices.rest();
    for (let step = 0; step < 3; step++) await Promise.resolve().then(() => order.push(name));
    await new Promise((resolve) => void setTimeout(resolve));
  };
  const all = Promise.all([work('a'), work('b'), work('c')]);
  await new Promise((resolve) => void setImmediate(resolve));
  await new Promise((resolve) => void setImmediate(resolve));
  assert.equal(order.join(''), 'aaabbbccc');
  await all;
});

test('what begins in one turn of the event loop shares one slice', async () => {
  const slices = new SliceQueue();
  const first = slices.end;
  await new Promise<void>((resolve) => process.nextTick(resolve));
  assert.equal(slices.end, first);
  await new Promise((resolve) => void setTimeout(resolve, 2));
  assert.notEqual(slices.end, first);
});

test('work that begins when the slice is used up has a little time, and a slice when it has rested', async () => {
  const slices = new SliceQueue(Infinity);
  const used = new SliceQueue(-1);
  const pace = new Pace(used);
  assert.ok(!pace.isDue);
  while (!pace.isDue);
  const other = new Pace(slices);
  await other.rest();
  assert.ok(!other.isDue);
});

test('what work owes is taken from the slice of its turn alone', async () => {
  const slices = new SliceQueue(60_000);
  const pace = new Pace(slices);
  pace.owe(59_000);
  assert.ok(!pace.isDue);
  pace.owe(1_001);
  assert.ok(pace.isDue);
  await pace.rest();
  assert.ok(!pace.isDue);
});
