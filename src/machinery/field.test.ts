import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as field from './field.ts';
import { FieldPath } from './field.ts';
import { goFloat, goNumber, goQuote, goQuoteList } from './go-format.ts';

const path = FieldPath.root('f');

test('FieldPath renders names, indexes and keys', () => {
  const a = FieldPath.root('a', 'b');
  assert.equal(a.index(0).child('c').key('key').toString(), 'a.b[0].c[key]');
  assert.equal(a.child('x', 'y').toString(), 'a.b.x.y');
  assert.equal(a.toString(), 'a.b');
  assert.equal(FieldPath.root('').child('c').toString(), '[].c');
});

test('the body of an error prints each kind of value as upstream does', () => {
  const cases: readonly (readonly [field.FieldError, string])[] = [
    [field.invalid(path, 'a"b\n', 'bad'), 'Invalid value: "a\\"b\\n": bad'],
    [field.invalid(path, 7, ''), 'Invalid value: 7'],
    [field.invalid(path, 0.00001, ''), 'Invalid value: 1e-05'],
    [field.invalid(path, 9223372036854775807n, ''), 'Invalid value: 9223372036854775807'],
    [field.invalid(path, true, ''), 'Invalid value: true'],
    [field.invalid(path, undefined, 'x'), 'Invalid value: null: x'],
    [field.invalid(path, null, 'x'), 'Invalid value: null: x'],
    [field.invalid(path, { a: '<b>' }, 'x'), 'Invalid value: {"a":"\\u003cb\\u003e"}: x'],
    [field.invalid(path, ['a', 1n], 'x'), 'Invalid value: ["a",1]: x'],
    [field.invalid(path, field.typedValue('<b>'), ''), 'Invalid value: "\\u003cb\\u003e"'],
    [field.invalid(path, new field.LiteralValue('core.X{}'), ''), 'Invalid value: core.X{}'],
    [field.invalid(path, field.omitValue, 'x'), 'Invalid value: x'],
    [field.typeInvalid(path, 'a', 'x'), 'Invalid value: "a": x'],
    [field.required(path, 'must be set'), 'Required value: must be set'],
    [field.forbidden(path, 'no'), 'Forbidden: no'],
    [field.duplicate(path, 'a'), 'Duplicate value: "a"'],
    [field.notFound(path, 'a'), 'Not found: "a"'],
    [field.notSupported(path, 'c', ['b', 'a']), 'Unsupported value: "c": supported values: "b", "a"'],
    [field.notSupported(path, 'c', []), 'Unsupported value: "c"'],
    [field.tooLong(path, 1), 'Too long: may not be more than 1 byte'],
    [field.tooLong(path, 63), 'Too long: may not be more than 63 bytes'],
    [field.tooLong(path, -1), 'Too long: value is too long'],
    [field.tooLongCharacters(path, 10), 'Too long: may not be more than 10 characters'],
    [field.tooShort(path, 'a', 2), 'Too short: must be at least 2 characters'],
    [field.tooMany(path, 3, 1), 'Too many: 3: must have at most 1 item'],
    [field.tooMany(path, -1, -1), 'Too many: has too many items'],
    [field.internalError(path, 'oops'), 'Internal error: oops'],
  ];
  for (const [error, body] of cases) assert.equal(error.body, body);
});

test('a FieldError reads as field and body, and keeps its origin', () => {
  const error = field.required(path, '').withOrigin('required');
  assert.equal(String(error), 'f: Required value');
  assert.equal(error.origin, 'required');
  assert.equal(String(error.withDetailPrefix('why')), 'f: Required value: why');
  assert.equal(String(field.required(undefined, '')), '<nil>: Required value');
  assert.equal(String(field.required('spec.x', '')), 'spec.x: Required value');
});

test('Go formatting of strings and numbers', () => {
  assert.equal(goQuote('é世\u0001\u00a0\u{1f600}\u{e0001}\x7f'), '"é世\\x01\\u00a0😀\\U000e0001\\x7f"');
  assert.equal(goQuoteList(['a', 'b']), '["a" "b"]');
  assert.deepEqual([1.5, 0.001, 1e-7, 1e21, 1.25e25, -0.0005].map(goNumber), ['1.5', '0.001', '1e-07', '1e+21', '1.25e+25', '-0.0005']);
  assert.deepEqual([123456.5, 1234567.5, 1e7, 2 ** 53].map(goNumber), ['123456.5', '1.2345675e+06', '10000000', '9.007199254740992e+15']);
  assert.deepEqual([100000, 1e6, 0, -0, 0.00001].map(goFloat), ['100000', '1e+06', '0', '-0', '1e-05']);
});

test('a value that is longer than anybody reads is cut', () => {
  const long = 'a'.repeat(300_000);
  assert.equal(field.invalid(path, long, 'no').body, `Invalid value: "${'a'.repeat(262_144)}"...: no`);
  assert.equal(field.invalid(path, [long], 'no').body, `Invalid value: ["${'a'.repeat(262_142)}...: no`);
  assert.equal(field.invalid(path, 'a'.repeat(262_144), 'no').body, `Invalid value: "${'a'.repeat(262_144)}": no`);
});
