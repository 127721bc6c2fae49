import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../machinery/errors.ts';
import { applyMergePatch } from './merge-patch.ts';
import type { JsonObject } from './json/json-object.ts';

const cases: readonly { document: JsonObject; patch: unknown; expected: unknown }[] = [
  { document: { a: 'b' }, patch: { a: 'c' }, expected: { a: 'c' } },
  { document: { a: 'b' }, patch: { b: 'c' }, expected: { a: 'b', b: 'c' } },
  { document: { a: 'b', b: 'c' }, patch: { a: null }, expected: { b: 'c' } },
  { document: { a: ['b'] }, patch: { a: 'c' }, expected: { a: 'c' } },
  { document: { a: 'c' }, patch: { a: ['b'] }, expected: { a: ['b'] } },
  { document: { a: { b: 'c' } }, patch: { a: { b: 'd', c: null } }, expected: { a: { b: 'd' } } },
  { document: { a: [{ b: 'c' }] }, patch: { a: [1] }, expected: { a: [1] } },
  { document: { e: null }, patch: { a: 1 }, expected: { e: null, a: 1 } },
  { document: {}, patch: { a: { bb: { ccc: null } } }, expected: { a: { bb: {} } } },
  { document: { a: 1 }, patch: { a: [{ b: null }, null] }, expected: { a: [{}, null] } },
  { document: { a: {} }, patch: { a: [{ b: null }, null] }, expected: { a: [{ b: null }, null] } },
  { document: {}, patch: { constructor: { a: 1 } }, expected: { constructor: { a: 1 } } },
  { document: { a: 1 }, patch: [1, { b: null }], expected: [1, {}] },
];

for (const { document, patch, expected } of cases) {
  test(`merge patch ${JSON.stringify(patch)} on ${JSON.stringify(document)} gives ${JSON.stringify(expected)}`, () => {
    const before = JSON.stringify(document);
    assert.deepEqual(applyMergePatch(document, patch, { typed: false }).value, expected);
    assert.equal(JSON.stringify(document), before, 'the document is left alone');
  });
}

const refused: readonly { patch: unknown; typed: boolean; message: string }[] = [
  { patch: null, typed: true, message: 'Invalid JSON Patch' },
  { patch: [], typed: true, message: 'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}' },
  { patch: 'x', typed: true, message: 'error decoding patch: json: cannot unmarshal string into Go value of type map[string]interface {}' },
  { patch: 'x', typed: false, message: 'Invalid JSON Patch' },
];

for (const { patch, typed, message } of refused) {
  test(`merge patch ${JSON.stringify(patch)}${typed ? ' with validation' : ''} is refused: ${message}`, () => {
    assert.throws(
      () => applyMergePatch({}, patch, { typed }),
      (error) => error instanceof ApiError && error.code === 400 && error.status.message === message,
    );
  });
}
