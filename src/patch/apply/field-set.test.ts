import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  contains,
  decodeFieldSet,
  difference,
  equalSets,
  fieldSet,
  formatPath,
  intersection,
  isEmpty,
  paths,
  recursiveDifference,
  union,
} from './field-set.ts';
import { formatElement } from './path-element.ts';
import type { FieldSet } from './field-set.ts';

const element = fc.constantFrom(
  'f:a',
  'f:b',
  'f:B',
  'k:{"name":"a"}',
  'k:{"name":"a-b"}',
  'k:{"port":80}',
  'k:{"port":443}',
  'v:"a"',
  'v:9',
  'v:10',
  'i:3',
);
const path = fc.array(element, { minLength: 1, maxLength: 3 });
const anySet = fc.array(path, { maxLength: 8 }).map((items) => fieldSet(...items));
const texts = (set: FieldSet) => new Set([...paths(set)].map((item) => JSON.stringify(item)));

test('union, difference and intersection are those of the sets of paths', () => {
  fc.assert(
    fc.property(anySet, anySet, (left, right) => {
      const a = texts(left);
      const b = texts(right);
      assert.deepEqual(texts(union(left, right)), a.union(b));
      assert.deepEqual(texts(difference(left, right)), a.difference(b));
      assert.deepEqual(texts(intersection(left, right)), a.intersection(b));
    }),
  );
});

test('every operation gives a canonical set, which decodes to itself', () => {
  fc.assert(
    fc.property(anySet, anySet, (left, right) => {
      for (const set of [union(left, right), difference(left, right), intersection(left, right), recursiveDifference(left, right)]) {
        assert.equal(decodeFieldSet(set), set);
        const shuffled = JSON.parse(
          JSON.stringify(set, (_key, value: object) => Object.fromEntries(Object.entries(value).reverse())),
        ) as unknown;
        assert.equal(JSON.stringify(decodeFieldSet(shuffled)), JSON.stringify(set));
      }
    }),
  );
});

test('recursiveDifference() removes what lies below a path too', () => {
  fc.assert(
    fc.property(anySet, anySet, (left, right) => {
      const gone = [...paths(right)];
      const expected = [...paths(left)].filter((item) => !gone.some((prefix) => prefix.every((part, i) => item[i] === part)));
      assert.deepEqual(texts(recursiveDifference(left, right)), new Set(expected.map((item) => JSON.stringify(item))));
    }),
  );
});

test('operations that change nothing give the same object', () => {
  const set = fieldSet(['f:a'], ['f:b', 'f:c']);
  assert.equal(union(set, fieldSet()), set);
  assert.equal(difference(set, fieldSet(['f:z'])), set);
  assert.ok(equalSets(set, fieldSet(['f:b', 'f:c'], ['f:a'])));
  assert.ok(isEmpty(intersection(set, fieldSet(['f:b']))));
});

const decoded: readonly { json: unknown; set: string }[] = [
  { json: { 'f:b': {}, 'f:a': {} }, set: '{"f:a":{},"f:b":{}}' },
  { json: { 'f:a': { '.': {} } }, set: '{"f:a":{}}' },
  { json: { 'f:a': { 'f:b': {}, '.': {} } }, set: '{"f:a":{".":{},"f:b":{}}}' },
  { json: { 'k:{"b":1,"a":"x"}': {} }, set: '{"k:{\\"a\\":\\"x\\",\\"b\\":1}":{}}' },
  { json: { 'v:10': {}, 'v:9': {}, 'v:"9"': {} }, set: '{"v:9":{},"v:10":{},"v:\\"9\\"":{}}' },
  { json: { 'k:{"n":"<"}': {} }, set: '{"k:{\\"n\\":\\"\\\\u003c\\"}":{}}' },
  { json: { '.': {}, 'f:a': null }, set: '{"f:a":{}}' },
  { json: { 'x:future': {}, 'f:a': {} }, set: '{"f:a":{}}' },
  { json: {}, set: '{}' },
];

for (const { json, set } of decoded) {
  test(`fieldsV1 ${JSON.stringify(json)} reads as ${set}`, () => {
    assert.equal(JSON.stringify(decodeFieldSet(json)), set);
  });
}

for (const json of [{ a: {} }, { ab: {} }, { 'k:{': {} }, { 'i:x': {} }, { 'k:[]': {} }, { 'f:a': 'x' }]) {
  test(`fieldsV1 ${JSON.stringify(json)} is refused`, () => {
    assert.throws(() => decodeFieldSet(json));
  });
}

test('paths are shown as messages show them', () => {
  const path = ['f:spec', 'k:{"containerPort":80,"protocol":"TCP"}', 'v:"x"', 'i:3', 'f:a'];
  assert.equal(formatPath(path), '.spec[containerPort=80,protocol="TCP"][="x"][3].a');
  assert.equal(formatPath(['v:99999999999']), '[=9.9999999999e+10]');
  assert.equal(formatElement('v:99999999999', 'object'), '[=99999999999]');
  assert.ok(contains(fieldSet(path), path));
  assert.ok(!contains(fieldSet(path), path.slice(0, 2)));
});
