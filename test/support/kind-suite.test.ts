import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Expected } from './kind-suite.ts';
import { judge } from './kind-suite.ts';
import type { RawAnswer } from './raw-client.ts';

const answer = (status: number, body: object, warning?: string): RawAnswer => {
  const bytes = Buffer.from(JSON.stringify(body));
  return { status, headers: warning === undefined ? {} : { warning }, bytes, text: bytes.toString() };
};
const object = answer(200, { spec: { a: 1, list: [{ b: 2, c: 3 }] } }, '299 - "one, \\"quoted\\"", 299 - "two"');
const refusal = answer(422, { message: 'm', details: { causes: [{ field: 'spec.a', message: 'Required value' }] } });
const row = answer(200, { columnDefinitions: [{ name: 'Name' }, { name: 'Age' }], rows: [{ cells: ['x', '5s'] }] });

const met: readonly (readonly [what: string, answer: RawAnswer, expected: Expected])[] = [
  ['fields that were asked for', object, { fields: { spec: { a: 1, list: [{ b: 2 }] } } }],
  ['a field that is absent', object, { fields: { spec: { z: undefined } } }],
  ['warnings', object, { warnings: ['one, "quoted"', 'two'] }],
  ['causes', refusal, { causes: ['spec.a: Required value'] }],
  ['a pattern', refusal, { status: 422, message: /^m$/ }],
  ['cells', row, { cells: { Name: 'x', Age: /s$/ } }],
];

const missed: readonly (readonly [what: string, answer: RawAnswer, expected: Expected])[] = [
  ['a field of another value', object, { fields: { spec: { a: 2 } } }],
  ['a field that should be absent', object, { fields: { spec: { a: undefined } } }],
  ['an item too many', object, { fields: { spec: { list: [] } } }],
  ['an item too few', object, { fields: { spec: { list: [{ b: 2 }, { b: 2 }] } } }],
  ['a warning too many', object, { warnings: ['two'] }],
  ['a failure where success was expected', refusal, { message: 'm' }],
  ['a success where causes were expected', object, { causes: [] }],
  ['a cause too many', refusal, { causes: [] }],
  ['a pattern that does not match', refusal, { causes: [/^spec\.b/] }],
  ['cells in another order', row, { cells: { Age: /s$/, Name: 'x' } }],
  ['a cell that was not expected', row, { cells: { Name: 'x' } }],
];

for (const [what, given, expected] of met) test(`an answer is accepted for ${what}`, () => judge(given, expected));
for (const [what, given, expected] of missed) test(`an answer is refused for ${what}`, () => assert.throws(() => judge(given, expected)));
