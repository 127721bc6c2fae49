import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { eventually } from '../../test/support/eventually.ts';
import { RawClient } from '../../test/support/raw-client.ts';
import { testRemote } from '../../test/support/webhook-remote.ts';
import { startTestServer } from '../testing/index.ts';

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

interface Discovery {
  readonly items: {
    readonly metadata: { readonly name?: string };
    readonly versions: { readonly freshness: string; readonly resources?: object[] }[];
  }[];
}

const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';

/** A service, and the APIService that says that the server at this port serves `example.com/v1`. */
async function register(client: RawClient, port: number): Promise<void> {
  const service = { namespace: 'default', name: 'remote', port };
  const body = { metadata: { name: service.name }, spec: { type: 'ExternalName', externalName: 'localhost', ports: [{ port }] } };
  assert.equal((await client.call('POST', '/api/v1/namespaces/default/services', { body })).status, 201);
  const spec = {
    group: 'example.com',
    version: 'v1',
    service,
    insecureSkipTLSVerify: true,
    groupPriorityMinimum: 1000,
    versionPriority: 15,
  };
  assert.equal((await client.call('POST', apiServices, { body: { metadata: { name: 'v1.example.com' }, spec } })).status, 201);
}

test('what a server serves is in discovery even while it counts as unavailable', async () => {
  const resources = [{ resource: 'widgets', scope: '', verbs: ['get'], shortNames: ['w'] }];
  const document = { items: [{ metadata: { name: 'example.com' }, versions: [{ version: 'v1', resources }] }] };
  await using remote = await testRemote((_body, { url }) => (response: ServerResponse) => {
    if (url === '/apis') response.setHeader('content-type', aggregated).end(JSON.stringify(document));
    else response.writeHead(500).end();
  });
  await using server = await startTestServer({ controllers: false });
  await using client = new RawClient(server);
  await register(client, Number(remote.url.port));
  const found = await eventually('discovery of the remote server', async () => {
    const { items } = await client.json<Discovery>('GET', '/apis', { headers: { accept: aggregated } });
    return items.find(({ metadata, versions }) => metadata.name === 'example.com' && versions[0]?.resources !== undefined);
  });
  // It is passed on as it is, but for the kind, which old clients expect.
  const responseKind = { group: '', version: '', kind: '' };
  const shown = { resource: 'widgets', responseKind, scope: '', singularResource: '', verbs: ['get'], shortNames: ['w'] };
  assert.deepEqual(found.versions, [{ version: 'v1', freshness: 'Current', resources: [shown] }]);
  const unavailable = await eventually('the verdict', async () => {
    const { status } = await client.json<{ status?: { conditions?: { status: string; reason: string }[] } }>(
      'GET',
      `${apiServices}/v1.example.com`,
    );
    return status?.conditions?.find(({ reason }) => reason === 'FailedDiscoveryCheck');
  });
  assert.equal(unavailable.status, 'False');
  assert.equal((await client.call('GET', '/apis/example.com/v1')).status, 503);
});

test('what a server says in OpenAPI is shown also when nobody can make out what it serves', async () => {
  const own = '/apis/example.com/v1/';
  await using remote = await testRemote(() => ({ swagger: '2.0', info: { title: 'widgets', version: 'v1' }, paths: { [own]: {} } }));
  await using server = await startTestServer({ controllers: false });
  await using client = new RawClient(server);
  await register(client, Number(remote.url.port));
  await eventually('the path of the remote server', async () => {
    const { paths } = await client.json<{ paths: Readonly<Record<string, object>> }>('GET', '/openapi/v2');
    return Object.hasOwn(paths, own) ? true : undefined;
  });
});
