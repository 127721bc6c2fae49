import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestServer } from './index.ts';
import { startTestServer } from './index.ts';
import { RawClient } from '../../test/support/raw-client.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
let server: TestServer;
let client: RawClient;

before(async () => {
  server = await startTestServer({ controllers: false });
  client = new RawClient(server);
  for (const name of ['a', 'b', 'c']) await client.call('POST', configMaps, { body: { metadata: { name } } });
});

after(async () => {
  await client[Symbol.asyncDispose]();
  await server.stop();
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');

test('an apiVersion may begin with the slash after a group that it does not have', async () => {
  const body = { apiVersion: '/v1', kind: 'ConfigMap', metadata: { name: 'x' } };
  assert.equal((await client.call('POST', `${configMaps}?dryRun=All`, { body })).status, 201);
});

test('a create that stores nothing shows the revision that it was given', async () => {
  const body = { metadata: { name: 'x', resourceVersion: '5' } };
  const { text } = await client.call('POST', `${configMaps}?dryRun=All`, { body });
  assert.ok(text.includes('"resourceVersion":"5"'), text);
});

test('errors are JSON to whoever wants YAML of something that an error is not', async () => {
  const accept = 'application/yaml;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
  const { status, headers } = await client.call('GET', `${configMaps}/nope`, { headers: { accept } });
  assert.deepEqual([status, headers['content-type']], [404, 'application/json']);
  const plain = await client.call('GET', `${configMaps}/nope`, { headers: { accept: 'application/yaml' } });
  assert.equal(plain.headers['content-type'], 'application/yaml');
});

test('a watch of what nobody can be shown lists what answers can be', async () => {
  const accept = 'application/json;as=Foo;g=meta.k8s.io;v=v1';
  const { text } = await client.call('GET', `${configMaps}?watch=1`, { headers: { accept } });
  assert.match(text, /accepted: application\/json, application\/yaml, application\/vnd\.kubernetes\.protobuf"/);
});

test('what can be read is not deleted unread', async () => {
  const path = `${configMaps}/a?ignoreStoreReadErrorWithClusterBreakingPotential=true`;
  const { code, message } = await client.json<{ code: number; message: string }>('DELETE', path);
  assert.equal(code, 409);
  assert.match(message, /Key: \/registry\/configmaps\/default\/a, .*: unsafe deletion is not allowed because the object is decodable/);
});

test('a list of any age is whole, whatever its limit', async () => {
  const { items } = await client.json<{ items: object[] }>(
    'GET',
    `${configMaps}?limit=1&resourceVersion=0&resourceVersionMatch=NotOlderThan`,
  );
  assert.ok(items.length >= 3);
});

test('PEM that is no base64 is no PEM', async () => {
  const body = {
    metadata: { name: 't' },
    type: 'kubernetes.io/tls',
    data: { 'tls.crt': base64('-----BEGIN CERTIFICATE-----\nxxx\n-----END CERTIFICATE-----\n'), 'tls.key': base64('k') },
  };
  const { headers } = await client.call('POST', '/api/v1/namespaces/default/secrets?dryRun=All', { body });
  assert.match(headers['warning'] ?? '', /failed to find any PEM data in certificate input/);
});

test('ranges of a node that are none are told twice', async () => {
  const body = { metadata: { name: 'n' }, spec: { podCIDRs: ['a', 'b'] } };
  const { text } = await client.call('POST', '/api/v1/nodes?dryRun=All', { body });
  assert.match(text, /failed to check with dual stack with error:invalid CIDR\[0\]: \\u003cnil\\u003e \(invalid CIDR address: a\)/);
});
