import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RawClient } from '../../../test/support/raw-client.ts';
import { startTestServer } from '../../testing/index.ts';

const series = (text: string, name: string, ...labels: string[]): number => {
  const line = text.split('\n').find((one) => one.startsWith(`${name}{`) && labels.every((label) => one.includes(label)));
  return Number(line?.split(' ').at(-1) ?? Number.NaN);
};

test('/metrics says what is under way, what was sent, what admission and the store did', async () => {
  await using server = await startTestServer({ controllers: false });
  await using client = new RawClient(server);
  const path = '/api/v1/namespaces/default/configmaps';
  for (const name of ['a', 'b', 'c']) await client.call('POST', path, { body: { metadata: { name } } });
  await client.call('GET', path);
  await client.call('GET', `${path}?watch=1&timeoutSeconds=1`);
  const { text } = await client.call('GET', '/metrics');
  const configMaps = ['resource="configmaps"', 'scope="namespace"'];
  assert.equal(series(text, 'apiserver_request_total', ...configMaps, 'verb="WATCH"', 'code="200"'), 1);
  assert.equal(series(text, 'apiserver_longrunning_requests', ...configMaps, 'verb="WATCH"'), 0);
  assert.equal(series(text, 'apiserver_response_sizes_count', ...configMaps, 'verb="LIST"'), 1);
  assert.ok(series(text, 'apiserver_response_sizes_sum', ...configMaps, 'verb="LIST"') > 100);
  // Events of the state that a watch begins with count one by one, though they are sent together.
  assert.equal(series(text, 'apiserver_watch_events_total', 'resource="configmaps"'), 3);
  assert.equal(series(text, 'apiserver_watch_events_sizes_count', 'resource="configmaps"'), 3);
  assert.ok(series(text, 'apiserver_request_body_size_bytes_count', 'resource="configmaps"', 'verb="create"') >= 1);
  const created = ['operation="CREATE"', 'rejected="false"', 'type="admit"'];
  assert.ok(series(text, 'apiserver_admission_step_admission_duration_seconds_count', ...created) >= 1);
  assert.equal(
    series(text, 'apiserver_admission_controller_admission_duration_seconds_count', 'name="LimitRanger"', ...created),
    series(text, 'apiserver_admission_controller_admission_duration_seconds_count', 'name="ServiceAccount"', ...created),
  );
  assert.ok(series(text, 'etcd_requests_total', 'operation="create"', 'resource="configmaps"') >= 1);
  assert.match(text, /^kubernetes_build_info\{.*git_version="v1\.37\.\d+".*\} 1$/m);
  assert.match(text, /^process_cpu_seconds_total \d/m);
});

test('/metrics is written as protobuf and set to nothing for clients that ask for it', async () => {
  await using server = await startTestServer({ controllers: false });
  await using client = new RawClient(server);
  await client.call('GET', '/api/v1/namespaces/default/configmaps');
  const protobuf = 'application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited';
  const { headers } = await client.call('GET', '/metrics', { headers: { accept: protobuf } });
  assert.equal(headers['content-type'], `${protobuf}; escaping=underscores`);
  assert.match(String(headers['process-start-time-unix']), /^\d{10}$/);
  const { text } = await client.call('DELETE', '/metrics');
  assert.equal(text, 'metrics reset\n');
  assert.doesNotMatch((await client.call('GET', '/metrics')).text, /^apiserver_request_total\{[^}]*configmaps/m);
});

test('/metrics/slis says how health checks fared when they were asked for', async () => {
  await using server = await startTestServer({ controllers: false });
  await using client = new RawClient(server);
  for (let asked = 0; asked < 2; asked++) await client.call('GET', '/livez');
  await client.call('GET', '/livez/ping');
  const { text } = await client.call('GET', '/metrics/slis');
  assert.match(text, /^kubernetes_healthcheck\{name="ping",type="livez"\} 1$/m);
  assert.match(text, /^kubernetes_healthchecks_total\{name="ping",status="success",type="livez"\} 2$/m);
});
