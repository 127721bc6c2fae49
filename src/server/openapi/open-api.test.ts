import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noDescriptions } from '../../openapi/descriptions.ts';
import { createSchema } from '../../schema/index.ts';
import { servedGroupVersions } from '../../schema/resources.ts';
import { Connection } from '../http/connection.ts';
import { Request } from '../http/request.ts';
import type { Response } from '../http/response.ts';
import { PathMux, notFoundHandler } from '../http/path-mux.ts';
import { BuiltInSource } from './built-in-source.ts';
import { OpenApi } from './open-api.ts';

type Ask = (path: string, headers?: Record<string, string>) => Promise<Response>;

function server(): { openApi: OpenApi; ask: Ask } {
  const builtIn = new BuiltInSource({
    schema: createSchema(),
    served: servedGroupVersions().filter(({ group, servedByDefault }) => servedByDefault && (group === 'batch' || group === 'policy')),
    info: { title: 'Kubernetes', version: '1.37' },
    cbor: false,
    enums: true,
    descriptions: () => Promise.resolve(noDescriptions),
  });
  const openApi = new OpenApi(builtIn, () => new Date('2026-11-16T01:30:25Z'));
  const mux = new PathMux();
  openApi.install(mux);
  const handler = mux.handler(notFoundHandler);
  const ask: Ask = async (path, headers = {}) => {
    const source = {
      method: 'GET',
      target: path,
      protocol: 'HTTP/2.0' as const,
      headers,
      connection: new Connection(undefined),
      readBody: () => Promise.resolve(Buffer.alloc(0)),
      body: undefined,
      onClose: () => {},
    };
    return handler(new Request(source, 0));
  };
  return { openApi, ask };
}

async function index(ask: Ask): Promise<Record<string, { serverRelativeURL: string }>> {
  return (JSON.parse(String((await ask('/openapi/v3')).body)) as { paths: Record<string, { serverRelativeURL: string }> }).paths;
}

test('the index names every document with a URL that may be kept for good', async () => {
  const { ask } = server();
  const url = (await index(ask))['apis/batch/v1']?.serverRelativeURL ?? '';
  assert.match(url, /^\/openapi\/v3\/apis\/batch\/v1\?hash=[0-9A-F]{128}$/);
  const response = await ask(url);
  assert.equal(response.headers['cache-control'], 'public, immutable');
  assert.equal(response.headers['expires'], 'Tue, 16 Nov 2027 01:30:25 UTC');
  assert.equal(response.headers['etag'], `"${url.split('=')[1]}"`);
});

test('an outdated hash leads to the present one', async () => {
  const { ask } = server();
  const response = await ask('/openapi/v3/apis/batch/v1?hash=ABC');
  assert.equal(response.status, 301);
  assert.equal(response.headers['location'], (await index(ask))['apis/batch/v1']?.serverRelativeURL);
});

const answers: readonly (readonly [path: string, accept: string, status: number, contentType: string | undefined])[] = [
  ['/openapi/v3/apis/batch/v1', '', 200, 'application/json'],
  ['/openapi/v3/apis/batch/v1', 'application/*', 200, 'application/json'],
  [
    '/openapi/v3/apis/batch/v1',
    'application/com.github.proto-openapi.spec.v3@v1.0+protobuf',
    200,
    'application/com.github.proto-openapi.spec.v3.v1.0+protobuf',
  ],
  ['/openapi/v3/apis/batch/v1', 'application/yaml', 406, undefined],
  ['/openapi/v3/apis/batch/v9', '', 404, undefined],
  ['/openapi/v3/', '', 404, undefined],
  ['/openapi/v2', 'application/json', 200, 'application/json'],
  [
    '/openapi/v2',
    'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
    200,
    'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
  ],
  ['/openapi/v2', 'text/plain', 406, undefined],
];
for (const [path, accept, status, contentType] of answers) {
  test(`${path} with Accept "${accept}" is answered with ${status}`, async () => {
    const response = await server().ask(path, accept === '' ? {} : { accept });
    assert.equal(response.status, status);
    assert.equal(response.headers['content-type'], contentType);
  });
}

test('a document is not sent again to those who know it', async () => {
  const { ask } = server();
  const etag = String((await ask('/openapi/v3/apis/policy/v1')).headers['etag']);
  assert.equal((await ask('/openapi/v3/apis/policy/v1', { 'if-none-match': etag })).status, 304);
});

test('custom resources come and go, and leave the hashes of others alone', async () => {
  const { ask, openApi } = server();
  const before = await index(ask);
  const kind = { group: 'example.com', version: 'v1', plural: 'widgets', kind: 'Widget', listKind: 'WidgetList' };
  openApi.custom.publishGroup('example.com', [{ ...kind, namespaced: true, status: false, scale: false }]);
  const { 'apis/example.com/v1': added, ...others } = await index(ask);
  assert.notEqual(added, undefined);
  assert.deepEqual(others, before);
  assert.match(String((await ask('/openapi/v2')).body), /"com.example.v1.Widget"/);
  openApi.custom.publishGroup('example.com', []);
  assert.deepEqual(await index(ask), before);
  assert.equal((await ask('/openapi/v3/apis/example.com/v1')).status, 404);
});

test('custom resources with the names of what the server has itself change nothing of it', async () => {
  const { openApi, ask } = server();
  interface Document {
    readonly paths: Readonly<Record<string, unknown>>;
    readonly definitions: Readonly<Record<string, unknown>>;
  }
  const document = async (): Promise<Document> => JSON.parse(String((await ask('/openapi/v2')).body)) as Document;
  const before = await document();
  const kind = { version: 'v1', singular: 'job', shortNames: [], categories: [], namespaced: true, status: false, scale: false };
  const schema = { type: 'object', properties: { probe: { type: 'boolean' } } };
  const named = { plural: 'jobs', kind: 'Job', listKind: 'JobList', schema };
  openApi.custom.publishGroup('batch', [{ ...kind, ...named, group: 'batch' }]);
  const samePaths = await document();
  assert.deepEqual(samePaths, before);
  openApi.custom.publishGroup('batch', []);
  openApi.custom.publishGroup('batch.api.k8s.io', [{ ...kind, ...named, group: 'batch.api.k8s.io' }]);
  const sameDefinitions = await document();
  assert.deepEqual(sameDefinitions.definitions['io.k8s.api.batch.v1.Job'], before.definitions['io.k8s.api.batch.v1.Job']);
  assert.match(JSON.stringify(sameDefinitions.definitions['io.k8s.api.batch.v1.Job_v2']), /probe/);
  assert.match(JSON.stringify(sameDefinitions.paths['/apis/batch.api.k8s.io/v1/namespaces/{namespace}/jobs']), /batch\.v1\.Job_v2/);
});
