import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:http2';
import { request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { startTestServer } from '../../testing/index.ts';
import { RawClient } from '../../../test/support/raw-client.ts';

const timeout = 20_000;

test(
  'a server that stops with shutdownSendRetryAfter sends new requests elsewhere until those under way are done',
  { timeout },
  async () => {
    const server = await startTestServer({ controllers: false, serving: { shutdownSendRetryAfter: true } });
    const client = new RawClient(server);
    const outgoing = request(`${server.url}/api/v1/namespaces/default/configmaps`, {
      method: 'POST',
      agent: client.agent,
      headers: { 'content-type': 'application/json', expect: '100-continue' },
    });
    const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
    const begun = once(outgoing, 'continue');
    outgoing.flushHeaders();
    await begun;
    outgoing.write('{"metadata":');
    await client.call('GET', '/version');
    const stopped = server.stop();
    let refused = await client.call('GET', '/version');
    while (refused.status === 200) refused = await client.call('GET', '/version');
    assert.deepEqual([refused.status, refused.headers['retry-after'], refused.headers.connection], [429, '5', 'close']);
    assert.equal(refused.text, 'The apiserver is shutting down, please try again later.\n');
    const ready = await client.call('GET', '/readyz');
    assert.equal(ready.status, 500);
    assert.match(ready.text, /\[-\]shutdown failed/);
    assert.equal((await client.call('GET', '/livez')).status, 200);
    outgoing.end('{"name":"last"}}');
    const [answer] = await answered;
    assert.equal(answer.statusCode, 201);
    answer.resume();
    await client[Symbol.asyncDispose]();
    await stopped;
  },
);

test('with goawayChance an HTTP/2 client is asked to reconnect after its answer', { timeout }, async () => {
  await using server = await startTestServer({ controllers: false, serving: { goawayChance: 1 } });
  const session = connect(server.url, { ca: server.authority.certificate, cert: server.admin.certificate, key: server.admin.key });
  const goingAway = once(session, 'goaway');
  const stream = session.request({ ':path': '/version' });
  const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
  assert.equal(headers[':status'], 200);
  stream.resume();
  await goingAway;
  assert.ok(session.closed);
});
