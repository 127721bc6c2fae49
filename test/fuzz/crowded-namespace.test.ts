import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { RecentObjects } from '../../src/server/registry/object-reader.ts';
import type { StoredEntry } from '../../src/server/registry/entry.ts';
import type { TestServer } from '../../src/testing/index.ts';
import { startTestServer } from '../../src/testing/index.ts';
import type { RawAnswer } from '../support/raw-client.ts';
import { RawClient } from '../support/raw-client.ts';
import { turnsOf } from '../support/turns.ts';

const count = 60;
const core = '/api/v1/namespaces/default';
const node = { 'impersonate-user': 'system:node:n', 'impersonate-group': 'system:nodes' };
const container = { name: 'a', image: 'a', securityContext: { privileged: true } };

/** One request each that meets many objects of a namespace. */
const requests: readonly (readonly [what: string, request: (client: RawClient) => Promise<RawAnswer>, status: number])[] = [
  [
    'an eviction among budgets',
    (client) => client.call('POST', `${core}/pods/running/eviction?dryRun=All`, { body: { metadata: { name: 'running' } } }),
    201,
  ],
  ['the proxy of a service with slices of endpoints', (client) => client.call('GET', `${core}/services/s:80/proxy/`), 503],
  [
    'a level of security for pods that are there',
    (client) =>
      client.call('PATCH', '/api/v1/namespaces/default?dryRun=All', {
        headers: { 'content-type': 'application/merge-patch+json' },
        body: { metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } } },
      }),
    200,
  ],
  ['a secret of pods on a node', (client) => client.call('GET', `${core}/secrets/none`, { headers: node }), 403],
];

describe('a namespace with many objects', () => {
  let server: TestServer;
  let client: RawClient;

  before(async () => {
    server = await startTestServer({ controllers: false });
    client = new RawClient(server);
    const must = async (path: string, body: object): Promise<void> => {
      const { status, text } = await client.call('POST', path, { body });
      assert.equal(status, 201, text);
    };
    await must(`${core}/serviceaccounts`, { metadata: { name: 'default' } });
    await must(`${core}/services`, { metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } });
    await must(`${core}/pods`, { metadata: { name: 'running' }, spec: { containers: [container] } });
    const running = { headers: { 'content-type': 'application/merge-patch+json' }, body: { status: { phase: 'Running' } } };
    assert.equal((await client.call('PATCH', `${core}/pods/running/status`, running)).status, 200);
    for (let index = 0; index < count; index++) {
      await must(`${core}/pods`, { metadata: { name: `p${index}` }, spec: { nodeName: 'n', containers: [container] } });
      await must('/apis/policy/v1/namespaces/default/poddisruptionbudgets', {
        metadata: { name: `b${index}` },
        spec: { selector: { matchLabels: { a: 'b' } } },
      });
      await must('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', {
        metadata: { name: `e${index}`, labels: { 'kubernetes.io/service-name': 's' } },
        addressType: 'IPv4',
        ports: [{ name: 'other', port: 81 }],
        endpoints: [{ addresses: ['10.0.0.1'] }],
      });
    }
  });

  after(async () => {
    await client[Symbol.asyncDispose]();
    await server.stop();
  });

  for (const [what, request, status] of requests) {
    test(`${what} lets others through between the objects that it meets`, async (context) => {
      const { result, turns } = await turnsOf(context, () => request(client));
      assert.equal(result.status, status, result.text);
      assert.ok(turns > count, `${turns} turns of the event loop for ${count} objects`);
    });
  }
});

test('of large objects fewer are kept in parsed form', () => {
  const entries = Array.from({ length: 10 }, () => ({ value: Buffer.alloc(40) }) as StoredEntry);
  const recent = new RecentObjects(256, 100);
  let parsed = 0;
  const read = (entry: StoredEntry | undefined): void => void recent.get(entry as StoredEntry, () => (parsed++, { metadata: {} }));
  for (const entry of entries) read(entry);
  read(entries.at(-1));
  assert.equal(parsed, entries.length);
  read(entries[0]);
  assert.equal(parsed, entries.length + 1);
});
