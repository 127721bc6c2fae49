import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Http2SecureServer, Http2ServerRequest, Http2ServerResponse, ServerHttp2Session } from 'node:http2';
import { createSecureServer } from 'node:http2';
import { createServer as createHttps } from 'node:https';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { systemClock } from '../clock.ts';
import { createAuthority, issueCertificate } from '../tls/certificate.ts';
import type { IncomingResponse, OutgoingRequest, Peer } from './streaming-client.ts';
import { StreamingClient, UnreachableError } from './streaming-client.ts';

const validity = { from: new Date(Date.now() - 86_400_000), to: new Date(Date.now() + 86_400_000) };
const authority = createAuthority({ commonName: 'authority' }, validity);
const issue = (commonName: string, use: 'server' | 'client'): { cert: string; key: string } => {
  const made = issueCertificate(authority, { subject: { commonName }, uses: [use], names: ['127.0.0.1'], validity });
  return { cert: made.certificate, key: made.key };
};
const serving = issue('server', 'server');

type Listener = (request: Http2ServerRequest, response: Http2ServerResponse) => void;

class Backend implements AsyncDisposable {
  readonly server: Http2SecureServer | Server;
  readonly sessions: ServerHttp2Session[] = [];
  connections = 0;
  upgrades = 0;

  constructor(server: Http2SecureServer | Server) {
    this.server = server;
    server.on('secureConnection', () => this.connections++);
    server.on('session', (session) => this.sessions.push(session));
    server.on('upgrade', (_request, socket) => {
      this.upgrades++;
      socket.end('HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: x\r\n\r\nhi');
    });
  }

  async listen(port = 0): Promise<this> {
    this.server.listen(port, '127.0.0.1');
    await once(this.server, 'listening');
    return this;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  peer(more: Partial<Peer> = {}): Peer {
    return { scheme: 'https', host: '127.0.0.1', port: this.port, authorities: authority.certificate, insecure: false, ...more };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const session of this.sessions) session.destroy();
    if ('closeAllConnections' in this.server) this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

function http2(listener: Listener, settings = {}, port?: number): Promise<Backend> {
  const options = { ...serving, ca: authority.certificate, requestCert: true, rejectUnauthorized: false, allowHTTP1: true, settings };
  return new Backend(createSecureServer(options, listener)).listen(port);
}

function http1(listener: RequestListener, port?: number): Promise<Backend> {
  return new Backend(createHttps({ ...serving, ALPNProtocols: ['http/1.1'] }, listener)).listen(port);
}

const version = (request: Http2ServerRequest | IncomingMessage, response: Http2ServerResponse | ServerResponse): void => {
  (response as ServerResponse).end(request.httpVersion);
};

function client(): StreamingClient {
  return new StreamingClient(systemClock, { http2: true });
}

async function get(by: StreamingClient, peer: Peer, more: Partial<OutgoingRequest> = {}): Promise<IncomingResponse> {
  const { signal } = new AbortController();
  const answer = await by.exchange(peer, { method: 'GET', target: '/x', headers: {}, signal, ...more });
  assert.ok(!('response' in answer));
  return answer;
}

const unreachable = (message: RegExp | string) => (error: unknown) => {
  assert.ok(error instanceof UnreachableError);
  if (typeof message === 'string') assert.equal(error.message, message);
  else assert.match(error.message, message);
  return true;
};

describe('StreamingClient with HTTP/2', () => {
  test('sends many requests at once over one connection where the server offers it', async () => {
    await using backend = await http2(version);
    using sender = client();
    const answers = await Promise.all(Array.from({ length: 50 }, async () => text(await get(sender, backend.peer()))));
    assert.deepEqual(new Set(answers), new Set(['2.0']));
    assert.equal(backend.connections, 1);
  });

  test('speaks HTTP/1.1 with a server that knows nothing else, and asks it only once', async () => {
    await using backend = await http1(version);
    using sender = client();
    for (let at = 0; at < 5; at++) assert.equal(await text(await get(sender, backend.peer())), '1.1');
    assert.equal(backend.connections, 2);
  });

  test('asks for another protocol over HTTP/1.1', async () => {
    await using backend = await http2(version);
    using sender = client();
    assert.equal(await text(await get(sender, backend.peer())), '2.0');
    const { signal } = new AbortController();
    const headers = { connection: 'Upgrade', upgrade: 'x' };
    const answer = await sender.exchange(backend.peer(), { method: 'GET', target: '/x', headers, signal });
    assert.ok('response' in answer);
    answer.socket.destroy();
    assert.equal(backend.upgrades, 1);
  });

  test('passes headers and bodies as they are, both ways', async () => {
    await using backend = await http2((request, response) => {
      response.writeHead(201, { 'content-encoding': 'gzip', 'x-many': ['1', '2'], trailer: 'x-late' });
      response.addTrailers({ 'x-late': 'yes' });
      response.write(JSON.stringify([request.method, request.url, request.headers['x-remote-group'], request.headers['x-twice']]));
      request.pipe(response);
    });
    using sender = client();
    const answer = await get(sender, backend.peer(), {
      method: 'POST',
      target: '/y?z=1',
      headers: { 'x-remote-group': ['a', 'b'], 'x-twice': ['one', 'two'], 'transfer-encoding': 'chunked', te: 'trailers' },
      body: Readable.from([Buffer.from('the '), Buffer.from('body')]),
    });
    assert.equal(answer.statusCode, 201);
    assert.equal(answer.headers['content-encoding'], 'gzip');
    assert.deepEqual(answer.headersDistinct['x-many'], ['1', '2']);
    assert.equal(answer.headersDistinct[':status'], undefined);
    assert.equal(await text(answer), '["POST","/y?z=1","a, b","one, two"]the body');
  });

  test('makes another connection only when the streams of the first are used up', async () => {
    const waiting: Http2ServerResponse[] = [];
    const all = Promise.withResolvers<void>();
    const listener: Listener = (request, response) => {
      if (request.url !== '/wait') return version(request, response);
      if (waiting.push(response) === 4) all.resolve();
    };
    await using backend = await http2(listener, { maxConcurrentStreams: 2 });
    using sender = client();
    // The limit is known once a response has come.
    await text(await get(sender, backend.peer()));
    const answers = Array.from({ length: 4 }, () => get(sender, backend.peer(), { target: '/wait' }));
    await all.promise;
    assert.equal(backend.connections, 2);
    for (const response of waiting) response.end('done');
    for (const answer of await Promise.all(answers)) assert.equal(await text(answer), 'done');
  });

  test('does not read more than its reader does, and the other requests go on', async () => {
    let sent = 0;
    await using backend = await http2((request, response) => {
      if (request.url !== '/flood') return version(request, response);
      const flood = Readable.from(
        (function* () {
          for (; sent < 1000; sent++) yield Buffer.alloc(64 * 1024);
        })(),
      );
      flood.on('error', () => response.stream.close()).pipe(response as unknown as NodeJS.WritableStream);
    });
    using sender = client();
    const flood = await get(sender, backend.peer(), { target: '/flood' });
    for (let at = 0; at < 20; at++) assert.equal(await text(await get(sender, backend.peer())), '2.0');
    assert.ok(sent < 100, `${sent} pieces of 64 KiB were taken`);
    flood.destroy();
    await once(flood, 'close');
    assert.equal(backend.connections, 1);
  });

  test('resets the stream of a request that is cancelled, before and after the response began', async () => {
    const codes: number[] = [];
    const reset = Promise.withResolvers<void>();
    await using backend = await http2((request, response) => {
      if (request.url === '/begun') response.write('begun');
      response.stream.once('close', () => {
        if (codes.push(response.stream.rstCode) === 3) reset.resolve();
      });
    });
    using sender = client();
    const [early, late] = [new AbortController(), new AbortController()];
    const never = get(sender, backend.peer(), { signal: early.signal });
    const begun = await get(sender, backend.peer(), { target: '/begun', signal: late.signal });
    early.abort();
    await assert.rejects(never, unreachable('context canceled'));
    late.abort();
    await assert.rejects(text(begun));
    (await get(sender, backend.peer(), { target: '/begun' })).destroy();
    await reset.promise;
    assert.deepEqual(codes, [8, 8, 8]);
    assert.equal(backend.connections, 1);
  });

  test('follows a server that sends GOAWAY to a new connection, and lets what runs end', async () => {
    let finish: (() => void) | undefined;
    await using backend = await http2((request, response) => {
      if (request.url !== '/slow') return version(request, response);
      response.write('slow ');
      finish = () => void response.end('end');
    });
    using sender = client();
    const slow = await get(sender, backend.peer(), { target: '/slow' });
    backend.sessions[0]?.close();
    // Until the GOAWAY is there the old connection refuses, and the request is sent again.
    while (backend.connections === 1) assert.equal(await text(await get(sender, backend.peer())), '2.0');
    finish?.();
    assert.equal(await text(slow), 'slow end');
  });

  test('fails the requests of a connection that dies, and only those', async () => {
    await using backend = await http2((request, response) => {
      if (request.url === '/begun') response.write('begun');
      else if (request.url !== '/never') version(request, response);
    });
    using sender = client();
    const begun = await get(sender, backend.peer(), { target: '/begun' });
    const never = get(sender, backend.peer(), { target: '/never' });
    const other = await get(sender, backend.peer({ client: undefined, insecure: true }), { target: '/begun' });
    backend.sessions[0]?.socket.destroy();
    await assert.rejects(never, unreachable(/^(unexpected EOF|read: connection reset by peer)$/));
    await assert.rejects(text(begun), /unexpected EOF|connection reset by peer/);
    assert.equal(other.destroyed, false);
    other.destroy();
    assert.equal(await text(await get(sender, backend.peer())), '2.0');
  });

  test('names the code of a stream that the server resets', async () => {
    await using backend = await http2((request) => {
      request.stream.respond({ ':status': 200 }, { endStream: false });
      request.stream.destroy(new Error('broken'));
    });
    backend.server.on('sessionError', () => undefined);
    using sender = client();
    const failed = get(sender, backend.peer()).then(text);
    await assert.rejects(failed, { message: 'stream error: stream ID 1; INTERNAL_ERROR; received from peer' });
  });

  test('uses a new client certificate from the next request on', async () => {
    await using backend = await http2((request, response) => {
      const { subject } = (request.socket as TLSSocket).getPeerCertificate();
      response.end(String(subject.CN));
    });
    using sender = client();
    for (const name of ['old', 'new', 'new']) {
      const { cert: certificate, key } = issue(name, 'client');
      assert.equal(await text(await get(sender, backend.peer({ client: { certificate, key } }))), name);
    }
  });

  test('finds out anew what a server speaks that was replaced', async () => {
    using sender = client();
    let port: number;
    let peer: Peer;
    {
      await using old = await http2(version);
      port = old.port;
      peer = old.peer();
      assert.equal(await text(await get(sender, peer)), '2.0');
    }
    await using replaced = await http1(version, port);
    assert.equal(replaced.port, port);
    assert.equal(await text(await get(sender, peer)), '1.1');
  });

  test('does not send anything to a server that it cannot trust', async () => {
    await using backend = await http2(version);
    using sender = client();
    const other = createAuthority({ commonName: 'other' }, validity).certificate;
    await assert.rejects(get(sender, backend.peer({ authorities: other })), unreachable(/^tls: failed to verify certificate: x509: /));
  });

  test('says why a server cannot be reached, to all who wait for it', async () => {
    const gone = await http2(version);
    const peer = gone.peer();
    await gone[Symbol.asyncDispose]();
    using sender = client();
    const both = await Promise.allSettled([get(sender, peer), get(sender, peer)]);
    for (const one of both) {
      assert.equal(one.status, 'rejected');
      assert.equal((one.reason as Error).message, `dial tcp 127.0.0.1:${peer.port}: connect: connection refused`);
    }
  });
});
