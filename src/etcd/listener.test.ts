import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { flags, frame, frameTypes, headerBlock, preface, settings } from '../../test/support/http2-frames.ts';
import { statusCode, GrpcError } from '../base/grpc/status.ts';
import type { GrpcMethod } from '../base/grpc/server.ts';
import { Listener } from './listener.ts';

interface Listening extends AsyncDisposable {
  readonly port: number;
  readonly errors: Error[];
}

async function listening(methods: Record<string, GrpcMethod>, silentMs = 30_000): Promise<Listening> {
  const errors: Error[] = [];
  const listener = await Listener.create({
    tls: undefined,
    silentMs,
    plain: async () => {
      await sleep(5);
      return { status: 200, type: 'text/plain', body: 'ok' };
    },
    grpc: {
      methods: new Map(Object.entries(methods)),
      maxReceiveBytes: 1024,
      onError: (_path, error) => void errors.push(error),
      isStopping: () => false,
    },
  });
  const port = await listener.listen('127.0.0.1', 0);
  return { port, errors, [Symbol.asyncDispose]: () => listener.close(0) };
}

const call = (path: string, type = 'application/grpc'): Buffer =>
  headerBlock([
    [':method', 'POST'],
    [':scheme', 'http'],
    [':authority', 'localhost'],
    [':path', path],
    ['content-type', type],
  ]);
const message = Buffer.from([0, 0, 0, 0, 0]);
const two = Buffer.concat([message, message]);
const cancel = Buffer.from([0, 0, 0, 8]);

/** Opens a connection, writes and reads until it ends. */
async function talk(port: number, ...parts: readonly Buffer[]): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.resume();
  await once(socket, 'connect');
  socket.write(Buffer.concat(parts));
  return socket;
}

test('calls and requests that are taken back at any moment, by themselves or with their connection, get no response and harm no others', async () => {
  const pause = (): Promise<Buffer> => sleep(5, Buffer.from('x'));
  await using server = await listening({
    '/a/Unary': { unary: pause },
    '/a/Now': { unary: () => Buffer.from('x') },
    '/a/Fails': {
      unary: async () => {
        await pause();
        throw new GrpcError(statusCode.internal, 'no');
      },
    },
    '/a/Stream': {
      stream: async (stream) => {
        await stream.send(await pause());
      },
    },
  });
  for (const [path, type] of [['/a/Unary'], ['/a/Now'], ['/a/Fails'], ['/a/Stream'], ['/a/Unknown'], ['/plain', 'text/plain']] as const) {
    for (const wait of [0, 1, 5, 10]) {
      const socket = await talk(server.port, preface, settings([]));
      for (let stream = 1; stream < 20; stream += 2) {
        const whole = [
          frame(frameTypes.headers, flags.endHeaders, stream, call(path, type)),
          frame(frameTypes.data, stream % 6 === 1 ? flags.endStream : 0, stream, stream % 6 === 3 ? two : message),
        ];
        const reset = frame(frameTypes.reset, 0, stream, cancel);
        // What comes in one packet is over before its call begins.
        socket.write(Buffer.concat(wait === 0 ? [...whole, reset] : whole));
        if (wait === 0) continue;
        await sleep(wait);
        socket.write(reset);
      }
      socket.write(frame(frameTypes.headers, flags.endHeaders, 21, call(path, type)));
      socket.write(frame(frameTypes.data, flags.endStream, 21, message));
      await sleep(wait);
      socket.destroy();
    }
  }
  await sleep(20);
  assert.deepEqual(server.errors, []);
  const other = await fetch(`http://127.0.0.1:${server.port}/health`);
  assert.equal(await other.text(), 'ok');
});

const slow: Readonly<Record<string, Buffer>> = {
  nothing: Buffer.alloc(0),
  'half a line of HTTP/1': Buffer.from('GET /hea'),
  'headers of HTTP/1 without an end': Buffer.from('GET /health HTTP/1.1\r\nHost: a\r\n'),
  'the start of a preface': preface.subarray(0, 5),
  'a preface without settings': preface.subarray(0, 24),
};
for (const [what, bytes] of Object.entries(slow)) {
  test(`a connection that sends ${what} ends`, { timeout: 10_000 }, async () => {
    await using server = await listening({}, 50);
    const socket = await talk(server.port, bytes);
    await once(socket, 'close');
  });
}

test('a connection of HTTP/1 that has had its response ends when no other request comes', { timeout: 10_000 }, async () => {
  await using server = await listening({}, 50);
  const socket = connect(server.port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
  socket.on('error', () => {});
  socket.write('GET /health HTTP/1.1\r\nHost: a\r\n\r\nGET /he');
  await once(socket, 'close');
  assert.match(received, /^HTTP\/1.1 200 OK/);
});
