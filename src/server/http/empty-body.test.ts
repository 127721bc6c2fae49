import assert from 'node:assert/strict';
import { connect } from 'node:http2';
import type { ClientHttp2Session } from 'node:http2';
import { test } from 'node:test';
import { startApiServer } from '../../index.ts';

const path = '/api/v1/namespaces/default/configmaps';

/** Says after the headers that there is no body. */
function ask(session: ClientHttp2Session, method: string, at: string, body = ''): Promise<number> {
  return new Promise((resolve, reject) => {
    const type = body === '' ? {} : { 'content-type': 'application/json' };
    const stream = session.request({ ':method': method, ':path': at, ...type }, { endStream: false });
    stream.on('response', (headers) => resolve(Number(headers[':status'])));
    stream.on('error', reject);
    stream.resume().end(body);
  });
}

test('requests that come together and end with an empty frame have an empty body', { timeout: 30_000 }, async () => {
  await using server = await startApiServer({ controllers: false });
  const { certificate: cert, key } = server.admin;
  const session = connect(server.url, { ca: server.authority.certificate, cert, key });
  try {
    // Who is known may send many at once.
    assert.equal(await ask(session, 'GET', '/version'), 200);
    const names = Array.from({ length: 40 }, (_, index) => `a${index}`);
    const created = names.map((name) => ask(session, 'POST', path, JSON.stringify({ metadata: { name } })));
    assert.deepEqual(new Set(await Promise.all(created)), new Set([201]));
    assert.deepEqual(new Set(await Promise.all(names.map((name) => ask(session, 'DELETE', `${path}/${name}`)))), new Set([200]));
  } finally {
    session.close();
  }
});
