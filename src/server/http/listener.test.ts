import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:http2';
import type { ClientHttp2Session } from 'node:http2';
import * as net from 'node:net';
import { test } from 'node:test';
import type { RunningApiServer } from '../../index.ts';
import { startTestServer } from '../../testing/index.ts';

async function statusOf(session: ClientHttp2Session, headers: Record<string, string>): Promise<number> {
  const stream = session.request(headers);
  stream.on('error', () => {});
  const [answer] = (await once(stream, 'response')) as [Record<string, number>];
  stream.close();
  return answer[':status'] as number;
}

function administrator(server: RunningApiServer): ClientHttp2Session {
  return connect(server.url, { ca: server.authority.certificate, cert: server.admin.certificate, key: server.admin.key });
}

test('a CONNECT, which has no path, is refused as any request is and the server goes on', async () => {
  await using server = await startTestServer();
  const stranger = connect(server.url, { ca: server.authority.certificate });
  assert.equal(await statusOf(stranger, { ':method': 'CONNECT', ':authority': 'kubernetes:443' }), 403);
  stranger.destroy();
  const admin = administrator(server);
  assert.equal(await statusOf(admin, { ':method': 'CONNECT', ':authority': 'kubernetes:443' }), 404);
  assert.equal(await statusOf(admin, { ':path': '/version' }), 200);
  admin.destroy();
});

test('connections that never say anything do not hold up a stop', async () => {
  const server = await startTestServer();
  const silent = net.connect(server.port, '127.0.0.1');
  await once(silent, 'connect');
  const closed = once(silent, 'close');
  await server.stop();
  await closed;
});
