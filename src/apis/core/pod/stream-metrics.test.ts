import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RawClient } from '../../../../test/support/raw-client.ts';
import { startTestServer } from '../../../testing/index.ts';

test('requests for streams of a pod are counted by who would translate them', async () => {
  await using server = await startTestServer({ controllers: false });
  await using client = new RawClient(server);
  const status = { addresses: [{ type: 'InternalIP', address: '127.0.0.1' }], daemonEndpoints: { kubeletEndpoint: { Port: 1 } } };
  assert.equal((await client.call('POST', '/api/v1/nodes', { body: { metadata: { name: 'n' }, status } })).status, 201);
  await client.call('POST', '/api/v1/namespaces/default/serviceaccounts', { body: { metadata: { name: 'default' } } });
  const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] };
  const pod = { metadata: { name: 'p' }, spec };
  const made = await client.call('POST', '/api/v1/namespaces/default/pods', { body: pod });
  assert.equal(made.status, 201, made.text);
  for (const action of ['exec', 'attach', 'portforward']) {
    await client.call('POST', `/api/v1/namespaces/default/pods/p/${action}?command=x`);
  }
  const { text } = await client.call('GET', '/metrics');
  for (const action of ['exec', 'attach', 'portforward']) {
    const labels = `{proxy_type="translated_at_apiserver",subresource="${action}"}`;
    assert.ok(text.includes(`apiserver_websocket_streaming_requests_total${labels} 1\n`), action);
  }
});
