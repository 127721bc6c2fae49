import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LeaseManager } from './lease-manager.ts';

function manager(options: { reuseDurationSeconds?: number; maxObjectCount?: number } = {}): {
  leases: LeaseManager;
  granted: number[];
  retired: number[];
  pass: (seconds: number) => void;
} {
  let now = 0;
  const granted: number[] = [];
  const retired: number[] = [];
  const leases = new LeaseManager({
    reuseDurationSeconds: 60,
    maxObjectCount: 1000,
    ...options,
    now: () => now,
    grant: async (ttl) => BigInt(granted.push(ttl)),
    onRetired: (count) => retired.push(count),
  });
  return { leases, granted, retired, pass: (seconds) => void (now += seconds * 1000) };
}

test('a lease is granted a little longer than asked, and shared until that is used up', async () => {
  const { leases, granted, pass } = manager();
  // Events live for an hour: 5 % of that is more than the limit of 60 seconds.
  assert.deepEqual(await Promise.all([leases.lease(3600), leases.lease(3600), leases.lease(3600)]), [1n, 1n, 1n]);
  assert.deepEqual(granted, [3660]);
  pass(59);
  assert.equal(await leases.lease(3600), 1n);
  pass(2);
  assert.equal(await leases.lease(3600), 2n);
});

test('a short time to live gets a share of five percent', async () => {
  const { leases, granted } = manager();
  await leases.lease(100);
  await leases.lease(10);
  assert.deepEqual(granted, [105, 10]);
});

test('a lease that lives much longer than asked is not used', async () => {
  const { leases, granted } = manager();
  await leases.lease(3600);
  await leases.lease(600);
  assert.deepEqual(granted, [3660, 630]);
});

test('a lease holds a limited number of keys', async () => {
  const { leases, retired } = manager({ maxObjectCount: 3 });
  const ids = await Promise.all(Array.from({ length: 7 }, () => leases.lease(3600)));
  assert.deepEqual(ids, [1n, 1n, 1n, 2n, 2n, 2n, 3n]);
  assert.deepEqual(retired, [1, 4, 4]);
});

test('a failed grant fails only who asked', async () => {
  let broken = true;
  const leases = new LeaseManager({
    reuseDurationSeconds: 60,
    maxObjectCount: 10,
    now: () => 0,
    grant: async () => {
      if (broken) throw new Error('no leader');
      return 7n;
    },
  });
  await assert.rejects(leases.lease(60), /no leader/);
  broken = false;
  assert.equal(await leases.lease(60), 7n);
  leases.forget(7n);
});
