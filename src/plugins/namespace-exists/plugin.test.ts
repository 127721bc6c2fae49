import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PluginHarness } from '../common/plugin-harness.ts';
import { namespaceExists } from './plugin.ts';

const objects = { '/namespaces': [{ metadata: { name: 'present' } }] };
const object = { metadata: { name: 'x' } };

test('nothing is created, changed or deleted in a namespace that is not there', async () => {
  const plugin = new PluginHarness(namespaceExists, { objects });
  for (const operation of ['CREATE', 'UPDATE', 'DELETE'] as const) {
    assert.equal(await plugin.ask({ about: '/configmaps', object, operation, namespace: 'gone' }), 'namespaces "gone" not found');
    assert.equal(await plugin.ask({ about: '/configmaps', object, operation, namespace: 'present' }), undefined);
  }
});

test('namespaces themselves and what is in none of them are not looked at', async () => {
  const plugin = new PluginHarness(namespaceExists, { objects });
  assert.equal(await plugin.ask({ about: '/namespaces', kind: 'Namespace', object, namespace: 'new' }), undefined);
  assert.equal(await plugin.ask({ about: '/nodes', object, namespace: '' }), undefined);
});
