import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Endpoint, EndpointSlice } from '../../../schema/types/discovery-v1.ts';
import { testContext } from '../../../../test/support/write-context.ts';
import { validate, validateUpdate } from './validation.ts';

type Slice = Parameters<typeof validate>[0];

const slice = (fields: Partial<EndpointSlice>): Slice =>
  ({ addressType: 'IPv4', endpoints: [], ports: [], ...fields, metadata: { name: 's', namespace: 'd', resourceVersion: '1' } }) as Slice;
const endpoint = (...addresses: string[]): Endpoint => ({ addresses, conditions: {} });
const context = testContext();

const cases: readonly (readonly [what: string, fields: Partial<EndpointSlice>, errors: readonly string[]])[] = [
  ["addresses of the slice's family are fine", { endpoints: [endpoint('10.0.0.1')] }, []],
  [
    'an address of the other family is not',
    { endpoints: [endpoint('fd00::1')] },
    ['endpoints[0].addresses: Invalid value: "fd00::1": must be an IPv4 address'],
  ],
  [
    'the loopback address serves nobody',
    { endpoints: [endpoint('127.0.0.1')] },
    ['endpoints[0].addresses[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)'],
  ],
  [
    'every part is needed',
    { addressType: '', endpoints: [endpoint()], ports: [{ name: 'A' }] as never },
    [
      'addressType: Required value',
      `ports[0].name: Invalid value: "A": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
      'ports[0].protocol: Required value',
      'endpoints[0].addresses: Required value: must contain at least 1 address',
    ],
  ],
];

for (const [what, fields, errors] of cases) {
  test(`EndpointSlice: ${what}`, () => assert.deepEqual(validate(slice(fields), context).map(String), errors));
}

test('the address type of a slice never changes, and endpoints that nobody touches stay', () => {
  const old = slice({ endpoints: [endpoint('127.0.0.1')] });
  assert.deepEqual(validateUpdate(old, old, context), []);
  assert.deepEqual(validateUpdate(slice({ addressType: 'IPv6' }), old, context).map(String), [
    'addressType: Invalid value: "IPv6": field is immutable',
  ]);
});
