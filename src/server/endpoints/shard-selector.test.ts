import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestServer } from '../../testing/index.ts';
import { startTestServer } from '../../testing/index.ts';
import { RawClient } from '../../../test/support/raw-client.ts';
import { parseShardSelector } from './shard-selector.ts';

const low = "shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')";
const high = "shardRange(object.metadata.uid, '0x8000000000000000', '0x10000000000000000')";

const refused: readonly (readonly [text: string, message: string])[] = [
  [' ', 'empty shard selector is not allowed; omit the parameter for unfiltered lists'],
  ['1', 'unexpected expression kind 5; expected shardRange() call or || operator'],
  ['a && b', 'unsupported function "_&&_"; only shardRange() and || are allowed'],
  ['shardRange(object.metadata.uid)', 'shardRange() requires exactly 3 arguments, got 1'],
  [
    "shardRange(object.metadata.name, '', '')",
    'unsupported field path "object.metadata.name"; supported: object.metadata.uid, object.metadata.namespace',
  ],
  ["shardRange(f(), '', '')", 'shardRange() first argument: expected field path (e.g. object.metadata.uid), got expression kind 1'],
  ['shardRange(object.metadata.uid, 1, 2)', 'hexStart must be a string literal, got int64'],
  ["shardRange(object.metadata.uid, 'ff', '0xff')", 'hexStart must have \'0x\' prefix, got "ff"'],
  ["shardRange(object.metadata.uid, '0x', '0xff')", "hexStart: hex value is required after '0x'"],
  ["shardRange(object.metadata.uid, '0xFF00000000000000', '0xff')", 'hexStart: invalid hex character "F" in "0xFF00000000000000"'],
  [
    "shardRange(object.metadata.uid, '0xff', '0xff')",
    'hexStart must be a 0x-prefixed 16-digit hex value, got "0xff" (did you mean "0x00000000000000ff"?)',
  ],
  [
    "shardRange(object.metadata.uid, '0x0000000000000000', '0x10000000000000001')",
    'hexEnd: 17-digit hex value must be \'0x10000000000000000\' (2^64), got "0x10000000000000001"',
  ],
  [
    "shardRange(object.metadata.uid, '0x8000000000000000', '0x8000000000000000')",
    'shard range start 0x8000000000000000 must be less than end 0x8000000000000000',
  ],
  [
    `${low} || ${high.replace('uid', 'namespace')}`,
    'all shard ranges must use the same field, got "object.metadata.uid" and "object.metadata.namespace"',
  ],
];

for (const [text, message] of refused) {
  test(`parseShardSelector() refuses ${text}`, () => {
    assert.throws(() => parseShardSelector(text), { message: `invalid shard selector: ${message}` });
  });
}

test('a shard selector reads back as it was given', () => {
  assert.equal(String(parseShardSelector(` ${low}||${high}\n`)), `${low} || ${high}`);
});

interface List {
  readonly metadata: { resourceVersion: string; remainingItemCount?: number; shardInfo?: unknown };
  readonly items: { metadata: { uid: string; name: string } }[];
}

const path = '/api/v1/namespaces/default/configmaps';

describe('with ShardedListAndWatch', () => {
  let server: TestServer;
  let client: RawClient;
  const uids = new Map<string, string>();

  before(async () => {
    server = await startTestServer({ controllers: false, features: { ShardedListAndWatch: true } });
    client = new RawClient(server);
    for (let index = 0; index < 20; index++) {
      const name = `c${index}`;
      const { metadata } = await client.json<{ metadata: { uid: string } }>('POST', path, { body: { metadata: { name } } });
      uids.set(name, metadata.uid);
    }
  });

  after(async () => {
    await client[Symbol.asyncDispose]();
    await server.stop();
  });

  const list = (selector: string, query = ''): Promise<List> =>
    client.json<List>('GET', `${path}?shardSelector=${encodeURIComponent(selector)}${query}`);

  test('each object is in one of two halves, and lists say which one they show', async () => {
    const halves = [await list(low), await list(high)];
    assert.deepEqual(
      halves.map(({ metadata }) => metadata.shardInfo),
      [{ selector: low }, { selector: high }],
    );
    const found = halves.flatMap(({ items }) => items.map(({ metadata }) => metadata.uid));
    assert.deepEqual(found.filter((uid) => [...uids.values()].includes(uid)).sort(), [...uids.values()].sort());
    assert.equal(
      halves[0]?.items.every(({ metadata }) => fnv(metadata.uid) < 2n ** 63n),
      true,
    );
  });

  test('a part does not know how much is left', async () => {
    const { metadata } = await list(`${low} || ${high}`, '&limit=1');
    assert.equal(metadata.remainingItemCount, undefined);
  });

  test('tables and metadata are parts, too, and do not say so', async () => {
    const accept = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
    const half = await list(low);
    const { metadata, items } = await client.json<List>('GET', `${path}?shardSelector=${encodeURIComponent(low)}`, { headers: { accept } });
    assert.equal(metadata.shardInfo, undefined);
    assert.equal(items.length, half.items.length);
  });

  test('a watch sees what happens to its part, and is counted', async () => {
    const { metadata } = await list(low);
    for (const name of uids.keys()) await client.call('DELETE', `${path}/${name}`);
    const query = `watch=1&timeoutSeconds=1&resourceVersion=${metadata.resourceVersion}&shardSelector=`;
    const seen = await Promise.all(
      [low, high].map(async (selector) => {
        const { text } = await client.call('GET', `${path}?${query}${encodeURIComponent(selector)}`);
        return [...text.matchAll(/"uid":"([^"]+)"/g)].map(([, uid]) => uid as string);
      }),
    );
    assert.deepEqual(seen.flat().sort(), [...uids.values()].sort());
    assert.equal(
      seen[0]?.every((uid) => fnv(uid) < 2n ** 63n),
      true,
    );
    const { text } = await client.call('GET', '/metrics');
    assert.match(text, /^apiserver_watch_shards_total\{group="",resource="configmaps"\} 0$/m);
    assert.match(text, /^apiserver_watch_filtered_events_total\{group="",resource="configmaps"\} 20$/m);
  });

  test('a wrong selector is an error without a reason', async () => {
    const { code, reason, message } = (await list('1')) as unknown as { code: number; reason?: string; message: string };
    assert.deepEqual([code, reason], [500, undefined]);
    assert.match(message, /^invalid shard selector: /);
  });
});

test('without ShardedListAndWatch the selector is overlooked', async () => {
  const server = await startTestServer({ controllers: false });
  const client = new RawClient(server);
  const { metadata, items } = await client.json<List>('GET', '/api/v1/namespaces?shardSelector=wrong');
  assert.equal(metadata.shardInfo, undefined);
  assert.notEqual(items.length, 0);
  await client[Symbol.asyncDispose]();
  await server.stop();
});

/** written out once more, as clients have it */
function fnv(text: string): bigint {
  return [...Buffer.from(text)].reduce((hash, byte) => ((hash ^ BigInt(byte)) * 0x100000001b3n) % 2n ** 64n, 0xcbf29ce484222325n);
}
