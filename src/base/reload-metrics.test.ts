import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Family } from './metrics.ts';
import { MetricsRegistry } from './metrics.ts';
import { contentHash, ReloadObserver } from './reload-metrics.ts';

const shown = (registry: MetricsRegistry, name: string): unknown[] => {
  const family = registry.definitions.find(({ options }) => options.name === name) as Family;
  return [...family.children()].map(([values, child]) => [values, 'value' in child ? child.value : undefined]);
};

test('reloads are counted, and the hash of what is in force takes the place of the one before', () => {
  const registry = new MetricsRegistry();
  const observer = new ReloadObserver(registry, { of: 'authorization', serverId: 'a' });
  const prefix = 'apiserver_authorization_config_controller';
  observer.inForce('one');
  assert.deepEqual(shown(registry, `${prefix}_last_config_info`), [[[contentHash('a'), 'one'], 1]]);
  observer.reloaded('two');
  observer.failed();
  assert.deepEqual(shown(registry, `${prefix}_last_config_info`), [[[contentHash('a'), 'two'], 1]]);
  assert.deepEqual(shown(registry, `${prefix}_automatic_reloads_total`), [
    [['success', contentHash('a')], 1],
    [['failure', contentHash('a')], 1],
  ]);
});

test('folders of manifests are told apart by their plugin, and a server without identity has no hash', () => {
  const registry = new MetricsRegistry();
  for (const plugin of ['A', 'B']) new ReloadObserver(registry, { of: 'manifest_admission', serverId: '', plugin }).reloaded('x');
  assert.deepEqual(shown(registry, 'apiserver_manifest_admission_config_controller_last_config_info'), [
    [['A', '', 'x'], 1],
    [['B', '', 'x'], 1],
  ]);
});
