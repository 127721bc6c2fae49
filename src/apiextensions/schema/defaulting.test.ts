import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyDefaults, mostFilledIn } from './defaulting.ts';
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
