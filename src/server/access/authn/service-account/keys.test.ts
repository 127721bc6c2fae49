import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { createAuthority } from '../../../../base/tls/certificate.ts';
import { jsonWebKey, readSigningKey, readVerificationKeys } from './keys.ts';

const ecdsaPublicKey = `-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEH6cuzP8XuD5wal6wf9M6xDljTOPL
X2i8uIp/C/ASqiIGUeeKQtX0/IR3qCXyThP/dbCiHrF3v1cuhBOHY8CLVg==
-----END PUBLIC KEY-----`;

test('a key has the id that upstream gives it, since tokens of both must be verified by both', () => {
  const [key] = readVerificationKeys(ecdsaPublicKey);
  assert.equal(key?.id, 'SoABiieYuNx4UdqYvZRVeuC6SihxgLrhLy9peHMHpTc');
  assert.equal(key.algorithm, 'ES256');
});

test('public keys, private keys and certificates of one file are all read', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
  const now = Date.now();
  const authority = createAuthority({ commonName: 'ca' }, { from: new Date(now), to: new Date(now + 1e6) });
  const file = [ecdsaPublicKey, privateKey.export({ type: 'sec1', format: 'pem' }), authority.certificate].join('\n');
  assert.deepEqual(
    readVerificationKeys(file).map(({ algorithm }) => algorithm.slice(0, 2)),
    ['ES', 'ES', readSigningKey(authority.key).algorithm.slice(0, 2)],
  );
});

test('a file without a key is refused', () => {
  assert.throws(() => readVerificationKeys('nothing'), { message: 'data does not contain any valid RSA or ECDSA public keys' });
});

test('a key set shows public halves only', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = readSigningKey(privateKey.export({ type: 'pkcs1', format: 'pem' }) as string);
  assert.deepEqual(Object.keys(jsonWebKey(key)), ['use', 'kty', 'kid', 'alg', 'n', 'e']);
});
