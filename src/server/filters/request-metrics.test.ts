import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../../testing/index.ts';
import { RawClient } from '../../../test/support/raw-client.ts';

test('/metrics counts requests by what they ask for and how they are answered', async () => {
  await using server = await startTestServer({ controllers: false });
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
  await using server = await startTestServer({ controllers: false });
  await using client = new RawClient(server);
  assert.match((await client.call('GET', '/livez?verbose')).text, /^\[\+\]poststarthook\/rbac\/bootstrap-roles ok$/m);
  assert.match((await client.call('GET', '/readyz?verbose&exclude=etcd')).text, /^\[\+\]etcd excluded: ok$/m);
  assert.match((await client.call('GET', '/statusz', { headers: { accept: 'text/plain' } })).text, /apiserver statusz/);
});

test('what clients make up has no series', async () => {
  await using server = await startTestServer({ controllers: false });
  await using client = new RawClient(server);
  const names = { plural: 'widgets', kind: 'Widget' };
  const schema = { openAPIV3Schema: { type: 'object' } };
  const versions = [{ name: 'v1', served: true, storage: true, schema, subresources: { status: {} } }];
  const definition = { metadata: { name: 'widgets.example.com' }, spec: { group: 'example.com', scope: 'Namespaced', names, versions } };
  await client.call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: definition });
  const series = async (): Promise<string[]> => {
    const { text } = await client.call('GET', '/metrics');
    return text.match(/^apiserver_request_total\{[^}]*\}/gm) ?? [];
  };
  const before = new Set(await series());
  for (let i = 0; i < 20; i++) {
    await client.call('GET', `/api/v1/namespaces/a/pods/p/sub${i}`);
    await client.call('GET', `/api/v1/namespaces/a/made-up-${i}`);
    await client.call('GET', `/apis/example.com/v1/namespaces/a/widgets/w/sub${i}`);
    await client.call('GET', `/apis/made-up-${i}/v1/namespaces/a/widgets`);
    await client.call('GET', `/made/up/${i}`);
    await client.call('DELETE', `/api/v1/namespaces/a/pods/p?dryRun=made-up-${i}`);
  }
  await client.call('GET', '/apis/example.com/v1/namespaces/a/widgets/w/status');
  await client.call('GET', '/apis/example.com/v1/namespaces/a/widgets/w/constructor');
  const added = (await series()).filter((one) => !before.has(one));
  assert.deepEqual(
    added.filter((one) => /sub[0-9]|made|constructor/.test(one)),
    [],
  );
  assert.ok(added.some((one) => /resource="widgets",scope="resource",subresource="status"/.test(one)));
  assert.ok(added.some((one) => /dry_run="invalid"/.test(one)));
  assert.ok(added.length < 8, added.join('\n'));
});
