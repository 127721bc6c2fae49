import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../testing/index.ts';
import { RawClient } from '../../test/support/raw-client.ts';
import { until } from '../../test/support/eventually.ts';

test('answers say by uid which flow schema and priority level the request was of, once those are known', { timeout: 60_000 }, async () => {
  await using server = await startTestServer({ controllers: false });
  await using client = new RawClient(server);
  const schemas = '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas';
  const exempt = await client.json<{ metadata: { uid: string } }>('GET', `${schemas}/exempt`);
  const uidOf = async (path: string, as: 'admin' | 'nobody'): Promise<unknown> =>
    (await client.call('GET', path, { as })).headers['x-kubernetes-pf-flowschema-uid'];
  await until('flow schemas are followed', async () => (await uidOf('/api/v1/pods', 'admin')) === exempt.metadata.uid);
  const { headers } = await client.call('GET', '/api/v1/pods');
  assert.match(String(headers['x-kubernetes-pf-prioritylevel-uid']), /^[0-9a-f-]{36}$/);
  const probes = await client.json<{ metadata: { uid: string } }>('GET', `${schemas}/probes`);
  assert.equal(await uidOf('/healthz', 'nobody'), probes.metadata.uid);
});
