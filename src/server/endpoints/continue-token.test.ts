import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeContinue, encodeContinue } from './continue-token.ts';

test('a token leads to where the page ended', () => {
  const token = { revision: 12, start: 'ns/name\0' };
  assert.deepEqual(decodeContinue(encodeContinue(token)), token);
});

const encoded = (text: string): string => Buffer.from(text).toString('base64url');
const refused: readonly (readonly [token: string, why: string])[] = [
  ['a b', 'illegal base64 data at input byte 1'],
  ['abcde', 'illegal base64 data at input byte 4'],
  ['garbage', "invalid character '\\u0081' looking for beginning of value"],
  [encoded('{}'), 'server does not recognize this encoded version '],
  [encoded('{"v":"meta.k8s.io/v1"}'), 'incorrect encoded start resourceVersion (version meta.k8s.io/v1)'],
  [encoded('{"v":"meta.k8s.io/v1","rv":1}'), 'encoded start key empty (version meta.k8s.io/v1)'],
  [encoded('{"v":"meta.k8s.io/v1","rv":1,"start":"../x"}'), '../x'],
];

for (const [token, why] of refused) {
  test(`the token ${JSON.stringify(token)} is refused`, () =>
    assert.throws(() => decodeContinue(token), { message: `invalid continue token: continue key is not valid: ${why}` }));
}
