import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../testing/index.ts';
import type { KubeClient } from './kube-client.ts';

const selector = { matchLabels: { app: 'web' } };
const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };

// What the compiler accepts and infers here is what is tested.
async function playWith(client: KubeClient): Promise<void> {
  const names = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } } as const;
  const created = await client.create({ ...names, spec: { replicas: 2, selector, template } });
  const kind: 'Recreate' | 'RollingUpdate' | (string & {}) | undefined = created.spec.strategy.type;
  assert.equal(kind, 'RollingUpdate');
  const scaled = await client.resource('apps/v1', 'Deployment', 'default').patch('web', { spec: { replicas: 3 } });
  assert.equal(scaled.spec.replicas, 3);
  // @ts-expect-error a field that the kind does not have
  await assert.rejects(client.create({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'x' }, spec: { replica: 2 } }));
  // @ts-expect-error a value of another type
  await assert.rejects(client.create({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'x' }, spec: { replicas: '2' } }));
  // Any fields will do where the kind is not a built-in one.
  await assert.rejects(client.create({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'x' }, spec: { size: 1 } }));
}

test('objects of built-in kinds have their types', async () => {
  await using server = await startTestServer({ controllers: false });
  await playWith(server.client());
});
