import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { EtcdClient } from '../../src/storage/drivers/etcd/client.ts';
import { compactOnce } from '../../src/storage/drivers/etcd/compactor.ts';
import { openEtcdStorage } from '../../src/storage/drivers/etcd/etcd-storage.ts';
import { CompactedError, StorageUnavailableError, ValueTooLargeError } from '../../src/storage/storage.ts';
import { until } from '../support/eventually.ts';
import { EtcdProcess } from './etcd-process.ts';

const run = promisify(execFile);

let etcd: EtcdProcess;
before(async () => {
  etcd = await EtcdProcess.start();
});
after(() => etcd[Symbol.asyncDispose]());

test('an endpoint where nobody answers fails the start in time, with one clear line', async () => {
  await assert.rejects(openEtcdStorage({ endpoints: ['http://127.0.0.1:1'], initializationTimeoutMs: 300 }), (error) => {
    assert.ok(error instanceof StorageUnavailableError);
    assert.equal(
      error.message,
      'etcd at http://127.0.0.1:1 did not answer within 0.3s: context deadline exceeded: connect ECONNREFUSED 127.0.0.1:1',
    );
    return true;
  });
  await assert.rejects(openEtcdStorage({ endpoints: ['ftp://x'] }), /invalid endpoint "ftp:\/\/x"/);
});

test('servers that share an etcd compact in turns, to the revision of their last look', async () => {
  const clients = Array.from(
    { length: 2 },
    () => new EtcdClient({ endpoints: [etcd.endpoint], requestTimeoutMs: 5000, decodeKey: (bytes) => bytes.toString() }),
  );
  const [one, two] = clients as [EtcdClient, EtcdClient];
  await using storage = await openEtcdStorage({ endpoints: [etcd.endpoint], compactionIntervalMs: 0 });
  const put = (): Promise<unknown> => storage.transact([{ type: 'put', key: '/compaction/a', value: Buffer.from('x') }]);
  await put();
  const first = await compactOnce(one, { time: 0, revision: 0 });
  assert.equal(first.compacted, 0, 'nothing is compacted at first sight');
  const other = await compactOnce(two, { time: 0, revision: 0 });
  assert.equal(other.compacted, 0);
  assert.equal(other.next.time, first.next.time, 'the other takes note of the time');
  await put();
  await put();
  const second = await compactOnce(one, first.next);
  assert.equal(second.compacted, first.next.revision);
  const late = await compactOnce(two, other.next);
  assert.equal(late.compacted, second.compacted, 'whoever comes late learns how far the other compacted');
  await assert.rejects(storage.list('/compaction/', { revision: second.compacted - 1 }), CompactedError);
  assert.equal((await storage.list('/compaction/', { revision: second.compacted })).items.length, 1);
  const takeover = await compactOnce(two, late.next);
  assert.equal(takeover.compacted, late.next.revision, 'when one is gone, the other goes on');
  for (const client of clients) client[Symbol.dispose]();
});

test('the background compactor does the same by the clock', async () => {
  const compacted: number[] = [];
  await using storage = await openEtcdStorage({
    endpoints: [etcd.endpoint],
    compactionIntervalMs: 50,
    onCompacted: (revision) => compacted.push(revision),
    onCompactionError: (error) => assert.fail(String(error)),
  });
  for (let i = 0; i < 200 && compacted.length < 4; i++) {
    await storage.transact([{ type: 'put', key: '/compaction/b', value: Buffer.from('x') }]);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.ok(compacted.length >= 4 && compacted.at(-1)! > compacted[0]!, String(compacted));
});

function statesOf(pid: number): (string | undefined)[] {
  const folder = `/proc/${pid}/task`;
  return readdirSync(folder).map((task) => /\) (\S)/.exec(readFileSync(join(folder, task, 'stat'), 'utf8'))?.[1]);
}

test('a write that etcd refuses did surely not happen; one that breaks off is of unknown outcome', async () => {
  await using storage = await openEtcdStorage({ endpoints: [etcd.endpoint], compactionIntervalMs: 0, requestTimeoutMs: 3000 });
  const tooLarge = { type: 'put', key: '/errors/a', value: Buffer.alloc(2_000_000) } as const;
  const refused = await storage.transact([tooLarge]).catch((error: unknown) => error);
  assert.ok(refused instanceof ValueTooLargeError);
  assert.equal(refused.message, 'etcdserver: request is too large');
  await using own = await EtcdProcess.start();
  await using doomed = await openEtcdStorage({ endpoints: [own.endpoint], compactionIntervalMs: 0, requestTimeoutMs: 500 });
  own.signal('SIGSTOP');
  // Each thread stops when it runs next: on a busy machine one of them may still serve.
  await until('all threads of etcd are stopped', () => statesOf(own.pid as number).every((state) => state === 'T'));
  const broken = await doomed.transact([{ type: 'put', key: '/errors/b', value: Buffer.from('x') }]).catch((error: unknown) => error);
  assert.ok(broken instanceof StorageUnavailableError);
  assert.equal(broken.outcomeUnknown, true);
  await own.stop();
  const unsent = await doomed.transact([{ type: 'put', key: '/errors/c', value: Buffer.from('x') }]).catch((error: unknown) => error);
  assert.ok(unsent instanceof StorageUnavailableError);
  assert.equal(unsent.outcomeUnknown, false, 'nobody was there to take it');
  await assert.rejects(doomed.health(), /^StorageUnavailableError: error getting data from etcd: context deadline exceeded/);
});

test('status() tells version and size of the database', async () => {
  await using storage = await openEtcdStorage({ endpoints: [etcd.endpoint], compactionIntervalMs: 0 });
  const status = await storage.status(etcd.endpoint);
  assert.match(status.version, /^3\.\d+\.\d+/);
  assert.ok(status.databaseSize > 0);
});

test('TLS with a CA and a client certificate; wrong ones are refused with the reason', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'etcd-tls-'));
  const at = (name: string): string => join(folder, name);
  const openssl = (...args: string[]): Promise<unknown> => run('openssl', args, { cwd: folder });
  for (const ca of ['ca', 'other']) {
    await openssl(
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      `${ca}.key`,
      '-out',
      `${ca}.crt`,
      '-subj',
      `/CN=${ca}`,
      '-days',
      '1',
    );
  }
  await writeFile(at('san'), 'subjectAltName=IP:127.0.0.1\nextendedKeyUsage=serverAuth,clientAuth\n');
  for (const name of ['server', 'client']) {
    await openssl('req', '-newkey', 'rsa:2048', '-nodes', '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`);
    await openssl(
      'x509',
      '-req',
      '-in',
      `${name}.csr`,
      '-CA',
      'ca.crt',
      '-CAkey',
      'ca.key',
      '-CAcreateserial',
      '-out',
      `${name}.crt`,
      '-extfile',
      'san',
      '-days',
      '1',
    );
  }
  await using secure = await EtcdProcess.start({
    scheme: 'https',
    flags: [`--cert-file=${at('server.crt')}`, `--key-file=${at('server.key')}`, `--trusted-ca-file=${at('ca.crt')}`, '--client-cert-auth'],
  });
  const tls = { caFile: at('ca.crt'), certFile: at('client.crt'), keyFile: at('client.key') };
  const open = (options: typeof tls | { caFile: string }): ReturnType<typeof openEtcdStorage> =>
    openEtcdStorage({ endpoints: [secure.endpoint], tls: options, compactionIntervalMs: 0, initializationTimeoutMs: 1500 });
  await using storage = await open(tls);
  assert.ok((await storage.transact([{ type: 'put', key: '/tls', value: Buffer.from('x') }])).succeeded);
  await assert.rejects(open({ ...tls, caFile: at('other.crt') }), /did not answer within 1\.5s: .*(self-signed|unable to verify|issuer)/);
  await assert.rejects(open({ caFile: at('ca.crt') }), /did not answer within 1\.5s/);
  await assert.rejects(open({ ...tls, certFile: at('missing.crt') }), /did not answer within 1\.5s: .*missing\.crt/);
  await rm(folder, { recursive: true });
});
