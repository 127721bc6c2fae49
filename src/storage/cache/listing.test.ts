import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OrderedMap } from '../ordered-map.ts';
import { listing } from './listing.ts';

interface Entry {
  readonly key: string;
  readonly revision: number;
  readonly labels: undefined;
  readonly fields: Readonly<Record<string, string>>;
}

/** A state that counts how often all of it is walked. */
class CountedState extends OrderedMap<Entry> {
  walks = 0;

  override parts(from: string, to: string | undefined): (readonly Entry[])[] {
    this.walks++;
    return super.parts(from, to);
  }
}

test('a list that ends early does not walk all that there is: its parts are made when they are asked for', () => {
  const state = new CountedState();
  for (let index = 0; index < 1000; index++) {
    const key = `/registry/${String(index).padStart(4, '0')}`;
    state.set(key, { key, revision: index + 1, labels: undefined, fields: {} });
  }
  const { items, parts, total } = listing(state, 1000, { prefix: '/registry/' }, undefined);
  const first: string[] = [];
  for (const { key } of items) if (first.push(key) === 10) break;
  assert.deepEqual([first.at(-1), total, state.walks], ['/registry/0009', 1000, 0]);
  assert.deepEqual([parts?.().flat().length, state.walks], [1000, 1]);
});
