import assert from 'node:assert/strict';
import { join } from 'node:path';
import { snapshotOfDirectory } from '../../src/storage/drivers/embedded/maintenance.ts';
import { openEtcdStorage } from '../../src/storage/drivers/etcd/etcd-storage.ts';
import { CompactedError } from '../../src/storage/storage.ts';
import { EtcdProcess } from '../etcd/etcd-process.ts';
import { attempt, command } from './command.ts';
import { makeSampleStore } from './sample-store.ts';

/** Where revisions cannot be kept: an etcd that is ahead, and a directory that is far ahead. */
export async function revisions(root: string): Promise<string> {
  const [directory, file, restored] = [join(root, 'ahead'), join(root, 'ahead.backup'), join(root, 'ahead-restored')];
  const { keys, revision } = await makeSampleStore(directory, 300);
  await using etcd = await EtcdProcess.start();
  await using storage = await openEtcdStorage({ endpoints: [etcd.endpoint], compactionIntervalMs: 0 });
  for (let i = 0; i < 100; i++) await storage.transact([{ type: 'put', key: '/other', value: Buffer.from('x') }]);
  const said = await command('migrate', '--from', directory, '--to', etcd.endpoint);
  assert.match(said, new RegExp(`${keys} keys at revision \\d+, \\d+ with the resourceVersion that they had, in the same order`));
  const state = (await snapshotOfDirectory(directory)).keyspace;
  const { items } = await storage.list('/registry/');
  const inOrder = items.toSorted((one, other) => one.modRevision - other.modRevision).map(({ key }) => state.get(key)!.modRevision);
  assert.deepEqual(
    inOrder,
    inOrder.toSorted((one, other) => one - other),
  );
  assert.ok((await storage.currentRevision()) > revision + 1, 'etcd is behind the directory');
  // The last revision of the directory means something else here: nothing goes on from it.
  await assert.rejects(storage.list('/registry/', { revision }), CompactedError);

  await command('backup', file, '--data-dir', directory);
  await command('restore', file, '--data-dir', restored);
  await using second = await EtcdProcess.start();
  const { code, err } = await attempt('migrate', '--from', restored, '--to', second.endpoint);
  assert.equal(code, 1);
  assert.match(err, /^Error: etcd is at revision 1, and \d+ revisions behind what clients may know; .*--skip-revisions[^\n]*\n$/);
  assert.match(await command('migrate', '--from', restored, '--to', second.endpoint, '--skip-revisions'), /in the same order/);
  return `${keys} keys in order, in an etcd that is ahead and from a directory that is`;
}
