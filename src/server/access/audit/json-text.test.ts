import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allSteps } from '../../../base/steps.ts';
import { compactJson, typeMetaIn, withoutManagedFields } from './json-text.ts';

test('blanks between tokens go, blanks in texts stay', () => {
  assert.equal(allSteps(compactJson('{ "a b" : [ 1.0 , "c \\" d" ] ,\n"e":\t{} }\n')), '{"a b":[1.0,"c \\" d"],"e":{}}');
  assert.equal(allSteps(compactJson('{"a":"\\\\" , "b":" c')), '{"a":"\\\\","b":" c');
});

const managed = '"managedFields":[{"manager":"m"}]';
const cases = {
  'an object': [
    `{"metadata":{"name":"a",${managed}},"n":12345678901234567890,"f":1.50}`,
    '{"metadata":{"name":"a"},"n":12345678901234567890,"f":1.50}',
  ],
  'a list': [
    `{"metadata":{},"items":[{"metadata":{${managed}}},{"metadata":{}}]}`,
    '{"metadata":{},"items":[{"metadata":{}},{"metadata":{}}]}',
  ],
  'a table': [
    `{"rows":[{"cells":[1],"object":{"metadata":{${managed}}}},{"cells":[2],"object":null}]}`,
    '{"rows":[{"cells":[1],"object":{"metadata":{}}},{"cells":[2],"object":null}]}',
  ],
  'an object that has more of that name': [
    `{"managedFields":1,"metadata":{${managed},"name":"\\"managedFields\\""},"spec":{"[]":{"metadata":{${managed}}},"b":[],"metadata":{${managed}}}}`,
    `{"managedFields":1,"metadata":{"name":"\\"managedFields\\""},"spec":{"[]":{"metadata":{${managed}}},"b":[],"metadata":{${managed}}}}`,
  ],
} as const;

for (const [what, [given, left]] of Object.entries(cases)) {
  test(`${what} without managed fields is otherwise as it was`, () => assert.equal(allSteps(withoutManagedFields(given)), left));
}

test('an object says what it is at its top', () => {
  const typeOf = (text: string): object => ({ ...allSteps(typeMetaIn(text)) });
  assert.deepEqual(typeOf('{"kind":"A","apiVersion":"v1","kinds":{}}'), { kind: 'A', apiVersion: 'v1' });
  assert.deepEqual(typeOf('{"apiVersion":"g/v1","items":[{"kind":"B","a":["kind"]}],"kind":"AList","metadata":{"kind":"C"}}'), {
    apiVersion: 'g/v1',
    kind: 'AList',
  });
  assert.deepEqual(typeOf('{"kind":1,"major":"1"}'), {});
  assert.deepEqual(typeOf('["kind"]'), {});
});

test('long texts are gone through in steps', () => {
  const items = Array.from({ length: 10_000 }, () => `{"metadata":{"name":"a",${managed}},"data":{"a": "b"}}`).join(', ');
  const text = `{"items":[${items}],"kind":"List"}`;
  for (const steps of [compactJson(text), typeMetaIn(text), withoutManagedFields(text)]) {
    const pauses = (steps as Generator<void>).toArray().length;
    assert.ok(pauses >= 4, `${pauses} pauses`);
  }
});
