import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Semaphore } from './semaphore.ts';

test('only so many run at a time, in order, and a failure makes room too', async () => {
  const semaphore = new Semaphore(2);
  const started: number[] = [];
  let running = 0;
  let most = 0;
  const one = (index: number): Promise<number> =>
    semaphore.run(async () => {
      started.push(index);
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      if (index === 1) throw new Error('failed');
      return index;
    });
  const results = await Promise.allSettled([0, 1, 2, 3, 4].map(one));
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled'],
  );
  assert.deepEqual(started, [0, 1, 2, 3, 4]);
  assert.equal(most, 2);
});
