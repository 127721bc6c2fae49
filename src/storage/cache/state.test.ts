import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allSteps } from '../../base/steps.ts';
import type { KeyValue, WatchItem } from '../storage.ts';
import type { Change } from './state.ts';
import { State } from './state.ts';

interface Entry {
  readonly key: string;
  readonly revision: number;
  readonly labels: undefined;
  readonly fields: Readonly<Record<string, string>>;
  readonly text: string;
}

function decode({ key, modRevision, value }: KeyValue): Entry {
  const text = value.toString();
  if (text === 'corrupt') throw new Error('cannot be read');
  return { key, revision: modRevision, labels: undefined, fields: { text }, text };
}

const newState = (replaced?: (entry: Entry) => void): State<Entry> =>
  new State<Entry>({ prefix: '/', decode, tombstone: (last, revision) => ({ ...last, revision }), indexedFields: ['text'], replaced });

const keys = Array.from({ length: 300 }, (_, i) => `/${String(i).padStart(3, '0')}`);
const put = (key: string, revision: number, text: string) => ({
  type: 'put' as const,
  kv: { key, value: Buffer.from(text), modRevision: revision, createRevision: 1, version: 1 },
  previous: undefined,
});

/** Of every kind, whatever was there before. */
function changeOf(key: string, at: number, revision: number): WatchItem {
  if (at % 3 === 0) return { type: 'delete', key, revision, previous: undefined };
  return put(key, revision, at % 5 === 0 ? 'corrupt' : `text ${at % 7}`);
}

function shown(state: State<Entry>, changes: readonly (Change<Entry> | undefined)[]): unknown {
  return {
    entries: [...state.snapshot().entries()],
    corrupt: state.corruptIn('/').map(({ key, revision }) => [key, revision]),
    indexed: [...(state.candidates({ text: 'text 1' })?.keys() ?? [])].toSorted(),
    changes: changes.flatMap((change) => (change === undefined ? [] : [{ ...change, event: change.event && { ...change.event } }])),
  };
}

function compare(items: readonly WatchItem[]): void {
  const [one, other] = [newState(), newState()];
  const start = keys.filter((_, i) => i % 2 === 0).map((key, i) => put(key, 1, i % 4 === 0 ? 'corrupt' : 'text 1'));
  const apply = (state: State<Entry>, item: WatchItem): Change<Entry> | undefined => {
    if (item.type === 'progress') return undefined;
    return state.apply(item);
  };
  for (const item of start) for (const state of [one, other]) apply(state, item);
  const { changes, adopt } = allSteps(one.stage(items));
  assert.equal(changes.length > 0 && one.size > 0, true);
  adopt();
  assert.deepEqual(
    shown(one, changes),
    shown(
      other,
      items.map((item) => apply(other, item)),
    ),
  );
}

test('many changes that are made together come to the same as one after the other', () => {
  compare(keys.map((key, i) => changeOf(key, i, 2)));
});

test('so do those of several transactions, in which a key comes twice', () => {
  const twice = keys.flatMap((key, i) => [changeOf(key, i, 2), changeOf(key, i + 1, 3)]);
  compare([...twice, { type: 'progress', revision: 3 }]);
  compare([...keys.map((key, i) => changeOf(key, i, 2)), ...keys.map((key, i) => changeOf(key, i + 2, 3))]);
});

test('tells of entries that are not current any more, and of no others', () => {
  const replaced: string[] = [];
  const state = newState(({ text }) => replaced.push(text));
  state.apply(put('/a', 1, 'first'));
  state.apply(put('/a', 2, 'second'));
  assert.equal(state.apply(put('/a', 2, 'second')), undefined, 'known already');
  allSteps(state.stage([put('/b', 3, 'other'), put('/a', 3, 'third')])).adopt();
  state.apply({ type: 'delete', key: '/a', revision: 4, previous: undefined });
  assert.deepEqual(replaced, ['first', 'second', 'third']);
});
