import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allSteps } from '../base/steps.ts';
import fc from 'fast-check';
import { compareKeys, OrderedMap, prefixEnd } from './ordered-map.ts';

test('OrderedMap answers like a sorted list of entries, whatever is done to it', () => {
  const key = fc.oneof(
    fc.integer({ min: 0, max: 400 }).map((n) => `/k/${n}`),
    fc.string({ unit: fc.constantFrom('a', 'z', '\u00e9', '\ud7ff', '\ue000', '\uffff', '\u{1f600}', '\u{10ffff}'), maxLength: 4 }),
  );
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('set' as const), key, value: fc.nat() }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('delete' as const), key, value: fc.constant(0) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('snapshot' as const), key, value: fc.constant(0) }) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 800, size: 'max' }), key, key, (steps, from, to) => {
      const map = new OrderedMap<number>();
      const model = new Map<string, number>();
      const copies: [OrderedMap<number>, [string, number][]][] = [];
      for (const { do: what, key, value } of steps) {
        if (what === 'set') {
          assert.equal(map.set(key, value), model.get(key));
          model.set(key, value);
        } else if (what === 'delete') {
          assert.equal(map.delete(key), model.get(key));
          model.delete(key);
        } else copies.push([map.snapshot(), sorted(model)]);
      }
      copies.push([map, sorted(model)]);
      for (const [copy, entries] of copies) {
        assert.deepEqual([...copy.entries()], entries);
        assert.equal(copy.size, entries.length);
        for (const [key, value] of entries) assert.equal(copy.get(key), value);
        const between = entries.filter(([key]) => compareKeys(key, from) >= 0 && compareKeys(key, to) < 0);
        assert.deepEqual([...copy.entries(from, to)], between);
        assert.equal(copy.count(from, to), between.length);
        assert.deepEqual(
          copy.range(from, to, 3),
          between.slice(0, 3).map(([, value]) => value),
        );
      }
    }),
    { numRuns: 100 },
  );
});

test('compareKeys() orders as UTF-8 bytes do', () => {
  const text = fc.string({ unit: 'grapheme' });
  fc.assert(
    fc.property(text, text, (a, b) => {
      assert.equal(compareKeys(a, b), Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
  assert.equal(compareKeys('\uffff', '\u{1f600}'), -1);
});

test('OrderedMap survives growing to 20,000 keys and shrinking to none, in any order', () => {
  for (const stride of [1, 7919, 19_999]) {
    const map = new OrderedMap<number>();
    const keys = Array.from({ length: 20_000 }, (_, i) => `/registry/pods/${(i * stride) % 20_000}`);
    for (const [i, key] of keys.entries()) map.set(key, i);
    const full = map.snapshot();
    for (const key of keys) assert.notEqual(map.delete(key), undefined);
    assert.equal(map.size, 0);
    assert.deepEqual([...map.entries()], []);
    assert.equal(full.size, 20_000);
    assert.equal(full.count('/registry/pods/1', '/registry/pods/2'), 11_111);
    assert.equal(full.range('/registry/pods/1', '/registry/pods/2').length, 11_111);
  }
});

test('fromSorted() makes the map that setting one by one makes', () => {
  for (const length of [0, 1, 55, 56, 57, 5000]) {
    const keys = Array.from({ length }, (_, i) => `k${String(i).padStart(6, '0')}`);
    const map = OrderedMap.fromSorted(
      keys,
      keys.map((_, i) => i),
    );
    assert.deepEqual(
      [...map.entries()],
      keys.map((key, i) => [key, i]),
    );
    assert.equal(map.count('k000001', 'k000003'), Math.max(0, Math.min(2, length - 1)));
    map.set('k000001x', -1);
    assert.equal(map.size, length + 1);
    assert.equal(map.get('k000001x'), -1);
  }
});

const ends = [
  { prefix: '/registry/pods/', end: '/registry/pods0' },
  { prefix: 'a\u{10ffff}', end: 'b' },
  { prefix: '\ud7ff', end: '\ue000' },
  { prefix: '\uffff', end: '\u{10000}' },
  { prefix: '\u{10ffff}', end: undefined },
  { prefix: '', end: undefined },
];
for (const { prefix, end } of ends) {
  test(`prefixEnd(${JSON.stringify(prefix)}) is ${JSON.stringify(end)}`, () => assert.equal(prefixEnd(prefix), end));
}

function sorted(model: Map<string, number>): [string, number][] {
  return [...model].sort(([a], [b]) => compareKeys(a, b));
}

/** What reconciled() asks about, with what it makes when the other map is right. */
function asked(here: OrderedMap<number>, there: OrderedMap<number>): (readonly [string, number | undefined, number | undefined])[] {
  const found: (readonly [string, number | undefined, number | undefined])[] = [];
  const same = allSteps(
    here.reconciled(there, (...question) => {
      found.push(question);
      return question[2];
    }),
  );
  assert.deepEqual([...same.entries()], [...there.entries()]);
  return found;
}

test('setAll() makes the map that setting and deleting one by one makes, and reconciled() finds what it did, in order', () => {
  const key = (i: number): string => `k${String(i).padStart(6, '0')}`;
  for (const shift of ['', '\u{1f600}']) {
    const [one, all] = [new OrderedMap<number>(), new OrderedMap<number>()];
    if (shift !== '') for (const map of [one, all]) map.set(shift, -1);
    for (const [step, from, to] of [
      [1, 0, 1000],
      [3, 500, 4000],
      [1, 0, 5000],
      [1, 0, 5000],
    ] as const) {
      const keys = Array.from({ length: Math.ceil((to - from) / step) }, (_, i) => key(from + i * step));
      const values = keys.map((_, i) => (i % 5 === step ? undefined : i + to));
      const before = all.snapshot();
      const expected = new Map<string, number | undefined>();
      for (const [i, changed] of keys.entries()) {
        const value = values[i];
        if (before.get(changed) !== value) expected.set(changed, value);
        if (value === undefined) one.delete(changed);
        else one.set(changed, value);
      }
      allSteps(all.setAll(keys, values));
      assert.deepEqual([...all.entries()], [...one.entries()]);
      assert.equal(all.size, one.size);
      assert.deepEqual(
        asked(before, all).map(([at, , there]) => [at, there]),
        [...expected],
      );
      assert.deepEqual(
        asked(all, before).map(([at, here]) => [at, here]),
        [...expected],
      );
    }
  }
});

test('reconciled() makes of each key that differs what it is told, and leaves both maps and their shared nodes alone', () => {
  const key = (i: number): string => `k${String(i).padStart(6, '0')}`;
  const there = OrderedMap.fromSorted(
    Array.from({ length: 3000 }, (_, i) => key(2 * i)),
    Array.from({ length: 3000 }, (_, i) => i),
  );
  const here = there.snapshot();
  for (let i = 1000; i < 2000; i += 3) here.set(key(i), -i);
  for (let i = 4000; i < 5000; i += 4) here.delete(key(i));
  const [mine, theirs] = [[...here.entries()], [...there.entries()]];
  const expected = new Map(theirs);
  const asks: string[] = [];
  const result = allSteps(
    here.reconciled(there, (at, ours, other) => {
      asks.push(at);
      // It stays, is to be as there, goes, or is new to both.
      const value = [ours, other, undefined, 7][asks.length % 4];
      if (value === undefined) expected.delete(at);
      else expected.set(at, value);
      return value;
    }),
  );
  assert.deepEqual(asks, asks.toSorted(compareKeys));
  assert.equal(asks.length, 334 + 250);
  assert.deepEqual([...result.entries()], sorted(expected));
  assert.equal(result.size, expected.size);
  for (let i = 0; i < 6000; i += 2) result.set(key(i), 0);
  there.set(key(0), 1);
  assert.equal(result.get(key(0)), 0);
  assert.deepEqual([...here.entries()], mine);
  assert.deepEqual([...there.entries()].slice(1), theirs.slice(1));
});

test('parts() are the values of a range in order, and the same arrays until something in them changes', () => {
  const map = new OrderedMap<number>();
  const key = (i: number): string => `k${String(i).padStart(6, '0')}`;
  for (let i = 0; i < 1000; i++) map.set(key(i), i);
  const before = map.snapshot();
  for (const [from, to] of [
    [0, 1000],
    [3, 997],
    [500, 510],
    [48, 96],
    [700, 700],
  ] as const) {
    assert.deepEqual(before.parts(key(from), key(to)).flat(), before.range(key(from), key(to)));
  }
  assert.deepEqual(before.parts('', undefined).flat(), before.range());
  const parts = before.parts(key(0), key(1000));
  map.set(key(500), -1);
  map.delete(key(501));
  const after = map.snapshot().parts(key(0), key(1000));
  assert.equal(after.filter((part) => !parts.includes(part)).length, 1);
  assert.equal(parts.flat()[500], 500);
});
