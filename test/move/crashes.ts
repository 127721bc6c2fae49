import assert from 'node:assert/strict';
import { join } from 'node:path';
import { BackupReader } from '../../src/storage/drivers/embedded/backup.ts';
import { snapshotOfDirectory } from '../../src/storage/drivers/embedded/maintenance.ts';
import { openEmbeddedStorage } from '../../src/storage/drivers/embedded/open.ts';
import type { KeyValue } from '../../src/storage/storage.ts';
import { command, killed } from './command.ts';
import { makeSampleStore } from './sample-store.ts';

type State = readonly KeyValue[];

async function stateOf(directory: string): Promise<State> {
  return [...(await snapshotOfDirectory(directory)).keyspace.entries()].map(([, kv]) => kv);
}

function same(one: State, other: State): boolean {
  return (
    one.length === other.length &&
    one.every((kv, i) => kv.key === other[i]!.key && kv.modRevision === other[i]!.modRevision && kv.value.equals(other[i]!.value))
  );
}

async function stateOfBackup(file: string): Promise<State> {
  await using backup = await BackupReader.open(file);
  const found: KeyValue[] = [];
  for await (const records of backup.records()) for (const { kv } of records) found.push(kv!);
  return found;
}

/** Backup, compaction and restore are killed at any instant: the store has what it had, or all of the new state, and so has a backup. */
export async function crashes(root: string, rounds: number): Promise<string> {
  const directory = join(root, 'crashes');
  const file = join(root, 'crashes.backup');
  await makeSampleStore(directory, 20_000);
  await command('backup', file, '--data-dir', directory);
  const tally = { killed: 0, old: 0, new: 0 };
  const attemptKilled = async (...args: string[]): Promise<void> => {
    tally.killed += Number(await killed(100 + Math.random() * 500, ...args));
  };
  for (let round = 0; round < rounds; round++) {
    {
      await using storage = await openEmbeddedStorage({ directory });
      const value = Buffer.from(`round ${round} `.padEnd(2000, 'x'));
      const put = (i: number) => storage.transact([{ type: 'put', key: `/registry/configmaps/default/round-${i % 500}`, value }]);
      await Promise.all(Array.from({ length: 2000 }, (_, i) => put(i)));
    }
    // Acknowledged: it must be there until a restore has replaced all of it.
    const before = await stateOf(directory);
    await attemptKilled('compact', directory);
    assert.ok(same(await stateOf(directory), before), 'a compaction lost something');
    const older = await stateOfBackup(file);
    await attemptKilled('backup', file, '--data-dir', directory);
    const backedUp = await stateOfBackup(file);
    assert.ok(same(backedUp, older) || same(backedUp, before), 'a backup is neither the old one nor the new one');
    assert.ok(same(await stateOf(directory), before), 'a backup changed something');
    {
      await using storage = await openEmbeddedStorage({ directory });
      await storage.transact([{ type: 'put', key: `/registry/configmaps/default/last-${round}`, value: Buffer.from('{}') }]);
    }
    const last = await stateOf(directory);
    await attemptKilled('restore', file, '--data-dir', directory, '--replace');
    const after = await stateOf(directory);
    assert.ok(same(after, last) || same(after, backedUp), 'a restore left a mix of old and new');
    tally[same(after, last) ? 'old' : 'new']++;
    await command('verify', directory);
  }
  const ends = `after a restore ${tally.old} times the old state, ${tally.new} times the new one`;
  return `${rounds} rounds, ${tally.killed} of ${rounds * 3} killed; ${ends}; nothing lost`;
}
