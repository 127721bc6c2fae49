import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { definedMetrics, metricsPage, stateOf } from './page.ts';
import { upstreamMetrics } from './upstream-metrics.generated.ts';

const root = join(import.meta.dirname, '../..');

test('docs/reference/metrics.md is what npm run metrics writes', async () => {
  assert.equal(readFileSync(join(root, 'docs/reference/metrics.md'), 'utf8'), await metricsPage(), 'npm run metrics');
});

test("every metric with upstream's name has upstream's type, labels and stability, and those that are STABLE or BETA are there", async () => {
  const families = await definedMetrics();
  const known = new Map(upstreamMetrics.map((row) => [row[0], row]));
  const shared = families.filter(({ options: { name, stability } }) => !name.startsWith('wheelhouse_') && stability !== 'none');
  const states = shared.map((family) => `${family.options.name}: ${stateOf(family, known.get(family.options.name))}`);
  assert.deepEqual(
    states.filter((state) => !state.endsWith(': same')),
    [],
  );
  const names = new Set(families.map(({ options }) => options.name));
  // That one is kube-controller-manager's.
  const missing = upstreamMetrics.filter(([name, , stability]) => /STABLE|BETA/.test(stability) && !names.has(name));
  assert.deepEqual(
    missing.map(([name]) => name),
    ['running_managed_controllers'],
  );
});

test('the dashboard of the guide asks for metrics that there are', async () => {
  const names = new Set(
    (await definedMetrics()).flatMap(({ type, options: { name } }) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );
  const dashboard = readFileSync(join(root, 'docs/guides/kube-apiserver-dashboard.json'), 'utf8');
  const asked = [
    ...dashboard.matchAll(
      /\b((?:apiserver|etcd|workqueue|process|wheelhouse|authentication|authorization|kubernetes|aggregator|watch_cache)_[a-z0-9_]+)\b/g,
    ),
  ].map(([, name = '']) => name);
  assert.ok(asked.length > 20);
  assert.deepEqual(
    [...new Set(asked)].filter((name) => !names.has(name)),
    [],
  );
});
