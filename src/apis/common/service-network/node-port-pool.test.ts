import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MetricsRegistry } from '../../../base/metrics.ts';
import { createMemoryStorage } from '../../../storage/drivers/memory/memory-storage.ts';
import type { Storage } from '../../../storage/storage.ts';
import { nodePortMetrics } from './allocator-metrics.ts';
import { NodePortPool } from './node-port-pool.ts';
import type { NodePortOperation } from './node-port-pool.ts';
import { readPorts } from './range-allocation.ts';

const range = { first: 30000, size: 20 };

async function commit(storage: Storage, operation: NodePortOperation): Promise<boolean> {
  try {
    return (await storage.transact(await operation.operations())).succeeded;
  } finally {
    operation.finish();
  }
}

async function taken(storage: Storage, pool: NodePortPool): Promise<number[]> {
  return [...(await readPorts(storage, pool.key, range)).ports.taken()];
}

test('a port is taken when it is written, and free again when it is given back', async () => {
  await using storage = createMemoryStorage();
  const pool = new NodePortPool(range, '/registry');
  const first = pool.begin(storage, false);
  await first.allocate(30003);
  assert.deepEqual(await taken(storage, pool), []);
  await assert.rejects(pool.begin(storage, false).allocate(30003), { message: 'provided port is already allocated' });
  assert.equal(await commit(storage, first), true);
  assert.deepEqual(await taken(storage, pool), [30003]);

  const second = pool.begin(storage, false);
  second.release(30003);
  await commit(storage, second);
  assert.deepEqual(await taken(storage, pool), []);
});

test('an operation that comes to nothing leaves nothing behind', async () => {
  await using storage = createMemoryStorage();
  const pool = new NodePortPool(range, '/registry');
  const given = pool.begin(storage, false);
  const port = await given.allocateNext();
  given.finish();
  const next = pool.begin(storage, false);
  await next.allocate(port);
  next.finish();
});

test('any port comes from the upper part until that is used up', async () => {
  await using storage = createMemoryStorage();
  const pool = new NodePortPool(range, '/registry');
  const operation = pool.begin(storage, false);
  const ports: number[] = [];
  for (let index = 0; index < range.size; index++) ports.push(await operation.allocateNext());
  assert.deepEqual(ports.slice(0, 4).toSorted(), [30016, 30017, 30018, 30019]);
  assert.equal(new Set(ports).size, range.size);
  await assert.rejects(operation.allocateNext(), { message: 'range is full' });
  operation.finish();
});

test('a port outside the range is refused, but not in a dry run', async () => {
  await using storage = createMemoryStorage();
  const pool = new NodePortPool(range, '/registry');
  const message = 'provided port is not in the valid range. The range of valid ports is 30000-30019';
  await assert.rejects(pool.begin(storage, false).allocate(80), { message });
  await pool.begin(storage, true).allocate(80);
});

test('what another server took meanwhile makes the write fail, so that it starts again', async () => {
  await using storage = createMemoryStorage();
  const [ours, theirs] = [new NodePortPool(range, '/registry'), new NodePortPool(range, '/registry')];
  const operation = ours.begin(storage, false);
  await operation.allocate(30005);
  const other = theirs.begin(storage, false);
  await other.allocate(30005);
  assert.equal(await commit(storage, other), true);
  assert.equal(await commit(storage, operation), false);
});

test('ports that are given, and those that cannot be, are counted', async () => {
  await using storage = createMemoryStorage();
  const metrics = nodePortMetrics(new MetricsRegistry());
  const pool = new NodePortPool(range, '/registry', metrics);
  const operation = pool.begin(storage, false);
  await operation.allocate(30003);
  await operation.allocateNext();
  await assert.rejects(operation.allocate(30003));
  await storage.transact(await operation.operations());
  operation.finish(true);
  await pool.begin(storage, true).allocateNext();
  assert.deepEqual([metrics.allocations.with('static').value, metrics.allocations.with('dynamic').value], [1, 1]);
  assert.deepEqual([metrics.errors.with('static').value, metrics.errors.with('dynamic').value], [1, 0]);
  assert.deepEqual([metrics.allocated.value, metrics.available.value], [2, 18]);
});
