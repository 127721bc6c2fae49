import assert from 'node:assert/strict';
import { test } from 'node:test';
import { indentJson } from './write.ts';

test('indentJson() indents as MarshalIndent does', () => {
  for (const value of [{}, [], { a: {}, b: [] }, { a: [1, { b: 'x{,:"\\' }], c: null }, 'text', 1]) {
    assert.equal(indentJson(JSON.stringify(value)), JSON.stringify(value, null, 2));
  }
});
