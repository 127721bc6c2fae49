import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, constants } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ManualClock } from '../base/clock.ts';
import { GrpcError, statusCode } from '../base/grpc/status.ts';
import { silentLogger } from '../base/log.ts';
import { bytes, decode, encode, EtcdApi } from '../../test/support/etcd-api.ts';
import type { Plain } from '../../test/support/etcd-api.ts';
import type { EtcdServerConfig } from './server.ts';
import { EtcdServer } from './server.ts';

interface Started extends AsyncDisposable {
  readonly api: EtcdApi;
  readonly clock: ManualClock;
  readonly directory: string;
  readonly url: string;
  readonly server: EtcdServer;
}

async function start(directory?: string, more: Partial<EtcdServerConfig> = {}): Promise<Started> {
  const folder = directory ?? (await mkdtemp(join(tmpdir(), 'etcd-server-')));
  const clock = new ManualClock(1_700_000_000_000);
  const server = await EtcdServer.start({
    name: 'one',
    directory: folder,
    clientAddresses: [{ host: '127.0.0.1', port: 0, secure: false }],
    metricsAddresses: [],
    advertisedClientUrls: ['http://127.0.0.1:1'],
    peerUrls: [],
    tls: undefined,
    sync: false,
    progressIntervalMs: 1000,
    maxRequestBytes: 1 << 20,
    maxTxnOperations: 128,
    quotaBytes: 1 << 30,
    log: silentLogger,
    clock,
    ...more,
  });
  const url = `http://127.0.0.1:${server.ports[0]}`;
  const api = new EtcdApi(url);
  return {
    api,
    clock,
    directory: folder,
    url,
    server,
    async [Symbol.asyncDispose]() {
      api[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
      if (directory === undefined) await rm(folder, { recursive: true });
    },
  };
}

const all = { key: bytes('\0'), range_end: bytes('\0') };

function pairs(response: Plain, name = 'kvs'): string[] {
  return ((response[name] ?? []) as Plain[]).map(({ key, value = '' }) => `${String(key)}=${String(value)}`);
}

const revisionOf = ({ header }: Plain): string => String((header as Plain)['revision']);

async function failure(work: Promise<unknown>): Promise<string> {
  const error = await work.then(() => undefined).catch((caught: unknown) => caught);
  assert.ok(error instanceof GrpcError);
  return `${error.code} ${error.details}`;
}

test('keys are any bytes, ordered as bytes, and a past state can be read until it is compacted', async () => {
  await using etcd = await start();
  const { api } = etcd;
  for (const key of ['b', '\xff\xfe', 'a', '\x00\x01', 'é']) await api.call('Put', { key: bytes(key), value: bytes(key) });
  await api.call('DeleteRange', { key: bytes('a'), range_end: bytes('c') });
  const keys = async (more: Plain): Promise<string[]> =>
    pairs(await api.call('Range', { ...all, ...more })).map((one) => one.split('=')[0]!);
  assert.deepEqual(await keys({}), ['\x00\x01', 'é', '\xff\xfe']);
  assert.deepEqual(await keys({ revision: 4 }), ['a', 'b', '\xff\xfe']);
  assert.deepEqual(await keys({ sort_order: 2, sort_target: 3 }), ['é', '\x00\x01', '\xff\xfe']);
  assert.deepEqual(await keys({ limit: 1, keys_only: true }), ['\x00\x01']);
  await api.call('Compact', { revision: 5 });
  assert.equal(await failure(keys({ revision: 4 })), '11 etcdserver: mvcc: required revision has been compacted');
  assert.equal(await failure(keys({ revision: 40 })), '11 etcdserver: mvcc: required revision is a future revision');
  assert.equal(await failure(api.call('Compact', { revision: 5 })), '11 etcdserver: mvcc: required revision has been compacted');
});

test('a transaction compares with the state before it, changes at one revision, and its reads see its own writes', async () => {
  await using etcd = await start();
  const { api } = etcd;
  await api.call('Put', { key: bytes('a'), value: bytes('1') });
  const response = await api.call('Txn', {
    compare: [{ key: bytes('a'), target: 3, result: 0, value: bytes('1') }],
    success: [
      { put: { key: bytes('b'), value: bytes('2') } },
      { txn: { compare: [{ key: bytes('b'), target: 0, result: 0, version: 0 }], success: [{ delete_range: { key: bytes('a') } }] } },
      { range: all },
    ],
    failure: [{ put: { key: bytes('c'), value: bytes('3') } }],
  });
  assert.equal(response['succeeded'], true);
  assert.equal(revisionOf(response), '3');
  const [, nested, range] = response['responses'] as Plain[];
  assert.equal((nested!['txn'] as Plain)['succeeded'], true, 'b did not exist before');
  assert.deepEqual(pairs(range!['range'] as Plain), ['b=2']);
  const twice = { success: [{ put: { key: bytes('k') } }, { delete_range: { key: bytes('j'), range_end: bytes('l') } }] };
  assert.equal(await failure(api.call('Txn', twice)), '3 etcdserver: duplicate key given in txn request');
  assert.equal(await failure(api.call('Put', { key: bytes('z'), ignore_value: true })), '3 etcdserver: key not found');
  assert.equal(await failure(api.call('Put', { key: bytes('z'), value: Buffer.alloc(2 << 20) })).then((text) => text.slice(0, 2)), '8 ');
  assert.equal(
    await failure(api.call('Put', { key: bytes('z'), value: Buffer.alloc((1 << 20) + 1) })),
    '3 etcdserver: request is too large',
  );
});

test('many writers at once get revisions of their own, in an order that all of them agree on', async () => {
  await using etcd = await start();
  const { api } = etcd;
  const increment = async (): Promise<void> => {
    for (;;) {
      const { kvs } = await api.call('Range', { key: bytes('n') });
      const [kv] = (kvs ?? []) as Plain[];
      const next = bytes(String(Number(kv?.['value'] ?? 0) + 1));
      const compare = [{ key: bytes('n'), target: 2, result: 0, mod_revision: kv?.['mod_revision'] ?? 0 }];
      if ((await api.call('Txn', { compare, success: [{ put: { key: bytes('n'), value: next } }] }))['succeeded'] === true) return;
    }
  };
  await Promise.all(Array.from({ length: 20 }, increment));
  const response = await api.call('Range', { key: bytes('n') });
  assert.deepEqual(pairs(response), ['n=20']);
  assert.equal(revisionOf(response), '21');
});

test('a watch gets what happened since its revision, filtered, with previous values, and learns of progress and compaction', async () => {
  await using etcd = await start();
  const { api, clock } = etcd;
  await api.call('Put', { key: bytes('p/a'), value: bytes('1') });
  await api.call('Put', { key: bytes('q'), value: bytes('1') });
  using watch = await api.watch();
  await watch.send({ create: { key: bytes('p/'), range_end: bytes('p0'), start_revision: 2, prev_kv: true, progress_notify: true } });
  assert.equal((await watch.next())['created'], true);
  const kinds = ({ events }: Plain): string[] =>
    (events as Plain[]).map(
      ({ type = 0, kv, prev_kv: before }) =>
        `${String(type)} ${String((kv as Plain)['key'])} ${String((before as Plain | undefined)?.['value'])}`,
    );
  assert.deepEqual(kinds(await watch.next()), ['0 p/a undefined']);
  await api.call('Put', { key: bytes('p/a'), value: bytes('2') });
  assert.deepEqual(kinds(await watch.next()), ['0 p/a 1']);
  await api.call('DeleteRange', { key: bytes('p/a') });
  assert.deepEqual(kinds(await watch.next()), ['1 p/a 2']);
  await watch.send({ progress: {} });
  const progress = await watch.next();
  assert.deepEqual([progress['watch_id'], revisionOf(progress), progress['events']], ['-1', '5', undefined]);
  clock.advance(1000);
  clock.advance(1000);
  const report = await watch.next();
  assert.deepEqual([report['watch_id'] ?? '0', revisionOf(report)], ['0', '5']);
  await watch.send({ cancel: { watch_id: 0 } });
  assert.equal((await watch.next())['canceled'], true);
  await api.call('Compact', { revision: 4 });
  await watch.send({ create: { key: bytes('p/a'), start_revision: 2 } });
  assert.equal((await watch.next())['created'], true);
  const late = await watch.next();
  assert.deepEqual([late['canceled'], late['compact_revision']], [true, '4']);
  await watch.send({ create: { key: bytes('p/a'), start_revision: 4, filters: [1] } });
  assert.equal((await watch.next())['created'], true);
  assert.deepEqual(kinds(await watch.next()), ['0 p/a undefined'], 'the newest of the revision of the compaction is there');
});

test('a lease takes its keys with it when it is revoked or not kept alive, and is there after a restart', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'etcd-server-'));
  {
    await using etcd = await start(directory);
    const { api, clock } = etcd;
    for (const id of [7, 8, 9]) await api.call('LeaseGrant', { ID: id, TTL: 10 });
    assert.equal(await failure(api.call('LeaseGrant', { ID: 7, TTL: 10 })), '9 etcdserver: lease already exists');
    assert.equal(await failure(api.call('Put', { key: bytes('x'), lease: 6 })), '5 etcdserver: requested lease not found');
    for (const key of ['a', 'b']) await api.call('Put', { key: bytes(key), value: bytes('1'), lease: 7 });
    await api.call('Put', { key: bytes('c'), value: bytes('1'), lease: 8 });
    await api.call('Put', { key: bytes('d'), value: bytes('1'), lease: 9 });
    await api.call('Put', { key: bytes('b'), value: bytes('2') });
    assert.deepEqual((await api.call('LeaseTimeToLive', { ID: 7, keys: true }))['keys'], ['a']);
    const revision = revisionOf(await api.call('LeaseRevoke', { ID: 7 }));
    assert.equal(revision, '7', 'keys of a lease go in one revision');
    clock.advance(9000);
    const stream = await api.openStream('/etcdserverpb.Lease/LeaseKeepAlive');
    await stream.send(encode('LeaseKeepAliveRequest', { ID: 8 }));
    for await (const batch of stream) {
      assert.equal(decode('LeaseKeepAliveResponse', batch[0]!)['TTL'], '10');
      break;
    }
    clock.advance(2000);
    while (pairs(await api.call('Range', all)).length > 2);
    assert.deepEqual(pairs(await api.call('Range', all)), ['b=2', 'c=1']);
  }
  {
    await using etcd = await start(directory);
    const { api, clock } = etcd;
    assert.deepEqual((await api.call('LeaseLeases'))['leases'], [{ ID: '8' }]);
    assert.deepEqual(pairs(await api.call('Range', all)), ['b=2', 'c=1']);
    clock.advance(10_000);
    while (pairs(await api.call('Range', all)).length > 1);
  }
  await rm(directory, { recursive: true });
});

test('gRPC and plain HTTP share a port; what is not served is named', async () => {
  await using etcd = await start();
  const { api, url } = etcd;
  assert.equal(await (await fetch(`${url}/health`)).text(), '{"health":"true","reason":""}');
  assert.equal((await fetch(`${url}/readyz`)).status, 200);
  assert.equal((await fetch(`${url}/v3/kv/range`, { method: 'POST' })).status, 404);
  assert.match(await (await fetch(`${url}/metrics`)).text(), /^etcd_server_has_leader 1$/m);
  assert.equal(await failure(api.raw('/etcdserverpb.Auth/UserList')), '12 unknown service etcdserverpb.Auth');
  assert.equal(await failure(api.raw('/etcdserverpb.Cluster/MemberAdd')), '12 unknown method MemberAdd for service etcdserverpb.Cluster');
  assert.equal(await failure(api.raw('/etcdserverpb.KV/Put', Buffer.from([0x0a]))), '13 grpc: error unmarshalling request: unexpected EOF');
  const [member] = (await api.call('MemberList'))['members'] as Plain[];
  assert.deepEqual([member!['name'], member!['clientURLs']], ['one', ['http://127.0.0.1:1']]);
  assert.equal((await api.call('Alarm'))['alarms'], undefined);
});

test('a client that resets its calls at once does no harm to another', async () => {
  await using etcd = await start();
  const session = connect(etcd.url);
  session.on('error', () => {});
  for (let i = 0; i < 200; i++) {
    const stream = session.request({ ':method': 'POST', ':path': '/etcdserverpb.KV/Put', 'content-type': 'application/grpc' });
    stream.on('error', () => {});
    stream.write(Buffer.from([0, 0, 0]));
    stream.close(constants.NGHTTP2_CANCEL);
  }
  await etcd.api.call('Put', { key: bytes('a') });
  session.destroy();
  assert.equal((await etcd.api.call('Range', { key: bytes('a') }))['count'], '1');
});

test('a unary call that sends message after message is refused at the second one', async () => {
  await using started = await start();
  const session = connect(started.url);
  const call = session.request({
    ':method': 'POST',
    ':path': '/etcdserverpb.KV/Range',
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  const refused = Promise.withResolvers<unknown>();
  call.on('response', (headers) => refused.resolve(headers['grpc-status']));
  call.on('error', refused.reject);
  // The client has not finished: what it sends would be kept until it does.
  call.write(Buffer.alloc(5 * 1000));
  assert.equal(await refused.promise, String(statusCode.internal));
  call.close(constants.NGHTTP2_CANCEL);
  session.close();
});

test('a range of many megabytes comes whole, in one message or streamed', async () => {
  await using etcd = await start();
  const { api } = etcd;
  const value = Buffer.alloc(100_000, 'x');
  for (let i = 0; i < 50; i++) await api.call('Put', { key: bytes(`k${i}`), value });
  assert.equal(((await api.call('Range', all))['kvs'] as Plain[]).length, 50);
  const stream = await api.openStream('/etcdserverpb.KV/RangeStream');
  await stream.send(encode('RangeRequest', { ...all, limit: 49 }));
  stream.end();
  const chunks: Plain[] = [];
  for await (const batch of stream)
    for (const message of batch) chunks.push(decode('RangeStreamResponse', message)['range_response'] as Plain);
  assert.ok(chunks.length > 3);
  assert.equal(
    chunks.reduce((sum, { kvs }) => sum + ((kvs ?? []) as Plain[]).length, 0),
    49,
  );
  assert.deepEqual([chunks.at(-1)!['more'], chunks.at(-1)!['count']], [true, '50']);
});

test('a server that is asked to stop lets watches end, and what was acknowledged is there again', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'etcd-server-'));
  {
    await using etcd = await start(directory);
    const watch = await etcd.api.watch();
    await watch.send({ create: { key: bytes('a') } });
    await watch.next();
    await etcd.api.call('Put', { key: bytes('a'), value: bytes('1') });
    await watch.next();
    await etcd.server[Symbol.asyncDispose]();
    await assert.rejects(watch.next(), { code: statusCode.unavailable });
  }
  await using etcd = await start(directory);
  const response = await etcd.api.call('Range', { key: bytes('a') });
  assert.deepEqual([pairs(response), revisionOf(response)], [['a=1'], '2']);
  await rm(directory, { recursive: true });
});
