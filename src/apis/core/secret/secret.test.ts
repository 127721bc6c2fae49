import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Secret } from '../../../schema/types/core-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { secrets } from './definition.ts';
import { validate, validateUpdate } from './validation.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const secret = (fields: Partial<Secret>): Secret & KubeObject =>
  ({ ...fields, metadata: { name: 's', namespace: 'd', resourceVersion: '1', ...fields.metadata } }) as Secret & KubeObject;

const created: readonly (readonly [what: string, fields: Partial<Secret>, errors: readonly string[]])[] = [
  ['a type of their own may hold anything', { type: 'example.com/x', data: {} }, []],
  ['a TLS secret needs both files', { type: 'kubernetes.io/tls', data: { 'tls.crt': '' } }, ['data[tls.key]: Required value']],
  [
    'an SSH key must not be empty',
    { type: 'kubernetes.io/ssh-auth', data: { 'ssh-privatekey': '' } },
    ['data[ssh-privatekey]: Required value'],
  ],
  ['a password alone is enough', { type: 'kubernetes.io/basic-auth', data: { password: '' } }, []],
  [
    'user and password cannot both be missing',
    { type: 'kubernetes.io/basic-auth' },
    ['data[username]: Required value', 'data[password]: Required value'],
  ],
  [
    'a token names its account',
    { type: 'kubernetes.io/service-account-token' },
    ['metadata.annotations[kubernetes.io/service-account.name]: Required value'],
  ],
  [
    'registry credentials are JSON, and never shown',
    { type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': base64('{"a"') } },
    ['data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": unexpected end of JSON input'],
  ],
  [
    'registry credentials are an object',
    { type: 'kubernetes.io/dockercfg', data: { '.dockercfg': base64('[1]') } },
    [
      'data[.dockercfg]: Invalid value: "<secret contents redacted>": json: cannot unmarshal array into Go value of type map[string]interface {}',
    ],
  ],
];

for (const [what, fields, errors] of created) {
  test(`Secret: ${what}`, () => assert.deepEqual(validate(secret(fields)).map(String), errors));
}

test('the type of a secret never changes, its data only when it is not immutable', () => {
  const old = secret({ type: 'Opaque', immutable: true, data: { a: '' } });
  assert.deepEqual(validateUpdate(secret({ type: 'other', immutable: true }), old).map(String), [
    'type: Invalid value: "other": field is immutable',
    'data: Forbidden: field is immutable when `immutable` is set',
  ]);
});

test('stringData becomes data when a secret is read', () => {
  const object = secret({ data: { a: base64('1'), b: base64('2') }, stringData: { b: 'x', c: 'ü' } });
  secrets.strategy?.defaults?.(object, 'v1');
  assert.deepEqual(object.data, { a: base64('1'), b: base64('x'), c: base64('ü') });
  assert.equal(object.stringData, undefined);
  assert.equal(object.type, 'Opaque');
});

test('a null among the data is stored in another form than it is read in, once', () => {
  const object = secret({ data: { a: null, b: base64('x') } as unknown as Record<string, string> });
  const { defaults, isReadOtherwise } = secrets.strategy ?? {};
  defaults?.(object, 'v1');
  assert.equal(JSON.stringify(object.data), JSON.stringify({ a: '', b: base64('x') }));
  assert.ok(isReadOtherwise?.(object));
  assert.ok(!isReadOtherwise?.(secret({ data: { a: '', b: base64('x') } })));
});
