import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JSONSchemaProps } from '../../schema/types/apiextensions-v1.ts';
import { applyDefaults, growthOf, mostFilledIn } from './defaulting.ts';
import { schemaNode } from './node.ts';

const node = schemaNode({
  type: 'object',
  properties: { l: { type: 'array', items: { type: 'object', properties: { a: { type: 'string', default: 'x'.repeat(993) } } } } },
});

test('applyDefaults() fills in what is absent, and says whether there was any', () => {
  const value = { l: [{}, { a: 'b' }] };
  assert.equal(applyDefaults(value, node), true);
  assert.deepEqual(value, { l: [{ a: 'x'.repeat(993) }, { a: 'b' }] });
  assert.equal(applyDefaults(value, node), false);
});

test('applyDefaults() refuses to make hundreds of megabytes of a list of empty objects', () => {
  const empty = (length: number): object => ({ l: Array.from({ length }, () => ({})) });
  assert.equal(applyDefaults(empty(3145), node, mostFilledIn), true);
  assert.throws(() => applyDefaults(empty(3146), node, mostFilledIn), { name: 'ApiError', code: 413 });
  // what is stored is read as it is
  assert.equal(applyDefaults(empty(3146), node), true);
});

test('applyDefaults() looks at what has a default, and not at all that each of many objects could have', () => {
  const wide = schemaNode({
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`p${index}`, { type: 'string' }])),
  });
  assert.equal(wide.defaulted.size, 0);
  assert.equal(node.properties.get('l')?.items?.defaulted.size, 1);
});

test('applyDefaults() refuses to fill in hundreds of thousands, however short they are', () => {
  const short = schemaNode({
    type: 'object',
    properties: { l: { type: 'array', items: { type: 'object', properties: { a: { type: 'integer', default: 1 } } } } },
  });
  const empty = (length: number): object => ({ l: Array.from({ length }, () => ({})) });
  assert.equal(applyDefaults(empty(100_000), short, mostFilledIn), true);
  assert.throws(() => applyDefaults(empty(100_001), short, mostFilledIn), { name: 'ApiError', code: 413 });
  assert.equal(applyDefaults(empty(100_001), short), true);
});

test('growthOf() says how much defaults may make of an object', () => {
  const nested: JSONSchemaProps = {
    type: 'object',
    default: {},
    properties: { b: { type: 'string', default: 'cd' }, e: { type: 'string' } },
  };
  const { fixed, perCharacter } = growthOf(schemaNode({ type: 'object', properties: { a: nested, f: { type: 'array', items: nested } } }));
  // {"a":{"b":"cd"}} instead of {}
  assert.equal(fixed, 5 + 2 + 5 + 4);
  assert.equal(perCharacter, (5 + 2 + 5 + 4) / 3);
  assert.deepEqual(growthOf(schemaNode({ type: 'object', properties: { a: { type: 'string' } } })), { fixed: 0, perCharacter: 0 });
});
