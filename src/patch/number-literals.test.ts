import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NumberLiterals } from './number-literals.ts';

const numbers: readonly (readonly [text: string, kept: boolean])[] = [
  ['{"a":2.0}', true],
  ['[{"value":-1.00}]', true],
  ['{"a":[1,2e0]}', true],
  ['{"a":1E3}', true],
  ['{"a":2}', false],
  ['{"a":2.5}', false],
  ['{"a":0.05}', false],
  ['{"a":"x"}', false],
];

for (const [text, kept] of numbers) {
  test(`the numbers of ${text} are ${kept ? 'kept as they were written' : 'what they look like'}`, () => {
    const literals = NumberLiterals.in(text);
    assert.equal(literals !== undefined, kept);
    if (literals === undefined) return;
    const parsed = literals.parse(text);
    assert.equal(literals.restore(JSON.stringify(parsed)), text);
  });
}

test('numbers that are written as they would be read back are numbers, and long ones are exact', () => {
  const text = '{"a":2.0,"b":1e+21,"c":9007199254740993,"d":1e-7}';
  const literals = NumberLiterals.in(text);
  assert.ok(literals !== undefined);
  const { a, ...others } = literals.parse(text) as Record<string, unknown>;
  assert.equal(typeof a, 'string');
  assert.deepEqual(others, { b: 1e21, c: 9007199254740993n, d: 1e-7 });
});

test('a long patch is not looked through', () => {
  const patch = (items: number): string => `[${Array(items).fill('2.0').join(',')}]`;
  assert.ok(NumberLiterals.in(patch(10_000)) !== undefined);
  assert.equal(NumberLiterals.in(patch(100_000)), undefined);
});

test('a string that looks like a number that is kept stays a string', () => {
  const literals = NumberLiterals.in('{"a":2.0}');
  assert.equal(literals?.restore('{"a":"\\u0000x:2.0"}'), '{"a":"\\u0000x:2.0"}');
});
