import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ActiveWatches } from './active-watches.ts';

test('without grace every watch ends at once, and one that comes later too', async () => {
  const watches = new ActiveWatches();
  const ended: string[] = [];
  const done = watches.add(() => ended.push('a'));
  watches.add(() => ended.push('b'));
  await watches.end(0);
  assert.deepEqual(ended, ['a', 'b']);
  done();
  watches.add(() => ended.push('late'));
  assert.deepEqual(ended, ['a', 'b', 'late']);
});

test('with grace watches end in turn, and the end is waited for', async () => {
  const watches = new ActiveWatches();
  const order: number[] = [];
  const turns = new Set<number>();
  let turn = 0;
  for (let index = 0; index < 100; index++) {
    const done: () => void = watches.add(() => {
      order.push(index);
      turns.add(turn);
      setImmediate(() => turn++);
      setImmediate(done);
    });
  }
  await watches.end(60_000);
  assert.deepEqual(order, [...order.keys()]);
  assert.equal(order.length, 100);
  assert.equal(watches.count, 0);
  assert.ok(turns.size > 1, 'not all in one turn of the event loop');
});

test('a watch that does not end is not waited for beyond the grace', async () => {
  const watches = new ActiveWatches();
  let asked = 0;
  watches.add(() => asked++);
  await watches.end(30);
  assert.ok(asked > 0);
  assert.equal(watches.count, 1);
});
