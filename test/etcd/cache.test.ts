import { after, before } from 'node:test';
import { runCacheBehaviour } from '../../src/storage/cache/behaviour/suite.ts';
import { openEtcdStorage } from '../../src/storage/drivers/etcd/etcd-storage.ts';
import { EtcdProcess } from './etcd-process.ts';

let etcd: EtcdProcess;
let cases = 0;
before(async () => {
  etcd = await EtcdProcess.start();
});
after(() => etcd[Symbol.asyncDispose]());

runCacheBehaviour('etcd', () => openEtcdStorage({ endpoints: [etcd.endpoint], keyPrefix: `/cache-${++cases}`, compactionIntervalMs: 0 }));
