import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from './index.ts';
import { RawClient } from '../../test/support/raw-client.ts';

const text = { type: 'string' };
const version = (name: string, storage: boolean, properties: object): object => ({
  name,
  storage,
  served: true,
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } },
});

test('an apply fails as upstream does where an object is none in the version that its owner spoke', { timeout: 30_000 }, async () => {
  await using server = await startTestServer({ controllers: false });
  await using client = new RawClient(server);
  const versions = [
    version('v1', true, { a: text, c: text }),
    version('v2', false, { b: { type: 'object', properties: { x: text } }, c: text }),
  ];
  await client.call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    body: {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.com' },
      spec: { group: 'example.com', scope: 'Namespaced', names: { plural: 'widgets', kind: 'Widget' }, versions },
    },
  });
  const path = (of: string): string => `/apis/example.com/${of}/namespaces/default/widgets/w`;
  const apply = (of: string, spec: object) =>
    client.call('PATCH', `${path(of)}?fieldManager=m`, {
      body: { apiVersion: `example.com/${of}`, kind: 'Widget', metadata: { name: 'w' }, spec },
      headers: { 'content-type': 'application/apply-patch+yaml' },
    });
  assert.equal((await apply('v1', { a: '1', c: '1' })).status, 201);
  const failed = await apply('v2', { b: { x: '1' } });
  assert.equal(failed.status, 500);
  const { message } = JSON.parse(failed.text) as { message: string };
  assert.equal(
    message,
    'failed to prune fields: failed to convert merged object to last applied version: .spec.b: field not declared in schema',
  );
  // A write that does not apply is not refused: its owners stay those that they were.
  const patched = await client.call('PATCH', path('v2'), {
    body: { spec: { b: { x: '1' } } },
    headers: { 'content-type': 'application/merge-patch+json' },
  });
  assert.equal(patched.status, 200, patched.text);
  const { metadata } = JSON.parse(patched.text) as { metadata: { managedFields: { manager: string }[] } };
  assert.deepEqual(
    metadata.managedFields.map(({ manager }) => manager),
    ['m'],
  );
});
