import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestServer } from '../../test/support/grpc-server.ts';
import { RawClient } from '../../test/support/raw-client.ts';
import { GrpcError, statusCode } from '../base/grpc/status.ts';
import { StorageUnavailableError } from '../storage/storage.ts';
import { openEtcdStorage } from '../storage/drivers/etcd/etcd-storage.ts';
import { createMemoryStorage } from '../storage/drivers/memory/memory-storage.ts';
import { startApiServer } from '../index.ts';

const exceeded = 'etcdserver: mvcc: database space exceeded';

test('what an etcd without space says of a write is known to be its own words', async () => {
  const refuse = async (): Promise<void> => {
    throw new GrpcError(statusCode.resourceExhausted, exceeded);
  };
  await using etcd = new TestServer({
    '/etcdserverpb.KV/Range': async (call) => call.send(Buffer.alloc(0)),
    '/etcdserverpb.KV/Txn': refuse,
  });
  await using storage = await openEtcdStorage({ endpoints: [`http://127.0.0.1:${await etcd.listen()}`], compactionIntervalMs: 0 });
  await assert.rejects(storage.transact([{ type: 'put', key: '/a', value: Buffer.from('x') }]), (error) => {
    assert.ok(error instanceof StorageUnavailableError);
    assert.deepEqual([error.message, error.saidByStore, error.outcomeUnknown], [exceeded, true, false]);
    return true;
  });
});

test('a write for which etcd has no space gets the Status that upstream gives, and reads go on', { timeout: 60_000 }, async () => {
  await using storage = createMemoryStorage();
  await using server = await startApiServer({ storage });
  await using client = new RawClient(server);
  const transact = storage.transact.bind(storage);
  const path = '/api/v1/namespaces/default/configmaps';
  storage.transact = () => Promise.reject(new StorageUnavailableError(exceeded, { outcomeUnknown: false, saidByStore: true }));
  const { status, text } = await client.call('POST', path, { body: { metadata: { name: 'a' } } });
  assert.equal(status, 500);
  assert.deepEqual(JSON.parse(text), { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: exceeded, code: 500 });
  assert.equal((await client.call('GET', path)).status, 200);
  storage.transact = transact;
  assert.equal((await client.call('POST', path, { body: { metadata: { name: 'a' } } })).status, 201);
});
