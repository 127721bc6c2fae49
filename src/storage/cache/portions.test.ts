import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Portions } from './portions.ts';
import type { Portion } from './portions.ts';

const portion = (text: string): Portion => ({ bytes: Buffer.from(text), sizes: [text.length], revision: 1, next: undefined });

test('what one watch made of a part of the state the next one sends too, and of another state it does not', () => {
  const portions = new Portions();
  const [before, after] = [{}, {}];
  portions.enter(before);
  const made = portions.get(before, 'a', () => portion('first'));
  assert.equal(
    portions.get(before, 'a', () => portion('again')),
    made,
  );
  assert.equal(String(portions.get(after, 'a', () => portion('other')).bytes), 'other');
});

test('nothing is kept when no watch is on its way, and no more than the latest before', () => {
  const portions = new Portions();
  const [state, one, other] = [{}, {}, {}];
  portions.enter(one);
  portions.enter(other);
  const first = portions.get(state, '0', () => portion('first'));
  portions.leave(one);
  assert.equal(
    portions.get(state, '0', () => portion('again')),
    first,
  );
  for (let index = 1; index <= 64; index++) portions.get(state, String(index), () => portion('next'));
  assert.equal(String(portions.get(state, '0', () => portion('made again')).bytes), 'made again');
  portions.leave(other);
  assert.equal(String(portions.get(state, '0', () => portion('made anew')).bytes), 'made anew');
});
