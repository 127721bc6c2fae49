import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestServer } from '../../testing/index.ts';
import { ManualClock, startTestServer } from '../../testing/index.ts';
import { escapeForHtml } from '../../machinery/html-escape.ts';
import { readYaml } from '../../machinery/codec/yaml/read.ts';
import { clockAt } from '../../table/table-clock.ts';
import { RawClient } from '../../../test/support/raw-client.ts';
import { Chunk, ChunkPool } from '../http/chunk.ts';
import { appendRow } from './table-rows.ts';

interface Table {
  readonly columnDefinitions: readonly { readonly name: string }[];
  readonly rows: readonly {
    readonly cells: readonly unknown[];
    readonly object: { readonly metadata: { readonly name: string } } | null;
  }[];
}

const start = Date.parse('2026-01-01T00:00:00Z');
const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const core = '/api/v1/namespaces/default';
const pod = { spec: { containers: [{ name: 'main', image: 'i' }] } };

describe('rows of tables that are kept', () => {
  const clock = new ManualClock(start);
  let server: TestServer;
  let client: RawClient;

  before(async () => {
    server = await startTestServer({ controllers: false, clock });
    client = new RawClient(server);
    await client.call('POST', `${core}/serviceaccounts`, { body: { metadata: { name: 'default' } } });
    for (const name of ['a', 'b', 'c']) await client.call('POST', `${core}/pods`, { body: { ...pod, metadata: { name } } });
    await client.call('POST', `${core}/pods`, { body: { ...pod, metadata: { name: 'd', annotations: { odd: '\uE0000\uE001 <&>' } } } });
    for (const name of ['one', 'two']) {
      const annotations = name === 'two' ? { 'storageclass.kubernetes.io/is-default-class': 'true' } : {};
      const body = { metadata: { name, annotations }, provisioner: 'example.com/p' };
      await client.call('POST', '/apis/storage.k8s.io/v1/storageclasses', { body });
    }
    const template = { spec: { ...pod.spec, restartPolicy: 'Never' } };
    await client.call('POST', '/apis/batch/v1/namespaces/default/jobs', { body: { metadata: { name: 'j' }, spec: { template } } });
  });

  after(async () => {
    await client[Symbol.asyncDispose]();
    await server.stop();
  });

  const text = async (path: string): Promise<string> => (await client.call('GET', path, { headers: { accept } })).text;
  const ages = async (): Promise<unknown[]> => {
    const { columnDefinitions, rows } = JSON.parse(await text(`${core}/pods`)) as Table;
    const age = columnDefinitions.findIndex(({ name }) => name === 'Age');
    return rows.map(({ cells }) => cells[age]);
  };

  const paths = [
    `${core}/pods`,
    `${core}/pods?includeObject=Object`,
    `${core}/pods?includeObject=None`,
    `${core}/pods?limit=2`,
    `${core}/configmaps`,
    `${core}/secrets`,
    '/api/v1/namespaces',
    '/apis/batch/v1/namespaces/default/jobs',
    '/apis/storage.k8s.io/v1/storageclasses',
    '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas',
    '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  ];
  for (const path of paths) {
    test(`are as those that are made anew: ${path}`, async () => {
      for (let round = 0; round < 3; round++) {
        // Indented tables are always made anew.
        const anew = await text(`${path}${path.includes('?') ? '&' : '?'}pretty=true`);
        assert.deepEqual(JSON.parse(await text(path)), JSON.parse(anew));
        clock.advance(61_000);
      }
    });
  }

  for (const path of paths) {
    test(`are the same in YAML and indented: ${path}`, async () => {
      const { resourceVersion } = (JSON.parse(await text(path)) as { metadata: { resourceVersion: string } }).metadata;
      const same = `${path}${path.includes('?') ? '&' : '?'}resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`;
      const table = JSON.parse(await text(same)) as object;
      assert.equal(await text(`${same}&pretty=true`), escapeForHtml(JSON.stringify(table, undefined, 2)));
      const yaml = await client.call('GET', same, { headers: { accept: accept.replace('json', 'yaml') } });
      assert.deepEqual(readYaml(yaml.text).value, table);
    });
  }

  test('have the ages of the time at which they are shown', async () => {
    const before = clock.now() - start;
    assert.deepEqual(new Set(await ages()).size, 1);
    clock.advance(5 * 86_400_000 - before);
    assert.deepEqual(await ages(), ['5d', '5d', '5d', '5d']);
    clock.advance(86_400_000);
    assert.deepEqual(await ages(), ['6d', '6d', '6d', '6d']);
  });

  test('change with their objects', async () => {
    await text(`${core}/pods`);
    await client.call('PATCH', `${core}/pods/b`, {
      body: { metadata: { labels: { x: 'y' } } },
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    assert.match(await text(`${core}/pods`), /"labels":\{"x":"y"\}/);
    await client.call('DELETE', `${core}/pods/b?gracePeriodSeconds=0`);
    assert.deepEqual(
      (JSON.parse(await text(`${core}/pods`)) as Table).rows.map(({ object }) => object?.metadata.name),
      ['a', 'c', 'd'],
    );
  });
});

test('an age that is none is escaped as in all JSON of the server', () => {
  const chunk = new Chunk(new ChunkPool(1 << 10, 1), Infinity);
  appendRow(chunk, { parts: [Buffer.from('["'), Buffer.from('"]')], since: [start + 60_000], length: 4 }, clockAt(start));
  assert.equal(String(chunk.finish()), '["\\u003cinvalid\\u003e"]');
});
