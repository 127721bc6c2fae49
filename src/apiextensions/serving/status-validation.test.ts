import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiError } from '../../index.ts';
import { startTestServer } from '../../testing/index.ts';

const status = {
  type: 'object',
  properties: { n: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self < 10', message: 'too many' }] } },
};
const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object' }, status } } };
const version = { name: 'v1', served: true, storage: true, subresources: { status: {} }, schema };

test('the status of a custom resource is held to its schema and its rules', async () => {
  await using server = await startTestServer({ controllers: false });
  const client = server.client();
  const definition = await client.create({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names: { kind: 'Widget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList' },
      versions: [version],
    },
  });
  await client.waitFor(definition, 'Established');
  const widgets = client.resource('example.com/v1', 'Widget');
  await widgets.create({ metadata: { name: 'w' } });
  const write = (n: unknown) => widgets.patch('w', { status: { n } }, { subresource: 'status' });
  assert.deepEqual((await write(4))['status'], { n: 4 });
  await assert.rejects(write('bad'), (error: ApiError) => error.code === 422 && /must be of type integer/.test(error.message));
  await assert.rejects(write(11), (error: ApiError) => error.code === 422 && /too many/.test(error.message));
  assert.deepEqual((await widgets.get('w'))['status'], { n: 4 });
});
