import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, constants } from 'node:http2';
import type { ClientHttp2Session, ClientHttp2Stream, OutgoingHttpHeaders } from 'node:http2';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestServer } from '../testing/index.ts';
import { startTestServer } from '../testing/index.ts';
import { RawClient } from '../../test/support/raw-client.ts';
import { until } from '../../test/support/eventually.ts';

test('answers say by uid which flow schema and priority level the request was of, once those are known', { timeout: 60_000 }, async () => {
  await using server = await startTestServer({ controllers: false });
  await using client = new RawClient(server);
  const schemas = '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas';
  const exempt = await client.json<{ metadata: { uid: string } }>('GET', `${schemas}/exempt`);
  const uidOf = async (path: string, as: 'admin' | 'nobody'): Promise<unknown> =>
    (await client.call('GET', path, { as })).headers['x-kubernetes-pf-flowschema-uid'];
  await until('flow schemas are followed', async () => (await uidOf('/api/v1/pods', 'admin')) === exempt.metadata.uid);
  const { headers } = await client.call('GET', '/api/v1/pods');
  assert.match(String(headers['x-kubernetes-pf-prioritylevel-uid']), /^[0-9a-f-]{36}$/);
  const probes = await client.json<{ metadata: { uid: string } }>('GET', `${schemas}/probes`);
  assert.equal(await uidOf('/healthz', 'nobody'), probes.metadata.uid);
});

describe('a level of few seats', { timeout: 120_000 }, () => {
  const api = '/apis/flowcontrol.apiserver.k8s.io/v1';
  const objects = '/api/v1/namespaces/default/configmaps';
  let server: TestServer;
  let client: RawClient;
  let session: ClientHttp2Session;

  /** One request of a user of the level. */
  const ask = (user: string, path: string, more: OutgoingHttpHeaders = {}): ClientHttp2Stream => {
    const stream = session.request({ ':path': path, 'impersonate-user': user, ...more }, { endStream: more[':method'] === undefined });
    stream.on('error', () => {}); // it is looked at by its status, or not at all
    return stream;
  };
  const statusOf = async (stream: ClientHttp2Stream): Promise<number> => {
    const [headers] = (await once(stream, 'response')) as [Record<string, string>];
    stream.resume();
    return Number(headers[':status']);
  };
  /** Requests of the level that wait, that are served, and the seats in use. */
  const inLevel = async (): Promise<{ waiting: number; executing: number; seats: number }> => {
    const rows = async (page: string): Promise<string[][]> =>
      (await client.call('GET', `/debug/api_priority_and_fairness/${page}`)).text
        .split('\n')
        .map((line) => line.split(',').map((cell) => cell.trim()))
        .filter(([name]) => name === 'few');
    const [[, , , , waiting, executing] = []] = await rows('dump_priority_levels');
    const seats = (await rows('dump_queues')).reduce((sum, row) => sum + Number(row[4]), 0);
    return { waiting: Number(waiting), executing: Number(executing), seats };
  };

  before(async () => {
    server = await startTestServer({ controllers: false });
    client = new RawClient(server);
    const post = async (path: string, object: unknown): Promise<void> => {
      const { status, text } = await client.call('POST', path, { body: object });
      assert.equal(status, 201, text);
    };
    const limited = { nominalConcurrencyShares: 1, lendablePercent: 0, borrowingLimitPercent: 0 };
    const queuing = { queues: 16, handSize: 1, queueLengthLimit: 100 };
    await post(`${api}/prioritylevelconfigurations`, {
      metadata: { name: 'few' },
      spec: { type: 'Limited', limited: { ...limited, limitResponse: { type: 'Queue', queuing } } },
    });
    await post(`${api}/flowschemas`, {
      metadata: { name: 'few' },
      spec: {
        priorityLevelConfiguration: { name: 'few' },
        matchingPrecedence: 500,
        distinguisherMethod: { type: 'ByUser' },
        rules: [
          {
            subjects: ['jo', 'ann'].map((name) => ({ kind: 'User', user: { name } })),
            resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
          },
        ],
      },
    });
    await post('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      metadata: { name: 'few' },
      subjects: [{ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'system:authenticated' }],
      roleRef: { kind: 'ClusterRole', apiGroup: 'rbac.authorization.k8s.io', name: 'cluster-admin' },
    });
    for (let index = 0; index < 100; index++)
      await post(objects, { metadata: { name: `object-${index}` }, data: { text: 'x'.repeat(20_000) } });
    session = connect(server.url, { ca: server.authority.certificate, cert: server.admin.certificate, key: server.admin.key });
    session.on('error', () => {}); // what was asked on it fails
    const uid = async (): Promise<unknown> => {
      const stream = ask('jo', `${objects}/object-1`);
      const [headers] = (await once(stream, 'response')) as [Record<string, string>];
      stream.resume();
      return headers['x-kubernetes-pf-flowschema-uid'];
    };
    const { metadata } = await client.json<{ metadata: { uid: string } }>('GET', `${api}/flowschemas/few`);
    await until('the schema is followed', async () => (await uid()) === metadata.uid);
  });

  after(async () => {
    session.destroy();
    await client[Symbol.asyncDispose]();
    await server.stop();
  });

  test('serves others beside lists and watches whose client never reads', async () => {
    const unread = Array.from({ length: 20 }, () => ask('jo', objects).pause());
    const watches = Array.from({ length: 10 }, () =>
      ask('jo', `${objects}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`).pause(),
    );
    await until('lists wait for seats', async () => (await inLevel()).waiting > 0);
    // Until its deadline a list would hold its seats for a minute; a quarter of that is the most that a request waits.
    for (let count = 0; count < 3; count++) assert.equal(await statusOf(ask('ann', `${objects}/object-1`)), 200);
    for (const stream of [...unread, ...watches]) stream.close(constants.NGHTTP2_CANCEL);
    await until('nothing is left', async () => JSON.stringify(await inLevel()) === '{"waiting":0,"executing":0,"seats":0}');
  });

  test('turns away what has waited for a quarter of its time', async () => {
    const unread = Array.from({ length: 10 }, () => ask('jo', objects).pause());
    await until('lists wait for seats', async () => (await inLevel()).waiting > 0);
    const late = ask('jo', `${objects}?timeout=200ms`);
    const [headers] = (await once(late, 'response')) as [Record<string, string>];
    assert.equal(headers[':status'], 429);
    // More than one second where many were turned away in the last.
    assert.match(String(headers['retry-after']), /^[1-9]\d*$/);
    for (const stream of unread) stream.close(constants.NGHTTP2_CANCEL);
    await until('nothing is left', async () => JSON.stringify(await inLevel()) === '{"waiting":0,"executing":0,"seats":0}');
  });

  test('keeps no seat of clients that go while they wait, are served or send', async () => {
    for (let round = 0; round < 10; round++) {
      const lists = Array.from({ length: 8 }, () => ask('jo', objects).pause());
      const uploads = Array.from({ length: 4 }, () => {
        const upload = ask('jo', objects, { ':method': 'POST', 'content-type': 'application/json' });
        upload.write('{"metadata":{"name":"half');
        return upload;
      });
      await sleep(round * 3);
      for (const stream of [...uploads, ...lists]) stream.close(constants.NGHTTP2_CANCEL);
    }
    await until('nothing is left', async () => JSON.stringify(await inLevel()) === '{"waiting":0,"executing":0,"seats":0}');
    assert.equal(await statusOf(ask('ann', `${objects}/object-1`)), 200);
  });
});
