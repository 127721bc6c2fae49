import { after, before } from 'node:test';
import { runStorageBehaviour } from '../../src/storage/behaviour/behaviour.ts';
import { openEtcdStorage } from '../../src/storage/drivers/etcd/etcd-storage.ts';
import { EtcdProcess } from './etcd-process.ts';

let etcd: EtcdProcess;
let cases = 0;
before(async () => {
  etcd = await EtcdProcess.start();
});
after(() => etcd[Symbol.asyncDispose]());

runStorageBehaviour('etcd', async () => {
  const storage = await openEtcdStorage({ endpoints: [etcd.endpoint], keyPrefix: `/case-${++cases}`, compactionIntervalMs: 0 });
  return { storage, watchers: () => storage.watchers };
});
