import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import * as tls from 'node:tls';
import { DateText } from '../../base/http2/date-text.ts';
import { OutputPool } from '../../base/http2/output-pool.ts';
import { SharedFrames } from '../../base/http2/shared-frames.ts';
import { createAuthority, issueCertificate } from '../../base/tls/certificate.ts';
import { RawHttp2, flags, frame, frameTypes, headerBlock, preface, settings } from '../../../test/support/http2-frames.ts';
import { Connection } from './connection.ts';
import { Http2Connection } from './http2-connection.ts';
import type { Http2Exchange } from './http2.ts';
import { textResponse } from './response.ts';
import { Turn } from './turn.ts';

const day = 24 * 3600 * 1000;
const validity = { from: new Date(Date.now() - day), to: new Date(Date.now() + day) };
const authority = createAuthority({ commonName: 'connection-test-ca' }, validity);
const pair = issueCertificate(authority, { subject: { commonName: 'server' }, uses: ['server'], names: ['127.0.0.1'], validity });

interface Both extends AsyncDisposable {
  readonly client: RawHttp2;
  readonly server: Http2Connection;
}

async function connected(serve: (exchange: Http2Exchange) => Promise<void>, first?: Uint8Array, maxStreams = 10): Promise<Both> {
  const listener = tls.createServer({ cert: pair.certificate, key: pair.key, ALPNProtocols: ['h2'] });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const accepted = once(listener, 'secureConnection') as Promise<[tls.TLSSocket]>;
  const made = accepted.then(
    ([socket]) =>
      new Http2Connection(socket, new Connection(socket), {
        maxStreams,
        turn: new Turn(),
        shared: { pool: new OutputPool(), date: new DateText(), frame: new SharedFrames() },
        serve,
        closed: () => {},
        calmed: () => {},
      }),
  );
  const client = await RawHttp2.open((listener.address() as AddressInfo).port, {}, first);
  return {
    client,
    server: await made,
    async [Symbol.asyncDispose]() {
      client.socket.destroy();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}

const request = [
  [':method', 'GET'],
  [':scheme', 'https'],
  [':authority', 'localhost'],
  [':path', '/'],
] as const;
const answer = (exchange: Http2Exchange): Promise<void> => exchange.send(textResponse(200, 'done'), {});
const later = (seconds: number): number => performance.now() + seconds * 1000;

test('a connection without requests is asked to go after a while, and not before', async () => {
  await using both = await connected(answer);
  both.client.request(1, request);
  await both.client.find(({ type, flags: flag }) => type === frameTypes.data && (flag & flags.endStream) > 0);
  both.server.sweep(later(80));
  both.client.write(frame(frameTypes.ping, 0, 0, Buffer.alloc(8)));
  await both.client.find(({ type }) => type === frameTypes.ping);
  assert.ok(!both.client.frames.some(({ type }) => type === frameTypes.goaway));
  both.server.sweep(later(91));
  const farewell = await both.client.find(({ type }) => type === frameTypes.goaway);
  assert.equal(farewell?.payload.readUInt32BE(4), 0);
  await both.client.closed;
});

test('a connection with a request under way is not idle, however long it takes', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await using both = await connected((exchange) => promise.then(() => answer(exchange)));
  both.client.request(1, request);
  both.client.write(frame(frameTypes.ping, 0, 0, Buffer.alloc(8)));
  await both.client.find(({ type }) => type === frameTypes.ping);
  both.server.sweep(later(1000));
  resolve();
  const data = await both.client.find(({ type }) => type === frameTypes.data);
  assert.equal(String(data?.payload), 'done');
});

test('a request whose body was read is over when it has its response, whether its end came with the body or after it', async () => {
  const lengths: (number | undefined)[] = [];
  await using both = await connected(async (exchange) => {
    lengths.push((await exchange.readBody(100))?.length);
    await answer(exchange);
  });
  const post = [[':method', 'POST'], ...request.slice(1), ['content-length', '4']] as const;
  const done = (id: number) =>
    both.client.find(({ type, stream, flags: flag }) => type === frameTypes.data && stream === id && (flag & flags.endStream) > 0);
  both.client.request(1, post, false);
  both.client.write(frame(frameTypes.data, flags.endStream, 1, Buffer.from('body')));
  await done(1);
  both.client.request(3, post, false);
  both.client.write(frame(frameTypes.data, 0, 3, Buffer.from('body')));
  await done(3);
  both.client.write(frame(frameTypes.data, flags.endStream, 3, Buffer.alloc(0)));
  while (!both.server.idle) await setImmediate();
  assert.deepEqual(lengths, [4, 4]);
});

test('of a known client that takes its requests back few are begun, and those that it waits for are', async () => {
  let begun = 0;
  const serve = async (exchange: Http2Exchange): Promise<void> => {
    exchange.connection.known = true;
    begun++;
    await setImmediate();
    await answer(exchange);
  };
  await using both = await connected(serve, undefined, 100);
  const done = (id: number) => both.client.find(({ type, stream }) => type === frameTypes.data && stream === id);
  both.client.request(1, request);
  await done(1);
  const cancel = Buffer.from([0, 0, 0, 8]);
  const block = headerBlock(request);
  const pairs = Array.from({ length: 150 }, (_, index) => [
    frame(frameTypes.headers, flags.endHeaders | flags.endStream, 2 * index + 3, block),
    frame(frameTypes.reset, 0, 2 * index + 3, cancel),
  ]);
  both.client.write(Buffer.concat(pairs.flat()));
  both.client.request(401, request);
  await done(401);
  assert.ok(begun < 50, `${begun} of 152 were begun`);
});

test('a client that does not greet is cut off', async () => {
  await using both = await connected(answer, preface.subarray(0, 5));
  both.server.sweep(later(11));
  assert.ok(!both.client.socket.destroyed);
  both.server.sweep(later(13));
  await both.client.closed;
});

test('a client that is to go and does not read is cut off', async () => {
  await using both = await connected(answer);
  both.server.retire();
  both.server.sweep(later(2));
  await both.client.closed;
});

test('a response that its client does not read is broken off when its time is over', async () => {
  let exchange: Http2Exchange | undefined;
  // The client leaves no room for the response's body.
  await using both = await connected(
    async (asked) => {
      exchange = asked;
      asked.sendBy = performance.now() + 1000;
      await answer(asked);
    },
    Buffer.concat([preface, settings([[4, 0]])]),
  );
  both.client.request(1, request);
  await both.client.find(({ type }) => type === frameTypes.headers);
  both.server.sweep(later(0));
  assert.equal(exchange?.closed, false);
  both.server.sweep(later(2));
  const reset = await both.client.find(({ type }) => type === frameTypes.reset);
  assert.equal(reset?.payload.readUInt32BE(0), 2);
});

test('a client that talks much beside its requests is told to calm down, and one that sends a body is not', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await using both = await connected((exchange) => promise.then(() => answer(exchange)));
  const talk = Buffer.concat(Array.from({ length: 120_000 }, () => frame(frameTypes.windowUpdate, 0, 0, Buffer.from([0, 0, 0, 1]))));
  const heard = async (id: number): Promise<void> => {
    both.client.write(talk);
    both.client.write(frame(frameTypes.ping, 0, 0, Buffer.alloc(8, id)));
    await both.client.find(({ type, payload }) => type === frameTypes.ping && payload[0] === id);
  };
  both.client.request(1, [[':method', 'POST'] as const, ...request.slice(1)], false);
  await heard(1);
  both.server.endIfIdleTalk(performance.now());
  resolve();
  await both.client.find(({ type, stream, flags: flag }) => stream === 1 && type < 2 && (flag & flags.endStream) > 0);
  await heard(2);
  both.server.endIfIdleTalk(performance.now());
  const farewell = await both.client.find(({ type }) => type === frameTypes.goaway);
  assert.equal(farewell?.payload.readUInt32BE(4), 11);
});

for (const announced of [false, true])
  test(`a large body is no talk beside requests while it is being looked at${announced ? ', also when its length was announced and its end is not read yet' : ''}`, async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const read = Promise.withResolvers<void>();
    await using both = await connected(async (exchange) => {
      exchange.connection.known = true;
      await exchange.readBody(4 << 20);
      read.resolve();
      await promise;
      await answer(exchange);
    });
    const length = announced ? [['content-length', String(20 * (100 << 10))] as const] : [];
    both.client.request(1, [[':method', 'POST'] as const, ...request.slice(1), ...length], false);
    // No more at a time than the window of the stream allows.
    for (let id = 1; id <= 20; id++) {
      both.client.write(frame(frameTypes.data, 0, 1, Buffer.alloc(100 << 10)));
      both.client.write(frame(frameTypes.ping, 0, 0, Buffer.alloc(8, id)));
      await both.client.find(({ type, payload }) => type === frameTypes.ping && payload[0] === id);
    }
    both.client.write(frame(frameTypes.data, flags.endStream, 1, Buffer.alloc(0)));
    await read.promise;
    both.server.endIfIdleTalk(performance.now());
    both.client.write(frame(frameTypes.ping, 0, 0, Buffer.alloc(8, 99)));
    const next = await both.client.find(({ type, payload }) => type === frameTypes.goaway || payload[0] === 99);
    assert.equal(next?.type, frameTypes.ping);
    resolve();
    await both.client.find(({ type, stream, flags: flag }) => stream === 1 && type < 2 && (flag & flags.endStream) > 0);
  });

test('a stranger that does not take its answer is cut off, and a client that is known is not', async () => {
  for (const known of [false, true]) {
    await using both = await connected(
      async (exchange) => {
        exchange.connection.known = known;
        exchange.connection.retiring = true;
        await answer(exchange);
      },
      Buffer.concat([preface, settings([[4, 0]])]),
    );
    both.client.request(1, request);
    await both.client.find(({ type }) => type === frameTypes.goaway);
    both.server.sweep(later(0));
    both.server.sweep(later(0.5));
    assert.ok(!both.client.socket.destroyed);
    both.server.sweep(later(2));
    both.client.write(frame(frameTypes.ping, 0, 0, Buffer.alloc(8)));
    const heard = await both.client.find(({ type }) => type === frameTypes.ping);
    assert.equal(heard !== undefined, known);
  }
});
