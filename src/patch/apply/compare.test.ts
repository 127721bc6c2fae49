import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../json/json-object.ts';
import { compareObjects, comparingObjects } from './compare.ts';
import { deducedShape } from './shape.ts';

const map = (count: number, value: unknown): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, value]));

const pairs: readonly (readonly [before: JsonObject, after: JsonObject])[] = [
  [{}, {}],
  [{}, { spec: { a: map(30, 1), b: { c: {}, d: [1] } } }],
  [{ spec: { a: map(30, 1), b: { c: {}, d: [1] } } }, {}],
  [{ spec: { a: map(30, 1), b: { c: { e: 1 } } } }, { spec: { a: map(20, 2), b: { c: {}, f: { g: map(3, {}) } } } }],
  [{ spec: { a: { b: 1 }, c: 'text', d: null } }, { spec: { a: 'text', c: { b: 1 }, d: { e: 1 } } }],
  [{ spec: { a: [{ b: map(3, 1) }] } }, { spec: { a: [{ b: map(3, 2) }] } }],
  [{ spec: map(10, { a: 1, b: { c: 2 } }) }, { spec: map(12, { a: 1, b: { c: 3 } }) }],
];

test('comparingObjects() finds what compareObjects() does, one map after the other', () => {
  for (const [before, after] of pairs) {
    const steps = comparingObjects(deducedShape, before, after);
    let step = steps.next();
    while (step.done !== true) step = steps.next();
    const expected = compareObjects(deducedShape, before, after);
    assert.equal(JSON.stringify(step.value), JSON.stringify(expected));
  }
});

test('comparingObjects() pauses after each map, also of what is new', () => {
  for (const before of [{}, { spec: { a: map(3, 0), b: map(3, 0), c: map(3, 0) } }]) {
    const steps = comparingObjects(deducedShape, before, { spec: { a: map(3, 1), b: map(3, 1), c: map(3, 1) } });
    let count = 0;
    while (steps.next().done !== true) count++;
    assert.ok(count >= 4, `${count} steps`);
  }
});
