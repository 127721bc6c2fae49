import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../base/clock.ts';
import { runStorageBehaviour } from '../behaviour/behaviour.ts';
import { createMemoryStorage } from '../drivers/memory/memory-storage.ts';
import { AesGcmTransformer } from './ciphers/aes.ts';
import type { Transformer } from './ciphers/transformer.ts';
import { RecentValues } from './recent-values.ts';
import { withTransformer } from './with-transformer.ts';

const cipher = new AesGcmTransformer(Buffer.alloc(32, 'k'));

runStorageBehaviour('encrypted memory', async () => {
  const clock = new ManualClock(Date.now());
  const memory = createMemoryStorage({ clock });
  return { storage: withTransformer(memory, () => cipher), advance: (ms) => clock.advance(ms), watchers: () => memory.watchers };
});

/** As a key service would respond: later. */
const asking: Transformer = {
  fromStorage: async (value, key) => cipher.fromStorage(value, key),
  toStorage: async (value, key) => cipher.toStorage(value, key),
};

for (const [name, transformer] of Object.entries({ 'at once': cipher, later: asking })) {
  test(`a value that cannot be read is reported at its key, and the rest of list and watch is there (answers ${name})`, async () => {
    await using memory = createMemoryStorage();
    const storage = withTransformer(memory, () => transformer);
    const start = await storage.currentRevision();
    for (const key of ['/x/a', '/x/b', '/x/c']) await storage.transact([{ type: 'put', key, value: Buffer.from(key) }]);
    assert.ok(!(await memory.get('/x/a')).kv?.value.includes('/x/a'), 'what is stored is not plain');
    await memory.transact([{ type: 'put', key: '/x/b', value: Buffer.from('garbage that nobody wrote') }]);
    const { items } = await storage.list('/x/');
    assert.deepEqual(
      items.map(({ key, value, error }) => [key, value.toString(), error?.message]),
      [
        ['/x/a', '/x/a', undefined],
        ['/x/b', '', 'cipher: message authentication failed'],
        ['/x/c', '/x/c', undefined],
      ],
    );
    const deleted = await storage.transact([{ type: 'delete', key: '/x/b', expect: items[1]!.modRevision }]);
    assert.ok(deleted.succeeded);
    assert.equal(deleted.values[0]?.error?.message, 'cipher: message authentication failed');
    const abort = new AbortController();
    const seen: string[] = [];
    for await (const batch of storage.watch('/x/', { revision: start, signal: abort.signal })) {
      for (const item of batch) {
        if (item.type === 'put') seen.push(`put ${item.kv.key} ${item.kv.error?.message ?? item.kv.value}`);
        else if (item.type === 'delete') seen.push(`delete ${item.key} ${item.previous?.error?.message}`);
      }
      if (seen.length >= 5) break;
    }
    assert.deepEqual(seen, [
      'put /x/a /x/a',
      'put /x/b /x/b',
      'put /x/c /x/c',
      'put /x/b cipher: message authentication failed',
      'delete /x/b cipher: message authentication failed',
    ]);
  });
}

test('a value that cannot be encrypted is an internal error, and nothing is written', async () => {
  const refuse = (): never => {
    throw new Error('the vault is sealed');
  };
  for (const toStorage of [refuse, async () => refuse()]) {
    await using memory = createMemoryStorage();
    const storage = withTransformer(memory, () => ({ ...asking, toStorage }));
    await assert.rejects(storage.transact([{ type: 'put', key: '/x/a', value: Buffer.from('a') }]), {
      message: 'Internal error occurred: the vault is sealed',
    });
    assert.equal(await memory.count('/x/'), 0);
  }
});

test('of two transformers the inner one says why a value cannot be read', async () => {
  await using memory = createMemoryStorage();
  const storage = withTransformer(
    withTransformer(memory, () => cipher),
    () => ({ ...asking, fromStorage: (value) => ({ value: Buffer.from(JSON.stringify(JSON.parse(value.toString()))), stale: false }) }),
  );
  await memory.transact([{ type: 'put', key: '/x/a', value: Buffer.from('written by no server of this key') }]);
  assert.equal((await storage.get('/x/a')).kv?.error?.message, 'cipher: message authentication failed');
});

test('what was written or read a moment ago is recognised by its bytes, and what others wrote is decoded', async () => {
  await using memory = createMemoryStorage();
  let decoded = 0;
  const counting: Transformer = {
    toStorage: (value) => Buffer.from(value.toString('base64')),
    fromStorage(value) {
      decoded++;
      return { value: Buffer.from(value.toString(), 'base64'), stale: value.includes('=') };
    },
  };
  const storage = withTransformer(memory, () => counting, new RecentValues());
  const start = await storage.currentRevision();
  const values = ['one', 'two', 'six'].map((text) => Buffer.from(text));
  for (const value of values) await storage.transact([{ type: 'put', key: '/x/a', value }]);
  assert.equal((await storage.get('/x/a')).kv?.value, values[2], 'the same bytes, not a copy');
  assert.equal(decoded, 0);
  await memory.transact([{ type: 'put', key: '/x/a', value: Buffer.from('Zm91cg==') }]);
  for (let i = 0; i < 2; i++) {
    const { kv } = await storage.get('/x/a');
    assert.equal(kv?.value.toString(), 'four');
    assert.equal(kv?.stale, true);
  }
  assert.equal(decoded, 1);
  const abort = new AbortController();
  const seen: string[] = [];
  for await (const batch of storage.watch('/x/', { revision: start, signal: abort.signal })) {
    for (const item of batch) if (item.type === 'put') seen.push(`${item.kv.value} after ${item.previous?.value}`);
    if (seen.length >= 4) break;
  }
  assert.deepEqual(seen, ['one after undefined', 'two after one', 'six after two', 'four after six']);
});

test('values that are remembered are bounded', () => {
  const recent = new RecentValues();
  const value = Buffer.alloc(1 << 10);
  for (let i = 0; i < 20_000; i++) recent.add(`/x/${i}`, Buffer.from(`at rest ${i}`), { value, stale: false });
  assert.equal(recent.find('/x/0', Buffer.from('at rest 0')), undefined);
  assert.equal(recent.find('/x/19999', Buffer.from('at rest 19999'))?.value, value);
  const large = Buffer.alloc(4 << 20);
  recent.add('/x/large', large, { value: large, stale: false });
  assert.equal(recent.find('/x/large', large), undefined, 'one value must not take the place of all others');
});

test('values before the changes are not read for a watch that does not look at them', async () => {
  await using memory = createMemoryStorage();
  let read = 0;
  const counting: Transformer = { toStorage: (value) => value, fromStorage: (value) => ({ value, stale: Boolean(++read) && false }) };
  const storage = withTransformer(memory, () => counting);
  const revision = await storage.currentRevision();
  await storage.transact([{ type: 'put', key: '/x/a', value: Buffer.from('one') }]);
  await storage.transact([{ type: 'put', key: '/x/a', value: Buffer.from('two') }]);
  for (const [previous, expected] of [
    [true, 3],
    [false, 2],
  ] as const) {
    read = 0;
    let seen = 0;
    for await (const batch of storage.watch('/x/', { revision, signal: AbortSignal.timeout(10_000), previous })) {
      seen += batch.length;
      if (seen === 2) break;
    }
    assert.equal(read, expected);
  }
});
