import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deepCopy } from './deep-copy.ts';
import { deepEqual, semanticDeepEqual } from './deep-equal.ts';
import type { Field, StructType, Type } from './type-model.ts';

test('deepEqual() ignores the order of keys and undefined members only', () => {
  const cases: readonly (readonly [unknown, unknown, boolean])[] = [
    [{ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 }, true],
    [{ a: undefined }, {}, true],
    [{}, { a: 1 }, false],
    [{ a: 1 }, {}, false],
    [[1], [1, 2], false],
    [[], {}, false],
    [{}, [], false],
    [null, undefined, false],
    [1n, 1n, true],
    [{ a: [] }, {}, false],
  ];
  for (const [left, right, equal] of cases) assert.equal(deepEqual(left, right), equal, `${JSON.stringify(left, String)}`);
});

test('semanticDeepEqual() takes empty lists and maps for absent ones', () => {
  const cases: readonly (readonly [unknown, unknown, boolean])[] = [
    [{ a: [], c: null }, {}, true],
    [{}, { a: [] }, true],
    [undefined, {}, false],
    [{ b: {} }, {}, false],
    [{ a: [1] }, { a: [] }, false],
    [{ a: '' }, {}, false],
    [{ a: { b: [] } }, { a: { b: [], c: [] } }, true],
  ];
  for (const [left, right, equal] of cases) assert.equal(semanticDeepEqual(left, right), equal, JSON.stringify(left));
});

test('semanticDeepEqual() with a type tells an empty struct from an absent one', () => {
  const string: Type = { kind: 'scalar', scalar: 'string' };
  const field = (name: string, type: Type): Field => ({ name, type, pointer: true, omit: 'empty', optional: true, required: false });
  const struct = (...fields: Field[]): StructType => ({
    kind: 'struct',
    name: 'test',
    fields,
    byName: new Map(fields.map((f) => [f.name, f])),
    proto: [],
  });
  const type = struct(field('context', struct(field('user', string))), field('labels', { kind: 'map', value: string }));
  assert.equal(semanticDeepEqual({ context: {} }, {}, type), false);
  assert.equal(semanticDeepEqual({ labels: {} }, {}, type), true);
});

test('deepCopy() shares nothing and keeps odd keys', () => {
  const value = JSON.parse('{"a":[{"b":null}],"__proto__":{"c":1}}') as Record<string, unknown>;
  const copy = deepCopy(value);
  assert.deepEqual(copy, value);
  assert.notEqual(copy['a'], value['a']);
  assert.equal(JSON.stringify(copy), JSON.stringify(value));
  assert.equal(Object.getPrototypeOf(copy), Object.prototype);
});
