import assert from 'node:assert/strict';
import { test } from 'node:test';
import { indentJson, writeSorted } from './write.ts';

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
