import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MetricsRegistry } from '../metrics.ts';
import { renderMetrics } from './format.ts';
import { copyMetrics, mergeMetrics } from './merged-metrics.ts';

function thread(requests: number, seconds: readonly number[]): MetricsRegistry {
  const registry = new MetricsRegistry({ native: true });
  registry
    .counter({ name: 'requests_total', help: 'r', labels: ['code'] })
    .with('200')
    .inc(requests);
  registry.gauge({ name: 'connections', help: 'c' }).with().set(requests);
  registry.gauge({ name: 'process_start', help: 's' }).with().set(7);
  const histogram = registry.histogram({ name: 'seconds', help: 's', buckets: [1, 2] }).with();
  for (const value of seconds) histogram.observe(value);
  return registry;
}

test('counts, gauges and buckets of threads are added up; what is of the process is said by the first', async () => {
  const copies = [thread(2, [0.5, 3]), thread(3, [1.5])].map((registry) => structuredClone(copyMetrics(registry)));
  const merged = mergeMetrics(copies, (name) => name.startsWith('process_'), { native: true, since: 5 });
  const text = (await renderMetrics(merged, false)).toString();
  for (const line of [
    'requests_total{code="200"} 5',
    'connections 5',
    'process_start 7',
    'seconds_bucket{le="1"} 1',
    'seconds_bucket{le="2"} 2',
    'seconds_bucket{le="+Inf"} 3',
    'seconds_sum 5',
    'seconds_count 3',
  ])
    assert.ok(text.includes(`${line}\n`), `${line} in\n${text}`);
  assert.equal(merged.since, 5);
});

test('exponential buckets of threads hold what they would hold together', () => {
  const together = thread(0, [0.001, 0.5, 0.51, 40, 1.5, 0]);
  const apart = mergeMetrics([copyMetrics(thread(0, [0.001, 0.5, 40])), copyMetrics(thread(0, [0.51, 1.5, 0]))], () => false, {
    native: true,
    since: 0,
  });
  const nativeOf = (registry: MetricsRegistry): unknown =>
    copyMetrics(registry).find(({ options }) => options.name === 'seconds')?.children[0]?.native;
  assert.deepEqual(nativeOf(apart), nativeOf(together));
});
