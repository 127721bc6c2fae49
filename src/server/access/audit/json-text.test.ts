import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compactJson, withoutManagedFields } from './json-text.ts';

test('blanks between tokens go, blanks in texts stay', () => {
  assert.equal(compactJson('{ "a b" : [ 1.0 , "c \\" d" ] ,\n"e":\t{} }\n'), '{"a b":[1.0,"c \\" d"],"e":{}}');
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
} as const;

for (const [what, [given, left]] of Object.entries(cases)) {
  test(`${what} without managed fields is otherwise as it was`, () => assert.equal(withoutManagedFields(given), left));
}
