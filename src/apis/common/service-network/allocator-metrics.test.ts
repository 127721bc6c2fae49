import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RawClient } from '../../../../test/support/raw-client.ts';
import { startTestServer } from '../../../testing/index.ts';

const path = '/api/v1/namespaces/default/services';

test('addresses of services are counted by range, and by whether they were asked for', async () => {
  await using server = await startTestServer({ controllers: false });
  await using client = new RawClient(server);
  const create = async (name: string, spec: object = {}): Promise<{ spec: { clusterIP: string } }> => {
    const { text } = await client.call('POST', path, { body: { metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } } });
    return JSON.parse(text) as { spec: { clusterIP: string } };
  };
  const figures = async (): Promise<Map<string, number>> => {
    const { text } = await client.call('GET', '/metrics');
    const lines = text.split('\n').filter((line) => line.startsWith('kube_apiserver_clusterip_allocator_'));
    return new Map(lines.map((line) => [line.slice(35, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]));
  };
  const first = await create('a');
  const before = await figures();
  const [cidr = ''] = /cidr="[^"]+"/.exec([...before.keys()].join('\n')) ?? [];
  await client.call('DELETE', `${path}/a`);
  await create('b', { clusterIP: first.spec.clusterIP });
  await create('c', { clusterIP: first.spec.clusterIP });
  await create('d');
  const after = await figures();
  const grown = (what: string): number => (after.get(what) ?? 0) - (before.get(what) ?? 0);
  assert.equal(grown(`allocation_total{${cidr},scope="static"}`), 1);
  assert.equal(grown(`allocation_total{${cidr},scope="dynamic"}`), 1);
  assert.equal(grown(`allocation_errors_total{${cidr},scope="static"}`), 1);
  assert.equal(grown(`allocation_duration_seconds_count{${cidr}}`), 2);
  assert.equal(grown(`allocated_ips{${cidr}}`), 1);
  assert.equal(grown(`available_ips{${cidr}}`), -1);
});
