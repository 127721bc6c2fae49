import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { systemClock } from '../../base/clock.ts';
import { mostAnswerBytes } from '../../base/https/bounded-body.ts';
import { RemoteClient } from './remote-client.ts';

test('a response over plain http that does not end is read up to the limit, and no further', async () => {
  const piece = Buffer.alloc(1 << 20, ' ');
  let sent = 0;
  const cutOff = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' });
    response.once('close', cutOff.resolve);
    const more = (): void => {
      // More than the client and both sockets can hold: a client without a limit would read it all.
      for (; sent < 4 * mostAnswerBytes;) {
        sent += piece.length;
        if (!response.write(piece)) return void response.once('drain', more);
      }
      response.end();
    };
    more();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  using client = new RemoteClient({ url, headers: async () => ({}), authorities: undefined, client: undefined }, systemClock);
  try {
    await assert.rejects(client.post('{}'), /response body is larger than 67108864 bytes$/);
    await cutOff.promise;
    assert.ok(sent < 2 * mostAnswerBytes, `${sent} bytes were sent`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});
