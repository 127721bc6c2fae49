import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DecodeError } from '../decode-error.ts';
import { parseJson } from './parse.ts';
import { stringify, writeSorted } from './write.ts';

test('parseJson() keeps int64 exact and takes every other number for a float64', () => {
  assert.deepEqual(parseJson('[9223372036854775807, -9223372036854775808,{"a":9007199254740993}]'), [
    2n ** 63n - 1n,
    -(2n ** 63n),
    { a: 2n ** 53n + 1n },
  ]);
  assert.deepEqual(parseJson('[9223372036854775808,1e300,0.1,1e3,9007199254740993.0]'), [2 ** 63, 1e300, 0.1, 1000, 2 ** 53]);
  assert.equal(parseJson('9223372036854775807'), 2n ** 63n - 1n);
  assert.equal(parseJson('-9223372036854775807'), -(2n ** 63n) + 1n);
});

test('parseJson() refuses numbers that no float64 holds', () => {
  for (const text of ['[1e999]', '{"a":-1e400}', '1e999', `[${'9'.repeat(400)}]`]) assert.throws(() => parseJson(text), DecodeError, text);
  assert.throws(() => parseJson('[1'), SyntaxError);
});

test('stringify() leaves out what JSON.stringify leaves out, bigints or not', () => {
  assert.equal(stringify({ a: 1n, b: undefined, c: [undefined] }), '{"a":1,"c":[null]}');
});

test('what is undefined is not written, whatever the order of the keys', () => {
  assert.equal(writeSorted({ b: 1, uid: undefined, a: 2 }), '{"a":2,"b":1}');
});
