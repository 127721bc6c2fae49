import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { describe, test } from 'node:test';
import { systemClock } from '../clock.ts';
import type { KeyPair } from '../tls/certificate.ts';
import { createAuthority, issueCertificate } from '../tls/certificate.ts';
import type { HttpsRequest, HttpsResponse } from './https-client.ts';
import { HttpsClient, NoResponseError } from './https-client.ts';

const day = 86_400_000;
const validity = { from: new Date(Date.now() - 2 * day), to: new Date(Date.now() + day) };
const authority = createAuthority({ commonName: 'authority' }, validity);
const serving = (names: string[], to = validity.to, by: KeyPair = authority): KeyPair =>
  issueCertificate(by, { subject: { commonName: 'server' }, uses: ['server'], names, validity: { ...validity, to } });

interface Running extends AsyncDisposable {
  readonly port: number;
  readonly connections: number;
}

async function serve({ certificate, key }: KeyPair, answer: RequestListener): Promise<Running> {
  const server = createServer({ cert: certificate, key }, answer);
  let connections = 0;
  server.on('secureConnection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const hello: RequestListener = (_, response) => void response.end('hello');

interface Options extends Pick<HttpsRequest, 'insecure' | 'serverName'> {
  readonly host?: string;
  readonly authorities?: string;
  readonly signal?: AbortSignal;
  readonly client?: HttpsClient;
}

async function send(port: number, options: Options = {}): Promise<HttpsResponse> {
  const { host = '127.0.0.1', authorities = authority.certificate, signal = new AbortController().signal } = options;
  const { insecure, serverName, client = new HttpsClient(systemClock) } = options;
  try {
    const trust = { address: { host: '127.0.0.1', port }, authorities, insecure, serverName };
    return await client.send({ url: new URL(`https://${host}:${port}/x`), method: 'POST', body: '{}', ...trust, signal });
  } finally {
    if (options.client === undefined) client[Symbol.dispose]();
  }
}

const says = (text: string | RegExp) => (error: unknown) => {
  assert.ok(error instanceof NoResponseError);
  if (typeof text === 'string') assert.equal(error.message, text);
  else assert.match(error.message, text);
  return true;
};

describe('HttpsClient', () => {
  test('takes any certificate, or one for another name, where it is told to', async () => {
    await using server = await serve(serving(['other.example']), hello);
    const { port } = server;
    const authorities = createAuthority({ commonName: 'unknown' }, validity).certificate;
    for (const http2 of [false, true]) {
      using client = new HttpsClient(systemClock, { http2 });
      assert.equal((await send(port, { client, authorities, insecure: true })).body.toString(), 'hello');
      assert.equal((await send(port, { client, serverName: 'other.example' })).body.toString(), 'hello');
      // A connection that was trusted without a look is not handed to those who look.
      await assert.rejects(send(port, { client }), says(/x509: /));
      await assert.rejects(send(port, { client, authorities, serverName: 'other.example' }), says(/x509: /));
    }
  });

  test('keeps connections', async () => {
    await using server = await serve(serving(['127.0.0.1']), hello);
    using client = new HttpsClient(systemClock);
    for (let i = 0; i < 3; i++) assert.equal((await send(server.port, { client })).body.toString(), 'hello');
    assert.equal(server.connections, 1);
  });

  test('asks again when a kept connection turns out to be closed', async () => {
    await using server = await serve(serving(['127.0.0.1']), (request, response) => {
      response.end('hello');
      response.on('finish', () => setImmediate(() => request.socket.destroy()));
    });
    using client = new HttpsClient(systemClock);
    for (let i = 0; i < 5; i++) assert.equal((await send(server.port, { client })).status, 200);
  });

  test('trusts a serving certificate that is among the authorities itself', async () => {
    const pair = serving(['127.0.0.1']);
    await using server = await serve(pair, hello);
    assert.equal((await send(server.port, { authorities: pair.certificate })).status, 200);
  });

  const twin = createAuthority({ commonName: 'authority' }, validity);
  const untrusted: readonly (readonly [what: string, pair: KeyPair, options: Options, text: string | RegExp])[] = [
    [
      'an unknown authority',
      serving(['127.0.0.1']),
      { authorities: createAuthority({ commonName: 'other' }, validity).certificate },
      'certificate signed by unknown authority',
    ],
    [
      'an authority of the same name',
      serving(['127.0.0.1']),
      { authorities: twin.certificate },
      'certificate signed by unknown authority (possibly because of "x509: ECDSA verification failure" while trying to verify candidate authority certificate "authority")',
    ],
    [
      'another name',
      serving(['a.example', 'b.example']),
      { host: 'c.example' },
      'certificate is valid for a.example, b.example, not c.example',
    ],
    ['another address', serving(['127.0.0.2']), {}, 'certificate is valid for 127.0.0.2, not 127.0.0.1'],
    ['names only', serving(['a.example']), {}, "cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs"],
    [
      'addresses only',
      serving(['127.0.0.1']),
      { host: 'a.example' },
      'certificate is not valid for any names, but wanted to match a.example',
    ],
    ['no names at all', serving([]), { host: 'a.example' }, 'certificate relies on legacy Common Name field, use SANs instead'],
    [
      'a date that has passed',
      serving(['127.0.0.1'], new Date(Date.now() - day)),
      {},
      /^certificate has expired or is not yet valid: current time \S+Z is after \S+Z$/,
    ],
  ];
  for (const [what, pair, options, text] of untrusted) {
    test(`sends nothing to a server whose certificate is for ${what}`, async () => {
      let requests = 0;
      await using server = await serve(pair, () => requests++);
      const prefix = 'tls: failed to verify certificate: x509: ';
      const expected = typeof text === 'string' ? prefix + text : new RegExp(text.source.replace('^', prefix));
      await assert.rejects(send(server.port, options), says(expected));
      assert.equal(requests, 0);
    });
  }

  test('says that nobody is there', async () => {
    const server = createTcpServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    await assert.rejects(send(port), says(`dial tcp 127.0.0.1:${port}: connect: connection refused`));
  });

  test('says that the server hung up', async () => {
    await using server = await serve(serving(['127.0.0.1']), (request) => void request.socket.destroy());
    await assert.rejects(send(server.port), says('EOF'));
  });

  test('says that the server broke off, and that it was reading then', async () => {
    await using server = await serve(serving(['127.0.0.1']), (request, response) => {
      response.writeHead(200, { 'content-length': '10' }).write('x', () => setTimeout(() => request.socket.destroy(), 20));
    });
    await assert.rejects(send(server.port), (error) => says('unexpected EOF')(error) && (error as NoResponseError).whileReading);
  });

  test('says whether it ran out of time or was not wanted any more', async () => {
    await using server = await serve(serving(['127.0.0.1']), () => {});
    await assert.rejects(send(server.port, { signal: AbortSignal.timeout(50) }), says('context deadline exceeded'));
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 50);
    await assert.rejects(send(server.port, { signal: abort.signal }), says('context canceled'));
  });
});

test('a server that speaks HTTP/2 and goes away is asked over another connection; one that breaks off leaves no response', async () => {
  const { certificate, key } = serving(['127.0.0.1']);
  let sessions = 0;
  const server = createSecureServer({ cert: certificate, key });
  server.on('session', (session) => {
    const isFirst = ++sessions === 1;
    session.on('stream', (stream, { ':path': path }) => {
      // It is closed with an error, here too.
      stream.on('error', () => undefined);
      if (isFirst) {
        session.goaway(0, 0);
        return stream.close(7);
      }
      stream.respond({ ':status': 200 });
      if (path === '/broken') stream.write('half', () => session.destroy());
      else stream.end('hello');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { signal } = new AbortController();
  using client = new HttpsClient(systemClock, { http2: true });
  const ask = (path: string): Promise<HttpsResponse> =>
    client.send({
      url: new URL(`https://127.0.0.1:${port}${path}`),
      method: 'POST',
      body: '{}',
      authorities: authority.certificate,
      signal,
    });
  try {
    const { version, body } = await ask('/');
    assert.deepEqual([version, String(body), sessions], ['2.0', 'hello', 2]);
    await assert.rejects(ask('/broken'), (error) => error instanceof NoResponseError && error.whileReading);
  } finally {
    client[Symbol.dispose]();
    await new Promise((resolve) => server.close(resolve));
  }
});
