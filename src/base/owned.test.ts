import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Owned } from './owned.ts';

test('Owned closes the last first, one after the other, and once', async () => {
  const closed: string[] = [];
  const owned = new Owned();
  owned.use({ [Symbol.dispose]: () => void closed.push('first') });
  owned.defer(() => closed.push('second'));
  owned.use({
    [Symbol.asyncDispose]: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      closed.push('third');
    },
  });
  await owned[Symbol.asyncDispose]();
  await owned[Symbol.asyncDispose]();
  assert.deepEqual(closed, ['third', 'second', 'first']);
});

test('Owned closes the others when one fails, and throws what failed', async () => {
  const closed: string[] = [];
  const owned = new Owned();
  owned.defer(() => closed.push('first'));
  owned.defer(() => Promise.reject(new Error('second')));
  await assert.rejects(owned[Symbol.asyncDispose](), { message: 'second' });
  assert.deepEqual(closed, ['first']);
  for (const message of ['a', 'b']) owned.defer(() => Promise.reject(new Error(message)));
  await assert.rejects(owned[Symbol.asyncDispose](), AggregateError);
});
