import assert from 'node:assert/strict';
import { test } from 'node:test';
import { indentJson, writeSorted, writingSorted } from './write.ts';

test('indentJson() indents as MarshalIndent does', () => {
  for (const value of [{}, [], { a: {}, b: [] }, { a: [1, { b: 'x{,:"\\' }], c: null }, 'text', 1]) {
    assert.equal(indentJson(JSON.stringify(value)), JSON.stringify(value, null, 2));
  }
});

test('writeSorted() orders the keys of every level', () => {
  const value = {
    b: [
      { z: 1, a: -0 },
      { a: 1, b: [true, null] },
    ],
    a: { 10: 'x', 9: [undefined, 2n ** 60n] },
  };
  assert.equal(writeSorted(value), '{"a":{"10":"x","9":[null,1152921504606846976]},"b":[{"a":0,"z":1},{"a":1,"b":[true,null]}]}');
});

test('writeSorted() leaves to JSON.stringify what is in order below what is not', () => {
  const ordered = Object.defineProperty({ a: 1, b: 2 }, 'toJSON', { value: () => 'by JSON.stringify' });
  assert.equal(writeSorted({ b: ordered, a: 1 }), '{"a":1,"b":"by JSON.stringify"}');
});

test('writingSorted() writes the same in steps, however large parts are spread', () => {
  const map = (count: number): object =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${(index * 7919) % count}`, index]));
  const list = Array.from({ length: 10_000 }, (_, index) => (index % 3 === 0 ? { b: index, a: [`é${index}`, null] } : index));
  const values: readonly (readonly [value: unknown, leastSteps: number])[] = [
    [{ b: 1, a: 2 }, 0],
    ['text', 0],
    [list, 5],
    [map(20_000), 5],
    [{ z: map(20_000), b: [[list, -0, undefined, map(3000)], 2n ** 60n], a: { x: { y: { z: map(5000), c: undefined } } } }, 20],
    [[[[[map(3000), map(3000)]]], 'x', {}], 2],
  ];
  for (const [value, leastSteps] of values) {
    const steps = writingSorted(value);
    let count = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) count++;
    assert.equal(step.value, writeSorted(value));
    assert.ok(leastSteps === 0 ? count === 0 : count >= leastSteps, `${count} steps`);
  }
});
