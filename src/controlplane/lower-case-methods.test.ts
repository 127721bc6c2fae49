// Methods of HTTP/2 are whatever a client sends: `get` is not GET, has no verb, and is served only where upstream serves any method.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ClientHttp2Session } from 'node:http2';
import { connect } from 'node:http2';
import { after, before, test } from 'node:test';
import type { TestServer } from '../testing/index.ts';
import { startTestServer } from '../testing/index.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
let server: TestServer;

before(async () => {
  server = await startTestServer({ controllers: false });
});

after(() => server.stop());

interface Called {
  readonly status: number;
  readonly text: string;
}

async function call(as: 'admin' | 'nobody', method: string, path: string, body?: string): Promise<Called> {
  const ca = server.authority.certificate;
  const identity = as === 'admin' ? { cert: server.admin.certificate, key: server.admin.key } : {};
  const session: ClientHttp2Session = connect(server.url, { ca, ...identity });
  try {
    const stream = session.request(
      { ':method': method, ':path': path, 'content-type': 'application/json' },
      { endStream: body === undefined },
    );
    if (body !== undefined) stream.end(body);
    let status = 0;
    let text = '';
    stream.on('response', (headers) => (status = headers[':status'] ?? 0));
    stream.setEncoding('utf8').on('data', (part: string) => (text += part));
    await once(stream, 'end');
    return { status, text };
  } finally {
    session.destroy();
  }
}

/** As upstream responds (v1.37.1, asked), to an administrator and to a client without credentials. */
const cases: readonly (readonly [method: string, path: string, admin: number, nobody: number])[] = [
  ['get', configMaps, 405, 403],
  ['Get', `${configMaps}/a`, 405, 403],
  ['post', configMaps, 405, 403],
  ['put', `${configMaps}/a`, 405, 403],
  ['patch', `${configMaps}/a`, 405, 403],
  ['delete', `${configMaps}/a`, 405, 403],
  ['delete', configMaps, 405, 403],
  ['head', `${configMaps}/a`, 405, 403],
  ['get', '/version', 405, 405],
  ['get', '/healthz', 200, 200],
];

for (const [method, path, admin, nobody] of cases) {
  test(`${method} ${path} is ${admin} for an administrator and ${nobody} for a stranger`, async () => {
    const body = method === 'post' || method === 'put' || method === 'patch' ? JSON.stringify({ metadata: { name: 'a' } }) : undefined;
    assert.equal((await call('admin', method, path, body)).status, admin);
    const refused = await call('nobody', method, path, body);
    assert.equal(refused.status, nobody);
    if (nobody === 403) assert.match(refused.text, /User \\"system:anonymous\\" cannot {2}resource \\"configmaps\\"/, 'the verb is empty');
    assert.equal((await call('admin', 'GET', `${configMaps}/a`)).status, 404, 'nothing was made');
  });
}
