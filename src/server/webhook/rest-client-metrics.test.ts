import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { systemClock } from '../../base/clock.ts';
import { MetricsRegistry } from '../../base/metrics.ts';
import { RemoteClient } from './remote-client.ts';
import { RestClientMetrics, restClientFamilies } from './rest-client-metrics.ts';

test('a request counts once, whatever became of it; its retries count beside', async () => {
  const codes = [429, 200, 404];
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(codes.shift() ?? 500, { 'retry-after': '0' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const registry = new MetricsRegistry();
  const remote = { url: new URL(`http://${host}/`), headers: async () => ({}), authorities: undefined, client: undefined };
  {
    using client = new RemoteClient(remote, systemClock, { metrics: new RestClientMetrics(registry) });
    await client.post('{"a":1}');
    await assert.rejects(client.post('{}'));
    await new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await assert.rejects(client.post('{}'));
  }
  const { requests, retries, seconds, sent, received } = restClientFamilies(registry);
  assert.deepEqual(
    [...requests.children()].map(([values, { value }]) => [values, value]),
    [
      [['200', 'POST', host], 1],
      [['404', 'POST', host], 1],
      [['<error>', 'POST', host], 1],
    ],
  );
  assert.deepEqual(
    [...retries.children()].map(([values, { value }]) => [values, value]),
    [[['429', 'POST', host], 1]],
  );
  assert.equal(seconds.with('POST', host).total, 3);
  assert.equal(sent.with('POST', host).sum, 7 + 2 + 2);
  assert.equal(received.with('POST', host).total, 2);
});
