import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Allowance, IdleBytes } from './allowance.ts';

test('an allowance is used up by a burst and comes back with time', () => {
  const allowance = new Allowance(10, 5, 0);
  assert.ok(allowance.take(10, 0));
  assert.ok(!allowance.take(1, 0));
  assert.ok(allowance.take(5, 2000));
  assert.ok(!allowance.take(11, 60_000));
});

test('bytes for no request are those beside bodies, what acknowledges what was read, and a little now and then', () => {
  const start = performance.now();
  const flooded = new IdleBytes();
  assert.ok(flooded.count(400_000, 0, start + 200) > 390_000);
  const uploading = new IdleBytes();
  assert.ok(uploading.count(400_000, 0, start + 200) > 390_000);
  uploading.forgive(400_000);
  assert.equal(uploading.count(400_000, 0, start + 200), 0);
  const reading = new IdleBytes();
  assert.equal(reading.count(400_000, 40_000_000, start + 200), 0);
  const asking = new IdleBytes();
  asking.forgive(390_000);
  assert.ok(asking.count(400_000, 0, start + 200) <= 10_000);
});
