import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allSteps } from '../../base/steps.ts';
import type { JSONSchemaProps } from '../../schema/types/apiextensions-v1.ts';
import { validateListTypes } from './list-types.ts';
import { schemaNode } from './node.ts';

const keyed: JSONSchemaProps = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['a'],
  items: { type: 'object', properties: { inner: { type: 'array', 'x-kubernetes-list-type': 'set', items: {} } } },
};
const node = schemaNode({
  type: 'object',
  properties: { s: { type: 'array', 'x-kubernetes-list-type': 'set', items: {} }, m: keyed },
  additionalProperties: keyed,
});
const errorsOf = (value: unknown): string[] => allSteps(validateListTypes(value, node)).map(String);
const count = 50_000;

test('validateListTypes() reports each duplicate once, a list before the lists in its items', () => {
  assert.deepEqual(errorsOf({ s: ['a', 1, 'a', '1', 'a', 1, null, null, { b: 1, a: 2 }, { a: 2, b: 1 }] }), [
    's[2]: Duplicate value: "a"',
    's[5]: Duplicate value: 1',
    's[7]: Duplicate value: null',
    's[9]: Duplicate value: {"a":2,"b":1}',
  ]);
  assert.deepEqual(errorsOf({ other: [{ a: 1, inner: ['x', 'x'] }, { a: 1 }], m: [{ a: 1 }, 'text'] }), [
    '[other][1]: Duplicate value: {"a":1}',
    '[other][0].inner[1]: Duplicate value: "x"',
    'm[1]: Invalid value: "text": must be an object for an array of list-type map',
  ]);
  assert.deepEqual(errorsOf({ s: ['a', 'b'], m: [{ a: 1 }, { a: 2 }, null, {}] }), ['m[3]: Duplicate value: {}']);
});

for (const [what, value] of [
  ['items of a set', { s: Array.from({ length: count }, (_, index) => `a${index}`) }],
  ['keys of a map', { m: Array.from({ length: count }, (_, index) => ({ a: index })) }],
] as const) {
  test(`validateListTypes() lets others through between ${what}`, () => {
    const pauses = validateListTypes(value, node).toArray().length;
    assert.ok(pauses >= 10, `${pauses} pauses`);
  });
}
