import assert from 'node:assert/strict';
import { test } from 'node:test';
import { metricsText } from '../../../base/exposition/text.ts';
import { RawClient } from '../../../../test/support/raw-client.ts';
import { MetricsRegistry } from '../../../base/metrics.ts';
import { startTestServer } from '../../../testing/index.ts';
import { FlowControlMetrics } from './metrics.ts';

test('nothing is divided before there is something to count', () => {
  const registry = new MetricsRegistry();
  const metrics = new FlowControlMetrics(registry).ofSchema('level', 'schema');
  assert.doesNotMatch(metricsText(registry), /request_execution_seconds_count/);
  metrics.execution.observe(1);
  assert.match(metricsText(registry), /request_execution_seconds_count\{.*type="regular"\} 1/);
  assert.doesNotMatch(metricsText(registry), /type="watch"/);
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
