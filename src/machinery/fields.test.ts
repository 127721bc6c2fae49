import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FieldSelector, escapeFieldValue, parseFieldSelector } from './fields.ts';

test('parseFieldSelector() reads terms, sorts them and writes them back', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['', ''],
    [',,', ''],
    ['b=1,a!=2', 'a!=2,b=1'],
    ['a==1', 'a=1'],
    ['a=', 'a='],
    ['=x', '=x'],
    ['=,a=b,!=', 'a=b'],
    ['a=b\\,c\\=d\\\\', 'a=b\\,c\\=d\\\\'],
    ['metadata.name=x,metadata.namespace=y', 'metadata.name=x,metadata.namespace=y'],
  ];
  for (const [text, written] of cases) assert.equal(parseFieldSelector(text).toString(), written);
});

test('parseFieldSelector() refuses with the words of upstream', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['a', "invalid selector: 'a'; can't understand 'a'"],
    ['a=1,b', "invalid selector: 'a=1,b'; can't understand 'b'"],
    ['a=b=c', 'invalid field selector: unescaped character in value: 61'],
    ['a===c', 'invalid field selector: unescaped character in value: 61'],
    ['a=\\x', 'invalid field selector: invalid escape sequence: \\x'],
    ['a=b\\', 'invalid field selector: invalid escape sequence: \\'],
  ];
  for (const [text, message] of cases) assert.throws(() => parseFieldSelector(text), { message });
});

test('a field selector matches literal values, absent fields as empty', () => {
  const selector = parseFieldSelector('metadata.name=a,spec.nodeName!=b');
  assert.ok(selector.matches({ 'metadata.name': 'a' }));
  assert.ok(!selector.matches({ 'metadata.name': 'a', 'spec.nodeName': 'b' }));
  assert.ok(parseFieldSelector('x=').matches({}));
  assert.ok(FieldSelector.everything.matches({}));
  assert.equal(selector.exactMatch('metadata.name'), 'a');
  assert.equal(selector.exactMatch('spec.nodeName'), undefined);
});

test('transform() renames and drops terms', () => {
  const selector = parseFieldSelector('a=1,b=2').transform((field, value) => (field === 'b' ? undefined : { field: 'c', value }));
  assert.equal(selector.toString(), 'c=1');
  assert.equal(escapeFieldValue('a,b=c\\'), 'a\\,b\\=c\\\\');
});
