import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../machinery/errors.ts';
import { checkAmount, checkPatchedAmount } from './body-amount.ts';

const members = (count: number): string => `{${Array.from({ length: count }, (_, index) => `"k${index}":0`).join(',')}}`;
const objects = (count: number): string => `[${Array.from({ length: count }, () => '{"a":1,"b":{}}').join(',')}]`;

for (const [what, body, message] of [
  ['as many fields as one object may have', members(50_000), undefined],
  ['more fields than one object may have', members(50_001), 'limit is 50000 fields of one object'],
  ['as many fields as a body may have', objects(75_000), undefined],
  ['more fields than a body may have', objects(75_001), 'limit is 150000 fields'],
  ['as many items as a body may have', `[${'1,'.repeat(300_000)}1]`, undefined],
  ['more items than a body may have', `[${'1,'.repeat(300_001)}1]`, 'limit is 300000 items'],
  ['as many objects in lists as a body may have', `{"a":[${'{},'.repeat(74_999)}{}],"b":{"c":{}},"d":"${'x'.repeat(50_000)}"}`, undefined],
  [
    'more objects in lists than a body may have',
    `{"a":[${'{},'.repeat(75_000)}{}],"d":"${'x'.repeat(50_000)}"}`,
    'limit is 75000 objects in lists',
  ],
  ['signs in strings', JSON.stringify(['{"a":1},\\'.repeat(300_000), '"']), undefined],
  ['what is no JSON', `"${'{'.repeat(300_000)}`, undefined],
] as const) {
  test(`${what}: ${message === undefined ? 'is left to the decoder' : 'is refused'}`, () => {
    const check = (): void => checkAmount(Buffer.from(body));
    if (message === undefined) return check();
    assert.throws(check, (error) => error instanceof ApiError && error.status.code === 413 && error.status.message!.endsWith(message));
  });
}

const map = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'a']));

test('a patch may fill an object as far as a body may, whoever owns the fields', () => {
  const managedFields = [{ fieldsV1: { 'f:data': { '.': {}, ...map(50_000) } } }];
  checkPatchedAmount({ metadata: { managedFields }, data: map(50_000) });
  checkPatchedAmount([]);
});

test('a patch that makes more of an object than a body may hold is refused', () => {
  for (const patched of [{ data: map(50_001) }, { metadata: { labels: map(50_001) } }, { spec: { items: [[map(50_001)]] } }]) {
    assert.throws(() => checkPatchedAmount(patched), /limit is 50000 fields of one object/);
  }
});
