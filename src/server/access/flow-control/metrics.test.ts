import assert from 'node:assert/strict';
import { test } from 'node:test';
import { metricsText } from '../../../base/exposition/text.ts';
import { RawClient } from '../../../../test/support/raw-client.ts';
import { MetricsRegistry } from '../../../base/metrics.ts';
import { startTestServer } from '../../../testing/index.ts';
import { FlowControlMetrics } from './metrics.ts';
import { TimedRatio } from './timed-ratio.ts';

test('nothing is divided before there is something to count', () => {
  const registry = new MetricsRegistry();
  const metrics = new FlowControlMetrics(registry).ofSchema('level', 'schema');
  assert.doesNotMatch(metricsText(registry), /request_execution_seconds_count/);
  metrics.execution.observe(1);
  assert.match(metricsText(registry), /request_execution_seconds_count\{.*type="regular"\} 1/);
  assert.doesNotMatch(metricsText(registry), /type="watch"/);
});

test('a ratio is observed for as long as it lasts, from its beginning on, whenever it is looked at', () => {
  const histogram = new MetricsRegistry().histogram({ name: 'ratio', help: 'Ratio.', buckets: [0, 0.5, 1] }).with();
  let now = 5;
  const ratio = new TimedRatio(histogram, () => now, 4);
  const milliseconds = (): number[] => {
    ratio.observe();
    return Array.from(histogram.counts, (count) => count / 1e6);
  };
  now = 8;
  assert.deepEqual(milliseconds(), [3, 0, 0, 0]);
  ratio.set(0);
  ratio.add(2);
  now = 10;
  ratio.add(2);
  now = 11;
  ratio.set(0);
  now = 18;
  assert.deepEqual(milliseconds(), [10, 2, 1, 0]);
  // In the millisecond in which it begins.
  const next = new TimedRatio(histogram, () => now, 4);
  next.set(4);
  now = 20;
  next.observe();
  assert.equal(histogram.counts[2], 3e6);
});

test('requests are counted as what they were, and as nothing else', async () => {
  await using server = await startTestServer({ controllers: false });
  await using client = new RawClient(server);
  await client.call('GET', '/api/v1/namespaces');
  const { text } = await client.call('GET', '/metrics');
  const counts = [...text.matchAll(/^apiserver_flowcontrol_request_execution_seconds_count\{.*\} (\d+)$/gm)].map(([, count]) => count);
  assert.notEqual(counts.length, 0);
  assert.equal(counts.includes('0'), false);
});
