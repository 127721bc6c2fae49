import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CompactedError, FutureRevisionError } from '../storage.ts';
import { Keyspace } from './keyspace.ts';

/** A keyspace after 10,000 transactions on 200 keys, and what every 500th state must look like. */
function busyKeyspace(): { keyspace: Keyspace; states: Map<number, string[]> } {
  const keyspace = new Keyspace();
  const model = new Map<string, string>();
  const states = new Map<number, string[]>();
  for (let i = 0; i < 10_000; i++) {
    const key = `k${(i * 7919) % 200}`;
    const remove = i % 3 === 0 && model.has(key);
    const operation = remove ? ({ type: 'delete', key } as const) : ({ type: 'put', key, value: Buffer.from(String(i)) } as const);
    keyspace.commit(keyspace.evaluate([operation]).items, keyspace.revision + 1);
    if (remove) model.delete(key);
    else model.set(key, String(i));
    if (i % 500 === 0) states.set(keyspace.revision, shown(model));
  }
  return { keyspace, states };
}

test('every past state can be listed as it was, also in a fork, until it is compacted', () => {
  const { keyspace, states } = busyKeyspace();
  const fork = keyspace.fork();
  keyspace.commit(keyspace.evaluate([{ type: 'put', key: 'only here', value: Buffer.from('x') }]).items, keyspace.revision + 1);
  for (const [revision, expected] of states) {
    assert.deepEqual(listed(keyspace, revision), expected);
    assert.deepEqual(listed(fork, revision), expected);
  }
  assert.equal(fork.get('only here'), undefined);

  const middle = [...states.keys()][10]!;
  fork.compact(middle);
  for (const [revision, expected] of states) {
    if (revision >= middle) assert.deepEqual(listed(fork, revision), expected);
    else assert.throws(() => fork.list('', { revision }), CompactedError);
    assert.deepEqual(listed(keyspace, revision), expected, 'the other copy keeps its history');
  }
  assert.throws(() => fork.list('', { revision: fork.revision + 1 }), FutureRevisionError);
});

test('changes since a revision lead from the state then to the state now', () => {
  const { keyspace, states } = busyKeyspace();
  for (const revision of states.keys()) {
    const state = new Map(keyspace.list('', { revision }).items.map((kv) => [kv.key, kv]));
    for (let at = revision; at < keyspace.revision;) {
      const { items, upTo } = keyspace.since(at, '');
      for (const item of items) {
        const key = item.type === 'put' ? item.kv.key : item.key;
        assert.equal(item.previous, state.get(key));
        if (item.type === 'put') state.set(key, item.kv);
        else state.delete(key);
      }
      assert.ok(upTo > at);
      at = upTo;
    }
    assert.deepEqual(
      [...state.values()].sort((a, b) => (a.key < b.key ? -1 : 1)),
      keyspace.list('').items,
    );
  }
});

test('trim() lets go of old history, but of nothing after the given revision', () => {
  const { keyspace, states } = busyKeyspace();
  keyspace.trim(1, 1, 2);
  assert.equal(keyspace.compactRevision, 1, 'nothing may go yet');
  keyspace.trim(1, 1, keyspace.revision);
  assert.ok(keyspace.compactRevision > 5000, `history starts after ${keyspace.compactRevision}`);
  for (const [revision, expected] of states)
    if (revision >= keyspace.compactRevision) assert.deepEqual(listed(keyspace, revision), expected);
});

function listed(keyspace: Keyspace, revision: number): string[] {
  return keyspace.list('', { revision }).items.map((kv) => `${kv.key}=${kv.value.toString()}`);
}

function shown(model: ReadonlyMap<string, string>): string[] {
  return [...model].map(([key, value]) => `${key}=${value}`).sort((a, b) => (a.split('=')[0]! < b.split('=')[0]! ? -1 : 1));
}
