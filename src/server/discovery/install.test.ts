import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../machinery/errors.ts';
import { parseCidr } from '../../machinery/ip.ts';
import type { Cidr } from '../../machinery/ip.ts';
import { servedGroupVersions } from '../../schema/resources.ts';
import { Connection } from '../http/connection.ts';
import { Request } from '../http/request.ts';
import type { Response } from '../http/response.ts';
import { PathMux, notFoundHandler } from '../http/path-mux.ts';
import { installRootPaths } from '../routes/root-paths.ts';
import { createCodecs } from '../object/create-codecs.ts';
import { builtInGroupVersion, customResourcePriorities } from './group-version.ts';
import { installDiscovery } from './install.ts';
import { DiscoveryRegistry } from './registry.ts';

const codecs = createCodecs();
const v2 = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

function server(): {
  registry: DiscoveryRegistry;
  ask: (path: string, headers?: Record<string, string>, method?: string) => Promise<Response>;
} {
  const registry = new DiscoveryRegistry();
  for (const served of servedGroupVersions()) if (served.servedByDefault) registry.put(builtInGroupVersion(served));
  const mux = new PathMux();
  const rules = [{ clients: parseCidr('10.96.0.0/12') as Cidr, address: '10.96.0.1:443' }];
  installDiscovery(mux, { registry, codecs, addresses: () => ({ default: '192.0.2.2:6443', rules }), notFound: notFoundHandler });
  installRootPaths(mux, registry);
  const handler = mux.handler(notFoundHandler);
  const ask = async (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> => {
    const source = {
      method,
      target: path,
      protocol: 'HTTP/2.0' as const,
      headers,
      connection: new Connection(undefined),
      readBody: () => Promise.resolve(Buffer.alloc(0)),
      body: undefined,
      onClose: () => {},
    };
    try {
      return await handler(new Request(source, 0));
    } catch (error) {
      assert.ok(error instanceof ApiError);
      return { status: error.status.code ?? 0, headers: {} };
    }
  };
  return { registry, ask };
}

function body(response: Response): Record<string, unknown> {
  return JSON.parse(String(response.body)) as Record<string, unknown>;
}

test('a client learns the addresses that are for it', async () => {
  const { ask } = server();
  const addresses = async (headers: Record<string, string>): Promise<unknown> =>
    body(await ask('/api', headers))['serverAddressByClientCIDRs'];
  const everybody = { clientCIDR: '0.0.0.0/0', serverAddress: '192.0.2.2:6443' };
  assert.deepEqual(await addresses({}), [everybody]);
  assert.deepEqual(await addresses({ 'x-forwarded-for': '10.100.2.3, 192.0.2.9' }), [
    everybody,
    { clientCIDR: '10.96.0.0/12', serverAddress: '10.96.0.1:443' },
  ]);
});

const statuses: readonly (readonly [method: string, path: string, accept: string, status: number])[] = [
  ['GET', '/apis/apps', '', 200],
  ['GET', '/apis/apps/', '', 200],
  ['GET', '/apis/apps/v1/', '', 200],
  ['POST', '/apis/apps', '', 200],
  ['POST', '/apis/apps/v1', '', 405],
  ['POST', '/api', '', 405],
  ['GET', '/apis/apps/v9', '', 404],
  ['GET', '/apis/nope', '', 404],
  ['GET', '/api/v1/nope/', '', 404],
  ['GET', '/apis', 'text/html', 406],
  ['GET', '/apis', 'application/*', 200],
  ['GET', '/api', 'application/*', 406],
  ['GET', '/apis', v2.replace('v=v2', 'v=v2beta1'), 406],
  ['GET', '/apis/apps/v1', v2, 406],
  ['GET', '/apis/', v2, 406],
];
for (const [method, path, accept, status] of statuses) {
  test(`${method} ${path} with Accept "${accept}" is answered with ${status}`, async () => {
    const response = await server().ask(path, accept === '' ? {} : { accept }, method);
    assert.equal(response.status, status);
  });
}

test('aggregated discovery comes with a tag and is not sent again to those who know it', async () => {
  const { ask, registry } = server();
  const first = await ask('/apis', { accept: v2 });
  assert.equal(first.headers['content-type'], v2);
  assert.equal(first.headers['vary'], 'Accept');
  const etag = String(first.headers['etag']);
  assert.match(etag, /^"[0-9A-F]{128}"$/);
  assert.equal((await ask('/apis', { accept: v2, 'if-none-match': etag })).status, 304);
  registry.remove({ group: 'apps', version: 'v1' }, 'built-in');
  assert.equal((await ask('/apis', { accept: v2, 'if-none-match': etag })).status, 200);
});

test('the tag is the same in every encoding', async () => {
  const { ask } = server();
  const tags = ['json', 'yaml', 'vnd.kubernetes.protobuf'].map(async (media) => {
    return (await ask('/api', { accept: v2.replace('json', media) })).headers['etag'];
  });
  assert.equal(new Set(await Promise.all(tags)).size, 1);
});

test('custom resources appear everywhere when they are put, and vanish when they are removed', async () => {
  const { ask, registry } = server();
  const widgets = { name: 'widgets', singular: 'widget', kind: 'Widget', namespaced: true, verbs: ['get'] };
  registry.put({ group: 'example.com', version: 'v1', origin: 'custom', ...customResourcePriorities, resources: [widgets] });
  assert.equal((await ask('/apis/example.com')).status, 200);
  assert.deepEqual((body(await ask('/apis/example.com/v1'))['resources'] as { name: string }[])[0]?.name, 'widgets');
  assert.match(String((await ask('/')).body), /"\/apis\/example.com\/v1"/);
  assert.match(
    String((await ask('/apis', { accept: v2 })).body),
    /"responseKind":\{"group":"example.com","version":"v1","kind":"Widget"\}/,
  );
  registry.remove({ group: 'example.com', version: 'v1' }, 'custom');
  const gone = await ask('/apis/example.com/v1');
  assert.equal(gone.status, 404);
  assert.equal(String(gone.body), '404 page not found\n');
});

test('custom resources in a built-in group neither hide what is built in nor can be reached', async () => {
  const { ask, registry } = server();
  const before = body(await ask('/apis/apps/v1'));
  const widgets = { name: 'widgets', singular: 'widget', kind: 'Widget', namespaced: true, verbs: ['get'] };
  for (const version of ['v1', 'v7']) {
    registry.put({ group: 'apps', version, origin: 'custom', ...customResourcePriorities, resources: [widgets] });
  }
  assert.deepEqual(body(await ask('/apis/apps/v1')), before);
  assert.equal((await ask('/apis/apps/v7')).status, 404);
  const { versions } = body(await ask('/apis/apps')) as unknown as { versions: { version: string }[] };
  assert.deepEqual(
    versions.map(({ version }) => version),
    ['v7', 'v1'],
  );
});
