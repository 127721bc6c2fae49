import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AesCbcTransformer, AesGcmTransformer, ExtendedNonceGcmTransformer } from './aes.ts';
import { keyOf, plainOf, recordedBox, recordedValues, storageKey } from '../recorded-values.cases.ts';
import { SecretboxTransformer } from './secretbox.ts';
import { open, seal } from './xsalsa20-poly1305.ts';

const ciphers = {
  aesgcm: AesGcmTransformer,
  aescbc: AesCbcTransformer,
  secretbox: SecretboxTransformer,
  xnonce: ExtendedNonceGcmTransformer,
};

test('every cipher reads what upstream wrote', () => {
  for (const [provider, keySize, length, value] of recordedValues) {
    const transformer = new ciphers[provider](keyOf(keySize));
    const plain = transformer.fromStorage(Buffer.from(value, 'base64'), storageKey);
    assert.deepEqual(plain, { value: plainOf(length), stale: false }, `${provider} with a key of ${keySize} bytes, ${length} bytes long`);
  }
});

test('every cipher reads what it wrote, of any length, and never writes the same twice', () => {
  for (const [name, Cipher] of Object.entries(ciphers)) {
    const transformer = new Cipher(keyOf(32));
    for (let length = 0; length < 200; length++) {
      const written = transformer.toStorage(plainOf(length), storageKey);
      assert.deepEqual(transformer.fromStorage(written, storageKey).value, plainOf(length), `${name}, ${length} bytes`);
      assert.notDeepEqual(transformer.toStorage(plainOf(length), storageKey), written);
    }
  }
});

test('seal() gives what golang.org/x/crypto gives, and open() undoes it', () => {
  const key = Buffer.from(Array.from({ length: 32 }, (_, i) => i));
  const nonce = Buffer.from(Array.from({ length: 24 }, (_, i) => 200 + i));
  const message = Buffer.from(Array.from({ length: 1000 }, (_, i) => i & 0xff));
  const box = seal(message, nonce, key);
  assert.equal(box.toString('base64'), recordedBox);
  assert.deepEqual(open(box, nonce, key), message);
  for (const at of [0, 15, 16, 500, 1015]) {
    const changed = Buffer.from(box);
    changed[at]! ^= 1;
    assert.equal(open(changed, nonce, key), undefined, `byte ${at} changed`);
  }
});

const failures: readonly { what: string; run: () => unknown; message: string }[] = [
  {
    what: 'aesgcm, value moved to another key',
    run: () => new AesGcmTransformer(keyOf(32)).fromStorage(new AesGcmTransformer(keyOf(32)).toStorage(plainOf(9), '/a'), '/b'),
    message: 'cipher: message authentication failed',
  },
  {
    what: 'aesgcm, other key',
    run: () => new AesGcmTransformer(keyOf(16)).fromStorage(new AesGcmTransformer(keyOf(32)).toStorage(plainOf(9), '/a'), '/a'),
    message: 'cipher: message authentication failed',
  },
  {
    what: 'aesgcm, cut off',
    run: () => new AesGcmTransformer(keyOf(32)).fromStorage(Buffer.alloc(11), '/a'),
    message: 'the stored data was shorter than the required size',
  },
  {
    what: 'aesgcm, cut off within the tag',
    run: () => new AesGcmTransformer(keyOf(32)).fromStorage(Buffer.alloc(20), '/a'),
    message: 'cipher: message authentication failed',
  },
  {
    what: 'aescbc, cut off',
    run: () => new AesCbcTransformer(keyOf(32)).fromStorage(Buffer.alloc(15)),
    message: 'the stored data was shorter than the required size',
  },
  {
    what: 'aescbc, odd length',
    run: () => new AesCbcTransformer(keyOf(32)).fromStorage(Buffer.alloc(33)),
    message: 'the stored data is not a multiple of the block size',
  },
  {
    what: 'aescbc, nothing but the vector',
    run: () => new AesCbcTransformer(keyOf(32)).fromStorage(Buffer.alloc(16)),
    message: 'invalid PKCS7 data (empty or not padded)',
  },
  {
    what: 'secretbox, other key',
    run: () => new SecretboxTransformer(Buffer.alloc(32)).fromStorage(new SecretboxTransformer(keyOf(32)).toStorage(plainOf(9))),
    message: 'output array was not large enough for encryption',
  },
  {
    what: 'secretbox, cut off',
    run: () => new SecretboxTransformer(keyOf(32)).fromStorage(Buffer.alloc(39)),
    message: 'the stored data was shorter than the required size',
  },
  {
    what: 'seed too short',
    run: () => new ExtendedNonceGcmTransformer(Buffer.alloc(31)),
    message: 'invalid seed length 31 used for key generation',
  },
];

for (const { what, run, message } of failures) {
  test(`${what}: ${message}`, () => {
    assert.throws(run, { message });
  });
}
