import assert from 'node:assert/strict';
import { once } from 'node:events';
import * as http2 from 'node:http2';
import * as net from 'node:net';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { Http2ServerConnection } from './connection.ts';
import type { Http2Handler } from './connection.ts';
import { DateText } from './date-text.ts';
import { OutputPool } from './output-pool.ts';
import { SharedFrames } from './shared-frames.ts';
import type { Http2Stream } from './stream.ts';

const limits = { maxStreams: 100, streamWindow: 256 << 10, connectionWindow: 4 << 20, maxFrameSize: 256 << 10, maxHeaderListSize: 1 << 20 };

type Serve = (stream: Http2Stream) => void;

class Served implements Http2Handler {
  readonly #serve: Serve;
  readonly released: number[] = [];

  constructor(serve: Serve) {
    this.#serve = serve;
  }

  request(stream: Http2Stream) {
    queueMicrotask(() => this.#serve(stream));
    return { bodyArrived: () => {}, released: () => this.released.push(stream.id) };
  }

  greeted(): void {}
  signal(): void {}
  refused(): void {}
  mayReadOn(): boolean {
    return true;
  }
  closed(): void {}
}

/** A server of ours without TLS, and node's client. */
async function connected(serve: Serve, settings: http2.Settings = {}) {
  const shared = { pool: new OutputPool(), date: new DateText(), frame: new SharedFrames() };
  const handler = new Served(serve);
  let connection: Http2ServerConnection | undefined;
  const server = net.createServer((socket) => (connection = new Http2ServerConnection(socket, limits, shared, handler)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = http2.connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { settings });
  client.on('error', () => {});
  await once(client, 'remoteSettings');
  return {
    client,
    handler,
    connection: connection as unknown as Http2ServerConnection,
    async [Symbol.asyncDispose]() {
      client.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Answer {
  readonly headers: http2.IncomingHttpHeaders;
  readonly body: Buffer;
  readonly code: number;
}

async function ask(client: http2.ClientHttp2Session, headers: http2.OutgoingHttpHeaders, body?: Buffer): Promise<Answer> {
  const stream = client.request(headers, { endStream: body === undefined });
  stream.on('error', () => {});
  if (body !== undefined) stream.end(body);
  let answered: http2.IncomingHttpHeaders = {};
  const pieces: Buffer[] = [];
  stream.on('response', (given) => (answered = given));
  stream.on('data', (piece: Buffer) => pieces.push(piece));
  await new Promise((resolve) => stream.once('close', resolve));
  return { headers: answered, body: Buffer.concat(pieces), code: stream.rstCode ?? 0 };
}

/** Sends the body back. */
const echo: Serve = (stream) => {
  const pieces: Buffer[] = [];
  stream.read({
    data: (piece) => pieces.push(piece) > 0,
    end: () => {
      stream.respond(200, { 'content-type': 'x/y', 'x-path': stream.fields?.path ?? '', 'x-many': ['a', 'b'] }, false);
      stream.finish(Buffer.concat(pieces));
    },
    broken: () => {},
  });
};

test("node's client gets what it asks for, again and again on one connection", async () => {
  await using both = await connected(echo);
  for (let round = 0; round < 50; round++) {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => ask(both.client, { ':path': `/${round}/${index}`, 'x-long': 'v'.repeat(index * 100) })),
    );
    for (const [index, { headers, body, code }] of answers.entries()) {
      assert.equal(code, 0);
      assert.equal(headers[':status'], 200);
      assert.equal(headers['x-path'], `/${round}/${index}`);
      assert.equal(headers['x-many'], 'a, b');
      assert.ok(headers.date !== undefined);
      assert.equal(body.length, 0);
    }
  }
  assert.equal(both.handler.released.length, 1000);
});

test('bodies larger than every window pass both ways', async () => {
  await using both = await connected(echo, { initialWindowSize: 70_000 });
  const bodies = [3 << 20, 100_000, 1, 0, 5 << 20].map((size, index) => Buffer.alloc(size, index + 65));
  const answers = await Promise.all(bodies.map((body) => ask(both.client, { ':method': 'POST', ':path': '/' }, body)));
  for (const [index, { body, code }] of answers.entries()) {
    assert.equal(code, 0);
    assert.ok(body.equals(bodies[index] as Buffer), `body ${index}: ${body.length}`);
  }
});

test('a response that is written piece by piece waits for its client, and tells when pieces are no longer needed', async () => {
  const piece = Buffer.alloc(50_000, 'p');
  let flushed = 0;
  let most = 0;
  const write = async (stream: Http2Stream): Promise<void> => {
    stream.respond(200, {}, false);
    for (let count = 0; count < 100; count++) {
      if (!stream.write(piece, () => flushed++)) await stream.drained();
      most = Math.max(most, stream.queued);
    }
    stream.finish();
  };
  await using both = await connected((stream) => void write(stream));
  const { body, code } = await ask(both.client, { ':path': '/' });
  assert.equal(code, 0);
  assert.equal(body.length, 100 * piece.length);
  assert.equal(flushed, 100);
  assert.ok(most <= 150_000, String(most));
});

test('headers larger than a frame go out in several', async () => {
  const value = 'v'.repeat(50_000);
  await using both = await connected((stream) => stream.respond(200, { 'x-large': value }, true));
  const { headers } = await ask(both.client, { ':path': '/' });
  assert.equal(headers['x-large'], value);
});

test('a client that takes a request back ends its response, and what it held is let go', async () => {
  const closed = Promise.withResolvers<void>();
  let flushed = 0;
  await using both = await connected(
    (stream) => {
      stream.onClose(() => closed.resolve());
      stream.respond(200, {}, false);
      for (let count = 0; count < 10; count++) stream.write(Buffer.alloc(100_000), () => flushed++);
    },
    { initialWindowSize: 0 },
  );
  const stream = both.client.request({ ':path': '/' });
  stream.on('error', () => {});
  await once(stream, 'response');
  assert.equal(flushed, 0);
  stream.close(http2.constants.NGHTTP2_CANCEL);
  await closed.promise;
  assert.equal(flushed, 10);
});

test('a response before the end of the request is taken, and the client need not send the rest', async () => {
  await using both = await connected((stream) => {
    stream.respond(413, {}, false);
    stream.finish(Buffer.from('too large'));
  });
  const stream = both.client.request({ ':method': 'POST', ':path': '/' });
  let text = '';
  stream.on('data', (piece: Buffer) => (text += String(piece)));
  const [headers] = (await once(stream, 'response')) as [http2.IncomingHttpHeaders];
  await new Promise((resolve) => stream.once('close', resolve));
  assert.equal(headers[':status'], 413);
  assert.equal(text, 'too large');
  assert.equal(stream.rstCode, 0);
});

test('a connection that is to go serves what it has, and closes', async () => {
  const waiting: Http2Stream[] = [];
  await using both = await connected((stream) => void waiting.push(stream));
  const answer = ask(both.client, { ':path': '/' });
  while (waiting.length === 0) await new Promise((resolve) => setImmediate(resolve));
  const goaway = once(both.client, 'goaway');
  both.connection.retire();
  const [code, last] = (await goaway) as [number, number];
  assert.deepEqual([code, last], [0, 1]);
  waiting[0]?.respond(204, {}, true);
  assert.equal((await answer).headers[':status'], 204);
  await new Promise<void>((resolve) => (both.client.closed ? resolve() : both.client.once('close', resolve)));
});

test('a client that waits for leave to send its body gets it when the body is read', async () => {
  await using both = await connected(echo);
  const stream = both.client.request({ ':method': 'POST', ':path': '/', expect: '100-continue' }, { endStream: false });
  await once(stream, 'continue');
  stream.end('body');
  let text = '';
  stream.on('data', (piece: Buffer) => (text += String(piece)));
  await once(stream, 'end');
  assert.equal(text, 'body');
});

test('a stream whose response is sent ends also when all of its body has come and its client does not say so', async () => {
  await using served = await connected((stream) => {
    stream.respond(200, {}, false);
    stream.finish(Buffer.from('done'));
  });
  const stream = served.client.request({ ':method': 'POST', ':path': '/', 'content-length': '2' });
  stream.on('error', () => {});
  stream.write('ab');
  stream.resume();
  await once(stream, 'close');
  assert.deepEqual([stream.rstCode, served.handler.released], [http2.constants.NGHTTP2_NO_ERROR, [1]]);
});
