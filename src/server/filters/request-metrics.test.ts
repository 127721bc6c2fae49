import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../../testing/index.ts';
import { RawClient } from '../../testing/raw-client.ts';

test('/metrics counts requests by what they ask for and how they are answered', async () => {
  await using server = await startTestServer();
  await using client = new RawClient(server);
  await client.call('GET', '/api/v1/namespaces/default/configmaps');
  await client.call('GET', '/api/v1/namespaces/default/configmaps');
  await client.call('GET', '/api/v1/namespaces/default/configmaps/none');
  const { text, headers } = await client.call('GET', '/metrics');
  assert.match(headers['content-type'] ?? '', /^text\/plain; version=0\.0\.4/);
  assert.match(
    text,
    /^apiserver_request_total\{code="200",component="apiserver",dry_run="",group="",resource="configmaps",scope="namespace",subresource="",verb="LIST",version="v1"\} 2$/m,
  );
  assert.match(text, /^apiserver_request_total\{code="404"[^}]*resource="configmaps",scope="resource"[^}]*verb="GET"[^}]*\} 1$/m);
  assert.match(text, /^apiserver_request_duration_seconds_count\{[^}]*verb="LIST"[^}]*\} 2$/m);
});

test('health checks are named as clients know them', async () => {
  await using server = await startTestServer();
  await using client = new RawClient(server);
  assert.match((await client.call('GET', '/livez?verbose')).text, /^\[\+\]poststarthook\/rbac\/bootstrap-roles ok$/m);
  assert.match((await client.call('GET', '/readyz?verbose&exclude=etcd')).text, /^\[\+\]etcd excluded: ok$/m);
  assert.match((await client.call('GET', '/statusz', { headers: { accept: 'text/plain' } })).text, /kube-apiserver statusz/);
});
