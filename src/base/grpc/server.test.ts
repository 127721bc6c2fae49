import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, constants, createServer } from 'node:http2';
import type { ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { serveCall } from './server.ts';

test('a call that its client takes back before it is served gets no response: to begin one would throw', { timeout: 10_000 }, async () => {
  const errors: unknown[] = [];
  const begun = Promise.withResolvers<ServerHttp2Stream>();
  const server = createServer();
  server.on('stream', (stream: ServerHttp2Stream, headers) => {
    // It is closed now, and destroyed a moment later.
    stream.once('aborted', () => {
      try {
        assert.deepEqual([stream.closed, stream.destroyed], [true, false]);
        serveCall(stream, headers, {
          methods: new Map(),
          maxReceiveBytes: 1024,
          onError: (_path, error) => void errors.push(error),
          isStopping: () => false,
        });
      } catch (error) {
        errors.push(error);
      }
    });
    begun.resolve(stream);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const request = client.request({ ':method': 'POST', ':path': '/a/Unknown', 'content-type': 'application/grpc' });
  request.on('error', () => {});
  const stream = await begun.promise;
  request.close(constants.NGHTTP2_CANCEL);
  await once(stream, 'close');
  assert.equal(stream.headersSent, false);
  assert.deepEqual(errors, []);
  client.destroy();
  server.close();
});
