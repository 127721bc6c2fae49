import assert from 'node:assert/strict';
import { once } from 'node:events';
import * as net from 'node:net';
import { test } from 'node:test';
import * as tls from 'node:tls';
import type { Gauge } from '../../base/metrics.ts';
import { MetricsRegistry } from '../../base/metrics.ts';
import { createAuthority, issueCertificate } from '../../base/tls/certificate.ts';
import { RawHttp2, flags, frame, frameTypes, headerBlock, settings, statusOf } from '../../../test/support/http2-frames.ts';
import { ConnectionMetrics } from './connection-metrics.ts';
import { Listener } from './listener.ts';
import type { ListenerOptions } from './listener.ts';
import type { Handler } from './response.ts';
import { textResponse } from './response.ts';

const day = 24 * 3600 * 1000;
const authority = createAuthority({ commonName: 'listener-test-ca' }, { from: new Date(Date.now() - day), to: new Date(Date.now() + day) });
const pair = issueCertificate(authority, {
  subject: { commonName: 'listener' },
  uses: ['server'],
  names: ['127.0.0.1'],
  validity: { from: new Date(Date.now() - day), to: new Date(Date.now() + day) },
});

interface Listening extends AsyncDisposable {
  readonly port: number;
  readonly listener: Listener;
  readonly errors: unknown[];
}

/** Says what it was asked. */
const echo: Handler = async (request) => textResponse(200, `${request.method} ${request.path}`);

async function listen(handler: Handler = echo, options: Partial<ListenerOptions> = {}): Promise<Listening> {
  const errors: unknown[] = [];
  const listener = new Listener({
    handler,
    tls: { cert: pair.certificate, key: pair.key },
    address: '127.0.0.1',
    port: 0,
    sharesPort: false,
    maxStreams: 0,
    http1Only: false,
    requestTimeoutMs: 60_000,
    metrics: new ConnectionMetrics(new MetricsRegistry()),
    onError: (error) => errors.push(error),
    onHandshakeError: () => {},
    ...options,
  });
  const { port } = await listener.listen();
  return { port, listener, errors, [Symbol.asyncDispose]: () => listener.close(100) };
}

type Fields = Record<string, string>;

function fields(changes: Fields = {}): [string, string][] {
  return Object.entries({ ':method': 'GET', ':scheme': 'https', ':authority': 'localhost', ':path': '/', ...changes });
}

/** Status and body of a response on HTTP/2, or the code the stream was reset with. */
async function ask(
  port: number,
  request: readonly (readonly [string, string])[],
): Promise<{ status?: number; text?: string; reset?: number }> {
  using connection = await RawHttp2.open(port, {});
  connection.request(1, request);
  const last = await connection.find(
    ({ stream, type, flags: flag }) => stream === 1 && (type === frameTypes.reset || (type < 2 && (flag & flags.endStream) > 0)),
  );
  if (last?.type === frameTypes.reset) return { reset: last.payload.readUInt32BE(0) };
  const of = (wanted: number): Buffer[] => connection.frames.filter(({ type }) => type === wanted).map(({ payload }) => payload);
  const [block] = of(frameTypes.headers);
  const status = block === undefined ? undefined : statusOf(block);
  return { ...(status !== undefined && { status }), text: Buffer.concat(of(frameTypes.data)).toString() };
}

/** Everything that comes back for these bytes on HTTP/1, until the connection closes or `until` was in it. */
async function say(port: number, text: string, until?: string): Promise<string> {
  const socket = tls.connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] });
  socket.on('error', () => {});
  socket.write(text, 'latin1');
  let answer = '';
  for await (const bytes of socket) {
    answer += String(bytes);
    if (until !== undefined && answer.includes(until)) break;
  }
  socket.destroy();
  return answer;
}

const protocolError = 1;
const enhanceYourCalm = 11;

test('HTTP/2: a CONNECT, which has no path, is a request for "", and the connection goes on', async () => {
  await using server = await listen();
  const connect = [
    [':method', 'CONNECT'],
    [':authority', 'other:443'],
  ] as const;
  assert.deepEqual(await ask(server.port, connect), { status: 200, text: 'CONNECT ' });
  assert.deepEqual(server.errors, []);
});

test('HTTP/2: what is no request is refused, and OPTIONS * is about the server', async () => {
  await using server = await listen();
  assert.deepEqual(await ask(server.port, fields({ ':path': '/%zz' })), { reset: protocolError });
  assert.deepEqual(await ask(server.port, fields({ ':path': 'relative' })), { reset: protocolError });
  assert.deepEqual(await ask(server.port, fields({ ':scheme': 'ftp' })), { reset: protocolError });
  assert.deepEqual(await ask(server.port, fields({ ':method': 'OPTIONS', ':path': '*' })), { status: 200, text: '' });
  assert.deepEqual(await ask(server.port, fields({ ':method': 'get', ':path': '/x%2fy' })), { status: 200, text: 'get /x/y' });
});

test('HTTP/2: headers of nearly a megabyte are read, and above it are too large', async () => {
  await using server = await listen(async (request) => textResponse(200, String(request.header('x-last'))));
  const large = async (fieldCount: number): Promise<number | undefined> => {
    using connection = await RawHttp2.open(server.port, {});
    const many = Array.from({ length: fieldCount }, (_, index) => [`x-${index}`, 'v'.repeat(1000)] as const);
    const block = headerBlock([...fields(), ...many, ['x-last', 'seen']]);
    const size = 200 << 10;
    for (let at = 0; at < block.length; at += size) {
      const last = at + size >= block.length ? flags.endHeaders : 0;
      const type = at === 0 ? frameTypes.headers : frameTypes.continuation;
      connection.write(frame(type, last | (at === 0 ? flags.endStream : 0), 1, block.subarray(at, at + size)));
    }
    const answer = await connection.find(({ type }) => type === frameTypes.headers || type === frameTypes.goaway);
    return answer?.type === frameTypes.headers ? statusOf(answer.payload) : undefined;
  };
  assert.equal(await large(900), 200);
  assert.equal(await large(1100), 431);
});

test('HTTP/1: the forms of a target, and what is no request', async () => {
  await using server = await listen();
  const answer = async (line: string, headers = 'Host: a\r\n'): Promise<string> =>
    (await say(server.port, `${line} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`)).replace(/\r\ndate: .*/i, '');
  const last = async (line: string, headers?: string): Promise<string> => (await answer(line, headers)).split('\r\n\r\n').at(-1) ?? '';
  assert.equal(await last('GET /a%20b'), 'GET /a b');
  assert.equal(await last('GET https://other:1/livez?x=1'), 'GET /livez');
  assert.equal(await last('CONNECT other:443'), 'CONNECT ');
  assert.equal(await last('OPTIONS *'), '');
  assert.equal(await last('GET /%zz'), '400 Bad Request');
  assert.equal(await last('GET /', ''), '400 Bad Request: missing required Host header');
  assert.equal(await last('GET /', 'Host: a\r\nHost: b\r\n'), '400 Bad Request');
  assert.equal(await last('GET /', 'Host: a b\r\n'), '400 Bad Request: malformed Host header');
  assert.equal(await last('GET /', 'Host: a\r\nno header\r\n'), '400 Bad Request');
  assert.match(await answer('GET /', 'Host: a\r\nExpect: other\r\n'), /^HTTP\/1.1 417 /);
});

test('HTTP/1: headers of nearly a megabyte and in great number are read, and above it are too large', async () => {
  await using server = await listen(async (request) => textResponse(200, String(request.header('x-last'))));
  const many = Array.from({ length: 3000 }, (_, index) => `x-${index}: v\r\n`).join('');
  assert.match(await say(server.port, `GET / HTTP/1.1\r\nHost: a\r\n${many}X-Last: seen\r\nConnection: close\r\n\r\n`), /seen$/);
  const large = (kilobytes: number): Promise<string> =>
    say(server.port, `GET / HTTP/1.1\r\nHost: a\r\nX-Last: ${'v'.repeat(kilobytes << 10)}\r\nConnection: close\r\n\r\n`);
  assert.match(await large(1000), /^HTTP\/1.1 200 /);
  assert.match(await large(1030), /^HTTP\/1.1 431 [^]*431 Request Header Fields Too Large$/);
});

test('HTTP/1: a client that waits for leave to send its body gets it when the body is read', async () => {
  await using server = await listen(async (request) => {
    if (request.path === '/refused') return textResponse(403, 'no');
    return textResponse(200, String(await request.source.readBody(100)));
  });
  const ask = (path: string): string => `POST ${path} HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n`;
  assert.match(await say(server.port, ask('/refused')), /^HTTP\/1.1 403 [^]*connection: close[^]*no$/i);
  assert.match(await say(server.port, ask('/read'), '\r\n\r\n'), /^HTTP\/1.1 100 /);
});

test('HTTP/1: a body is a body, also of a request that would upgrade', async () => {
  await using server = await listen(async (request) => textResponse(200, String(await request.source.readBody(100))));
  const text = 'POST / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: other\r\nContent-Length: 2\r\n\r\n{}';
  assert.match(await say(server.port, text, '{}'), /\{\}$/);
});

test('a handler, an upgrade or an answer that fails ends the exchange and nothing else', async () => {
  const failures: Record<string, Handler> = {
    '/throws': () => {
      throw new Error('at once');
    },
    '/rejects': async () => {
      throw new Error('later');
    },
    '/header': async () => textResponse(200, 'x', { 'x-bad': 'a\nb' }),
    '/body': async () => ({
      status: 200,
      headers: {},
      async body() {
        throw new Error('while sending');
      },
    }),
    '/upgrade': async () => ({
      status: 101,
      headers: {},
      upgrade() {
        throw new Error('while upgrading');
      },
    }),
  };
  await using server = await listen((request) => (failures[request.path] ?? echo)(request));
  for (const path of ['/throws', '/rejects', '/body']) {
    assert.equal((await ask(server.port, fields({ ':path': path }))).reset !== undefined, true, path);
  }
  for (const path of ['/throws', '/rejects', '/header', '/body']) await say(server.port, `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
  await say(server.port, `GET /upgrade HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: other\r\n\r\n`);
  assert.equal(server.errors.length, 8);
  assert.deepEqual(await ask(server.port, fields()), { status: 200, text: 'GET /' });
});

test('HTTP/2: the answer that says so is the last of its connection', async () => {
  await using server = await listen(async () => textResponse(401, 'who?', { connection: 'close' }));
  using connection = await RawHttp2.open(server.port, {});
  connection.request(1, fields());
  const farewell = await connection.find(({ type }) => type === frameTypes.goaway);
  assert.equal(farewell?.payload.readUInt32BE(4), 0);
  await connection.closed;
  assert.equal(
    Buffer.concat(connection.frames.filter(({ type }) => type === frameTypes.data).map(({ payload }) => payload)).toString(),
    'who?',
  );
});

test('HTTP/2: requests beside the last one of a connection are answered, or may be asked again', async () => {
  await using server = await listen(async () => textResponse(401, 'who?', { connection: 'close' }));
  using connection = await RawHttp2.open(server.port, {});
  const streams = Array.from({ length: 50 }, (_, index) => 2 * index + 1);
  for (const stream of streams) connection.request(stream, fields());
  await connection.closed;
  const refused = 7;
  const farewell = connection.frames.find(({ type }) => type === frameTypes.goaway);
  for (const id of streams.filter((stream) => stream <= (farewell?.payload.readUInt32BE(0) ?? 0))) {
    const own = connection.frames.filter(({ stream }) => stream === id);
    const reset = own.find(({ type }) => type === frameTypes.reset)?.payload.readUInt32BE(0);
    assert.ok(
      reset === refused || own.some(({ flags: flag, type }) => type === frameTypes.data && (flag & flags.endStream) > 0),
      String(id),
    );
  }
});

test('HTTP/2: whoever takes back requests without end is told to calm down', async () => {
  let served = 0;
  await using server = await listen(async (request) => {
    request.source.connection.known = true;
    served++;
    return textResponse(200, '');
  });
  using connection = await RawHttp2.open(server.port, {});
  const block = headerBlock(fields());
  const cancel = Buffer.from([0, 0, 0, 8]);
  for (let stream = 1; stream < 20_000; stream += 2) {
    connection.write(
      Buffer.concat([
        frame(frameTypes.headers, flags.endHeaders | flags.endStream, stream, block),
        frame(frameTypes.reset, 0, stream, cancel),
      ]),
    );
  }
  const farewell = await connection.find(({ type }) => type === frameTypes.goaway);
  assert.equal(farewell?.payload.readUInt32BE(4), enhanceYourCalm);
  assert.ok(served < 5000);
});

test('HTTP/2: a client that has not said who it is may take back a few requests, and no more', async () => {
  let served = 0;
  await using server = await listen(async () => {
    served++;
    return textResponse(200, '');
  });
  using connection = await RawHttp2.open(server.port, {});
  const cancel = Buffer.from([0, 0, 0, 8]);
  const takeBack = (stream: number): Buffer =>
    Buffer.concat([
      frame(frameTypes.headers, flags.endHeaders | flags.endStream, stream, headerBlock(fields())),
      frame(frameTypes.reset, 0, stream, cancel),
    ]);
  connection.write(Buffer.concat(Array.from({ length: 10 }, (_, index) => takeBack(2 * index + 1))));
  connection.request(21, fields());
  const answer = await connection.find(({ type, stream }) => type === frameTypes.headers && stream === 21);
  assert.equal(answer === undefined ? undefined : statusOf(answer.payload), 200);
  connection.write(Buffer.concat(Array.from({ length: 1000 }, (_, index) => takeBack(2 * index + 23))));
  await connection.closed;
  assert.ok(served < 100);
});

test('HTTP/2: what a client that is to go asks at once after its answer is answered, too', async () => {
  await using server = await listen(async () => textResponse(401, 'who?', { connection: 'close' }));
  using connection = await RawHttp2.open(server.port, {});
  for (const id of [1, 3]) {
    connection.request(id, fields());
    const last = await connection.find(({ type, stream, flags: flag }) => stream === id && type < 2 && (flag & flags.endStream) > 0);
    assert.ok(last !== undefined);
  }
});

test('HTTP/2: many requests at once after the last answer of a connection are turned away, and what else is said is heard', async () => {
  let served = 0;
  await using server = await listen(async () => {
    served++;
    return textResponse(401, 'who?', { connection: 'close' });
  });
  using connection = await RawHttp2.open(server.port, {});
  const requests = Array.from({ length: 100 }, (_, index) =>
    frame(frameTypes.headers, flags.endHeaders | flags.endStream, 2 * index + 1, headerBlock(fields())),
  );
  connection.write(Buffer.concat([...requests, frame(frameTypes.ping, 0, 0, Buffer.alloc(8))]));
  const heard = await connection.find(({ type, flags: flag }) => type === frameTypes.ping && flag === flags.ack);
  assert.ok(heard !== undefined);
  await connection.closed;
  assert.ok(served < 5);
});

test('HTTP/2: requests that were taken back and still run count, and those beyond wait', async () => {
  const running: (() => void)[] = [];
  await using server = await listen(() => new Promise((resolve) => running.push(() => resolve(textResponse(200, '')))), { maxStreams: 2 });
  using connection = await RawHttp2.open(server.port, {});
  const cancel = Buffer.from([0, 0, 0, 8]);
  for (const stream of [1, 3]) {
    connection.request(stream, fields());
    while (running.length < (stream + 1) / 2) await new Promise((resolve) => setImmediate(resolve));
    connection.write(frame(frameTypes.reset, 0, stream, cancel));
  }
  connection.request(5, fields());
  connection.write(frame(frameTypes.ping, 0, 0, Buffer.alloc(8)));
  await connection.find(({ type, flags: flag }) => type === frameTypes.ping && flag === flags.ack);
  assert.equal(running.length, 2);
  running[0]?.();
  while (running.length < 3) await new Promise((resolve) => setImmediate(resolve));
  running[2]?.();
  const answer = await connection.find(({ type, stream }) => type === frameTypes.headers && stream === 5);
  assert.equal(answer === undefined ? undefined : statusOf(answer.payload), 200);
});

test('HTTP/2: the connection of whoever sends PING or SETTINGS without end is closed', async () => {
  await using server = await listen();
  for (const signal of [frame(frameTypes.ping, 0, 0, Buffer.alloc(8)), settings([[3, 100]])]) {
    using connection = await RawHttp2.open(server.port, {});
    for (let count = 0; count < 30; count++) connection.write(Buffer.concat(Array.from({ length: 100 }, () => signal)));
    // It may be closed on what the client still sends, and then the reason does not arrive.
    await connection.closed;
    const acknowledged = connection.frames.filter(({ flags: flag }) => flag === flags.ack).length;
    assert.ok(acknowledged < 3000);
  }
  assert.deepEqual(await ask(server.port, fields()), { status: 200, text: 'GET /' });
});

test('HTTP/2 is not spoken where it is not wanted', async () => {
  await using server = await listen(echo, { http1Only: true });
  const socket = tls.connect({ host: '127.0.0.1', port: server.port, rejectUnauthorized: false, ALPNProtocols: ['h2', 'http/1.1'] });
  await once(socket, 'secureConnect');
  assert.equal(socket.alpnProtocol, 'http/1.1');
  socket.destroy();
});

test('connections that say nothing, before or after they shook hands, do not hold up a stop', async () => {
  const server = await listen();
  const silent = net.connect(server.port, '127.0.0.1');
  await once(silent, 'connect');
  const shaken = tls.connect({ host: '127.0.0.1', port: server.port, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] });
  await once(shaken, 'secureConnect');
  const closed = [silent, shaken].map(async (socket) => {
    socket.on('error', () => {});
    await once(socket.resume(), 'close');
  });
  await server.listener.close(100);
  await Promise.all(closed);
});

test('metrics count connections by what is known of their clients, and those that end as too much is asked on them', async () => {
  const registry = new MetricsRegistry();
  const introducing: Handler = async (request) => {
    request.source.connection.known = true;
    return textResponse(200, '');
  };
  await using server = await listen(introducing, { metrics: new ConnectionMetrics(registry), maxStreams: 1 });
  const count = (name: string, label: string): number => {
    const family = registry.collect().find(({ options }) => options.name === name);
    assert.ok(family !== undefined);
    return (family.with(label) as Gauge).value;
  };
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await new Promise((resolve) => void setTimeout(resolve, 5));
  };
  const silent = net.connect(server.port, '127.0.0.1');
  await once(silent, 'connect');
  using stranger = await RawHttp2.open(server.port, {});
  using client = await RawHttp2.open(server.port, {});
  client.request(1, fields());
  await until(() => count('wheelhouse_connections', 'known') === 1 && count('wheelhouse_connections', 'silent') === 1);
  assert.equal(count('wheelhouse_connections', 'stranger'), 1);
  silent.destroy();
  for (let ping = 0; ping < 1000; ping++) stranger.write(frame(frameTypes.ping, 0, 0, Buffer.alloc(8)));
  await stranger.closed;
  assert.equal(count('wheelhouse_connections_ended_total', 'demand'), 1);
  await until(() => count('wheelhouse_connections', 'stranger') === 0);
});
