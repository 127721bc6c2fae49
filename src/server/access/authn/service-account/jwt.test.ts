import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import type { ObjectReader } from '../../../registry/object-reader.ts';
import { anonymous } from '../../../request/user.ts';
import type { Claims } from './jwt.ts';
import { jwtAuthenticator, parseJwt, signJwt } from './jwt.ts';
import { fixedKeys, readSigningKey } from './keys.ts';

const newKey = (curve: string): ReturnType<typeof readSigningKey> =>
  readSigningKey(generateKeyPairSync('ec', { namedCurve: curve }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string);
const key = newKey('P-256');
const reader = undefined as unknown as ObjectReader;
const authenticate = jwtAuthenticator({
  issuers: ['us'],
  keys: fixedKeys([key]),
  audiences: ['api'],
  validate: async () => ({ user: anonymous }),
});
const claims: Claims = { aud: ['api'], iss: 'us', sub: 'x' };

test('a signed token is known, for the audiences that it shares with whoever asks', async () => {
  const token = signJwt(key, { ...claims, aud: ['api', 'other'] });
  assert.deepEqual((await authenticate(token, undefined, reader))?.audiences, ['api']);
  assert.deepEqual((await authenticate(token, ['other', 'third'], reader))?.audiences, ['other']);
  assert.deepEqual(parseJwt(token)?.header, { alg: 'ES256', kid: key.id });
});

test('tokens of other issuers, and what is no token, are none of its business', async () => {
  for (const token of ['nope', 'a.b.c', signJwt(key, { ...claims, iss: 'them' })]) {
    assert.equal(await authenticate(token, undefined, reader), undefined, token);
  }
});

test('a token is written in one way only', async () => {
  const token = signJwt(key, claims);
  for (const other of [
    `${token}=`,
    `${token}!`,
    `${token} `,
    ` ${token}`,
    `${token}.`,
    token.replace('.', '=.'),
    token.replaceAll('-', '+'),
  ]) {
    if (other !== token) assert.equal(await authenticate(other, undefined, reader), undefined, other);
  }
});

const cases: readonly (readonly [string, string, RegExp])[] = [
  ['a key that it does not know', signJwt(newKey('P-256'), claims), /no keys found/],
  ['claims changed after signing', tampered(signJwt(key, claims)), /error in cryptographic primitive/],
  ['an algorithm that is not the key’s', withHeader(signJwt(key, claims), { alg: 'none', kid: key.id }), /cryptographic primitive/],
  [
    'another audience',
    signJwt(key, { ...claims, aud: 'else' }),
    /token audiences \["else"\] is invalid for the target audiences \["api"\]/,
  ],
];

for (const [what, token, message] of cases) {
  test(`a token with ${what} is refused`, async () => {
    await assert.rejects(async () => authenticate(token, undefined, reader), { message });
  });
}

function tampered(token: string): string {
  const [header, , signature] = token.split('.');
  return [header, encode({ ...claims, sub: 'admin' }), signature].join('.');
}

function withHeader(token: string, header: object): string {
  return [encode(header), ...token.split('.').slice(1)].join('.');
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
