import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReceiveWindow } from './receive-window.ts';

test('what was read is given back when it is a quarter of the window', () => {
  const window = new ReceiveWindow(1000);
  const given = [100, 100, 100, 10].map((bytes) => {
    assert.ok(window.take(bytes));
    return window.give(bytes);
  });
  assert.deepEqual(given, [0, 0, 300, 0]);
});

test('a peer that has used up its window gets back what was read, however little', () => {
  const window = new ReceiveWindow(1000);
  assert.ok(window.take(1000));
  assert.ok(!window.take(1));
  assert.equal(window.give(1), 1);
  assert.ok(window.take(1));
});
