import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConfigMap } from '../../../schema/types/core-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { validate, validateUpdate } from './validation.ts';

type Fields = Partial<Pick<ConfigMap, 'data' | 'binaryData' | 'immutable'>>;

const configMap = (fields: Fields): ConfigMap & KubeObject => ({
  metadata: { name: 'c', namespace: 'd', resourceVersion: '1' },
  ...fields,
});

const created: readonly (readonly [what: string, fields: Fields, errors: readonly string[]])[] = [
  ['any text under a plain key is fine', { data: { 'a.b_c-D': '<&>' } }, []],
  [
    'a key with a slash is refused',
    { data: { 'a/b': '' } },
    [
      `data[a/b]: Invalid value: "a/b": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')`,
    ],
  ],
  ['a key that climbs up is refused', { binaryData: { '..': '' } }, [`binaryData[..]: Invalid value: "..": must not be '..'`]],
  [
    'a key cannot be in both maps',
    { data: { a: '' }, binaryData: { a: '' } },
    ['data[a]: Invalid value: "a": duplicate of key present in binaryData'],
  ],
  [
    'values together are limited to a mebibyte',
    { data: { a: 'x'.repeat(2 ** 20) }, binaryData: { b: 'eA==' } },
    ['[]: Too long: may not be more than 1048576 bytes'],
  ],
];

for (const [what, fields, errors] of created) {
  test(`ConfigMap: ${what}`, () => assert.deepEqual(validate(configMap(fields)).map(String), errors));
}

test('an immutable ConfigMap keeps its data and stays immutable', () => {
  const old = configMap({ immutable: true, data: { a: '1' } });
  const changed = configMap({ data: { a: '2' }, binaryData: { b: '' } });
  assert.deepEqual(validateUpdate(changed, old).map(String), [
    'immutable: Forbidden: field is immutable when `immutable` is set',
    'data: Forbidden: field is immutable when `immutable` is set',
    'binaryData: Forbidden: field is immutable when `immutable` is set',
  ]);
  assert.deepEqual(validateUpdate(configMap({ immutable: true, data: { a: '1' } }), old), []);
});
