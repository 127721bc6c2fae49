import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { keyPairProblem } from './key-pair.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const block = (type: string): string => `-----BEGIN ${type}-----\nAAAA\n-----END ${type}-----\n`;
const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;

const cases: readonly (readonly [what: string, certificate: string, key: string, problem: RegExp])[] = [
  ['no PEM at all', 'a', 'b', /^tls: failed to find any PEM data in certificate input$/],
  ['files that were switched', key, block('CERTIFICATE'), /but did find a private key; PEM inputs may have been switched$/],
  ['other blocks in the place of a certificate', block('A') + block('B'), key, /of the following types: \[A B\]$/],
  ['no key', block('CERTIFICATE'), 'b', /^tls: failed to find any PEM data in key input$/],
  ['a certificate in the place of the key', block('CERTIFICATE'), block('CERTIFICATE'), /^tls: found a certificate rather than a key/],
  ['a certificate that is none inside', block('CERTIFICATE'), key, /^x509: malformed certificate$/],
];

for (const [what, certificate, privateKey, problem] of cases) {
  test(`a key pair with ${what} is told from a good one`, () =>
    assert.match(keyPairProblem(base64(certificate), base64(privateKey)) ?? '', problem));
}

test('a key pair of beginnings without an end is looked through once', () => {
  assert.match(keyPairProblem(base64('-----BEGIN \0'.repeat(100_000)), base64(key)) ?? '', /^tls: failed to find any PEM data/);
  assert.match(keyPairProblem(base64('-----BEGIN A-----\n'.repeat(100_000)), base64(key)) ?? '', /^tls: failed to find any PEM data/);
});
