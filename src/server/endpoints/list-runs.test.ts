import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestServer } from '../../testing/index.ts';
import { startTestServer } from '../../testing/index.ts';
import { ManualClock } from '../../base/clock.ts';
import { RawClient } from '../../../test/support/raw-client.ts';
import { EncodingCache } from '../object/encoding-cache.ts';
import { StoredEntry } from '../registry/entry.ts';
import type { RunItems } from './list-runs.ts';
import { runsOf } from './list-runs.ts';

const path = '/api/v1/namespaces/default/configmaps';
const protobuf = 'application/vnd.kubernetes.protobuf';
let server: TestServer;
let client: RawClient;

before(async () => {
  server = await startTestServer({ controllers: false });
  client = new RawClient(server);
  for (let index = 0; index < 200; index++) await client.call('POST', path, { body: configMap(index) });
});

after(async () => {
  await client[Symbol.asyncDispose]();
  await server.stop();
});

const nameOf = (index: number): string => `n-${String(index).padStart(3, '0')}`;
const configMap = (index: number): object => ({
  metadata: { name: nameOf(index) },
  data: { text: `${index} – ü ${'line '.repeat(200)}` },
});

/** A selector that leaves nothing out has every object looked at and written by itself. */
const oneByOne = `${path}?fieldSelector=metadata.namespace%3Ddefault`;

for (const accept of ['application/json', protobuf]) {
  test(`a list that is asked for again is the list that is written item by item, whatever has changed: ${accept}`, async () => {
    const list = async (target: string): Promise<Buffer> => (await client.call('GET', target, { headers: { accept } })).bytes;
    const check = async (): Promise<void> => {
      const expected = await list(oneByOne);
      const found = [await list(path), await list(path), await list(path)];
      // The server has written something of its own meanwhile, such as its lease: lists have the newest revision.
      if (!expected.equals(await list(oneByOne))) return check();
      for (const [round, bytes] of found.entries())
        assert.ok(bytes.equals(expected), `round ${round}: ${bytes.length} bytes, not ${expected.length}`);
    };
    await check();
    for (const index of [0, 77, 199]) {
      const body = { data: { text: `changed for ${accept}` } };
      await client.call('PATCH', `${path}/${nameOf(index)}`, { body, headers: { 'content-type': 'application/merge-patch+json' } });
      await check();
      await client.call('DELETE', `${path}/${nameOf(index)}`);
      await check();
      await client.call('POST', path, { body: configMap(index) });
      await check();
    }
  });
}

const layout = { bodyStart: 0, splice: 1, before: '', after: '' } as ConstructorParameters<typeof StoredEntry>[5];
const entryOf = (key: string): StoredEntry => new StoredEntry(key, 1, undefined, {}, Buffer.from(key), layout);

test('items are joined when they are listed for the second time, one by one again only where one has changed', () => {
  using runs = new EncodingCache(1000, new ManualClock());
  const encoded: string[] = [];
  const form: RunItems = {
    encoding: 'JSON',
    separator: 0x2c,
    bytes: ({ key, value }) => {
      encoded.push(key);
      return value;
    },
  };
  const list = (parts: readonly (readonly StoredEntry[])[]): string[] =>
    Array.from(runsOf(runs, { items: parts.flat(), parts, metadata: {} }, form), (item) =>
      Buffer.isBuffer(item) ? String(item) : item.key,
    );
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(entryOf) as [StoredEntry, StoredEntry, StoredEntry, StoredEntry];
  assert.deepEqual(list([[a, b], [c]]), ['a', 'b', 'c']);
  assert.deepEqual(encoded, []);
  assert.deepEqual(list([[a, b], [c]]), [',a,b', ',c']);
  assert.deepEqual(encoded.splice(0), ['a', 'b', 'c']);
  assert.deepEqual(list([[a, b], [c]]), [',a,b', ',c']);
  assert.deepEqual(list([[a, d], [c]]), [',a,d', ',c']);
  assert.deepEqual(encoded, ['d']);
  const large = [entryOf('x'.repeat(2000))];
  for (let round = 0; round < 3; round++) assert.deepEqual(list([large]), [large[0]?.key]);
});
