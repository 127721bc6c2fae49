import assert from 'node:assert/strict';
import { join } from 'node:path';
import { snapshotOfDirectory } from '../../src/storage/drivers/embedded/maintenance.ts';
import type { Snapshot } from '../../src/storage/mvcc/snapshot.ts';
import { EtcdProcess } from '../etcd/etcd-process.ts';
import { command, interrupted, killed } from './command.ts';
import { makeSampleStore } from './sample-store.ts';

/** Leases of etcd are a little longer than asked for. */
const graceMs = 120_000;

/** Every key with the same bytes, revision and end of life. */
export function assertEqual(before: Snapshot, now: Snapshot): void {
  assert.equal(now.keyspace.size, before.keyspace.size);
  const ends = new Map(now.deadlines.range().map(({ key, at }) => [key, at]));
  for (const [key, kv] of before.keyspace.entries()) {
    const moved = now.keyspace.get(key);
    assert.ok(moved !== undefined, `${key} is gone`);
    assert.equal(moved.value.toString(), kv.value.toString(), key);
    assert.equal(moved.modRevision, kv.modRevision, key);
  }
  assert.equal(now.deadlines.size, before.deadlines.size);
  for (const { key, at } of before.deadlines.range())
    assert.ok(Math.abs((ends.get(key) ?? 0) - at) < graceMs, `${key} ends at another time`);
}

/** Embedded to etcd to embedded, without and with interruptions. */
export async function roundTrip(root: string, objects: number, kills: number): Promise<string> {
  const [from, to] = [join(root, `from-${kills}`), join(root, `to-${kills}`)];
  const { keys } = await makeSampleStore(from, objects);
  await using etcd = await EtcdProcess.start({ flags: ['--quota-backend-bytes=4294967296'] });
  const began = performance.now();
  const there = ['migrate', '--from', from, '--to', etcd.endpoint];
  let ends = 0;
  // By turns, so that each is followed by the other.
  const end = (i: number): typeof killed => (i % 2 === 0 ? killed : interrupted);
  for (let i = 0; i < kills; i++) ends += Number(await end(i)(2000 + Math.random() * (objects / 10), ...there));
  await command(...there);
  const arrived = performance.now();
  const back = ['migrate', '--from', etcd.endpoint, '--to', to];
  for (let i = 0; i < kills; i++) ends += Number(await end(i)(1000 + Math.random() * (objects / 25), ...back));
  await command(...back);
  const ended = performance.now();
  assertEqual(await snapshotOfDirectory(from), await snapshotOfDirectory(to));
  const seconds = [arrived - began, ended - arrived].map((ms) => (ms / 1000).toFixed(0));
  return `${keys} keys, ${ends} times killed or interrupted; ${seconds[0]} s to etcd, ${seconds[1]} s back: all equal, revisions too`;
}
