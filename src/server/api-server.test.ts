import assert from 'node:assert/strict';
import { connect } from 'node:http2';
import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2';
import { once } from 'node:events';
import { test } from 'node:test';
import { startTestServer } from '../testing/index.ts';
import { RawClient } from '../../test/support/raw-client.ts';

const watching = '/api/v1/configmaps?watch=1';

test('a server that stops ends watches as if their time was over, and waits for no idle connection', async () => {
  const server = await startTestServer({ controllers: false });
  await using idle = new RawClient(server);
  await idle.call('GET', '/version');
  const session = connect(server.url, { ca: server.authority.certificate, cert: server.admin.certificate, key: server.admin.key });
  const openWatch = async (): Promise<ClientHttp2Stream> => {
    const stream = session.request({ ':path': watching });
    await once(stream, 'response');
    return stream.resume();
  };
  const streams = [await openWatch(), await openWatch()];
  const ended = streams.map(async (stream) => {
    await once(stream, 'close');
    return stream.rstCode;
  });
  const goingAway = once(session, 'goaway');
  const stopped = server.stop();
  await goingAway;
  // A client that comes back at once finds the connection closed for new requests, and tries another.
  assert.ok(session.closed);
  assert.deepEqual(await Promise.all(ended), [0, 0]);
  await stopped;
});

test('whoever does not say who they are gets one HTTP/2 request for each connection', async () => {
  await using server = await startTestServer({ controllers: false });
  const ask = async (session: ClientHttp2Session): Promise<number> => {
    const stream = session.request({ ':path': '/version' });
    const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
    assert.equal(headers['connection'], undefined);
    await once(stream.resume(), 'close');
    return Number(headers[':status']);
  };
  const stranger = connect(server.url, { ca: server.authority.certificate });
  const goingAway = once(stranger, 'goaway');
  assert.equal(await ask(stranger), 200);
  await goingAway;
  assert.ok(stranger.closed);
  const admin = connect(server.url, { ca: server.authority.certificate, cert: server.admin.certificate, key: server.admin.key });
  assert.equal(await ask(admin), 200);
  assert.equal(await ask(admin), 200);
  admin.close();
});

test('a method of HTTP/2 is taken as it is written: one in small letters is none, and passes no rule for a verb', async () => {
  await using server = await startTestServer({ controllers: false });
  await using client = new RawClient(server);
  const path = '/api/v1/namespaces/default/configmaps';
  const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'create', 'delete', 'deletecollection'] }];
  await client.call('POST', '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles', { body: { metadata: { name: 'r' }, rules } });
  const binding = {
    metadata: { name: 'r' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
    subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'jane' }],
  };
  await client.call('POST', '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings', { body: binding });
  const session = connect(server.url, { ca: server.authority.certificate, cert: server.admin.certificate, key: server.admin.key });
  const ask = async (method: string, user?: string): Promise<number> => {
    const stream = session.request({ ':method': method, ':path': path, ...(user !== undefined && { 'impersonate-user': user }) });
    const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
    await once(stream.resume(), 'close');
    return Number(headers[':status']);
  };
  assert.equal(await ask('GET', 'jane'), 200);
  for (const method of ['get', 'Get', 'delete', 'list']) {
    assert.equal(await ask(method, 'jane'), 403, method);
    assert.equal(await ask(method), 405, method);
  }
  session.close();
});
