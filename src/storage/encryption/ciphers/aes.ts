// Upstream: k8s.io/apiserver/pkg/storage/value/encrypt/aes/{aes,aes_extended_nonce}.go
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import type { CipherGCMTypes } from 'node:crypto';
import type { Transformer } from './transformer.ts';

const nonceSize = 12;
const tagSize = 16;
const blockSize = 16;
const infoSize = 32;

/** Go's names for failures that clients may see. */
const tooShort = 'the stored data was shorter than the required size';
const notAuthentic = 'cipher: message authentication failed';

/** Nonce (12 random bytes), ciphertext, tag; the storage key is authenticated. */
export class AesGcmTransformer implements Transformer {
  readonly #key: Buffer;
  readonly #algorithm: CipherGCMTypes;

  constructor(key: Buffer) {
    this.#key = key;
    this.#algorithm = `aes-${aesBits(key)}-gcm`;
  }

  fromStorage(value: Buffer, key: string): { value: Buffer; stale: boolean } {
    if (value.length < nonceSize) throw new Error(tooShort);
    if (value.length < nonceSize + tagSize) throw new Error(notAuthentic);
    const decipher = createDecipheriv(this.#algorithm, this.#key, value.subarray(0, nonceSize), { authTagLength: tagSize });
    decipher.setAAD(Buffer.from(key));
    decipher.setAuthTag(value.subarray(value.length - tagSize));
    const plain = decipher.update(value.subarray(nonceSize, value.length - tagSize));
    try {
      decipher.final();
    } catch (error) {
      throw new Error(notAuthentic, { cause: error });
    }
    return { value: plain, stale: false };
  }

  toStorage(value: Buffer, key: string): Buffer {
    const nonce = randomBytes(nonceSize);
    const cipher = createCipheriv(this.#algorithm, this.#key, nonce, { authTagLength: tagSize });
    cipher.setAAD(Buffer.from(key));
    const sealed = cipher.update(value);
    cipher.final();
    return Buffer.concat([nonce, sealed, cipher.getAuthTag()]);
  }
}

/** Initialization vector (16 random bytes), ciphertext with PKCS#7 padding; nothing is authenticated. */
export class AesCbcTransformer implements Transformer {
  readonly #key: Buffer;
  readonly #algorithm: string;

  constructor(key: Buffer) {
    this.#key = key;
    this.#algorithm = `aes-${aesBits(key)}-cbc`;
  }

  fromStorage(value: Buffer): { value: Buffer; stale: boolean } {
    if (value.length < blockSize) throw new Error(tooShort);
    if (value.length % blockSize !== 0) throw new Error('the stored data is not a multiple of the block size');
    const decipher = createDecipheriv(this.#algorithm, this.#key, value.subarray(0, blockSize)).setAutoPadding(false);
    const padded = Buffer.concat([decipher.update(value.subarray(blockSize)), decipher.final()]);
    return { value: withoutPadding(padded), stale: false };
  }

  toStorage(value: Buffer): Buffer {
    const vector = randomBytes(blockSize);
    const cipher = createCipheriv(this.#algorithm, this.#key, vector);
    return Buffer.concat([vector, cipher.update(value), cipher.final()]);
  }
}

/** OpenSSL would do it, but with errors of its own; and upstream accepts padding longer than a block. */
function withoutPadding(padded: Buffer): Buffer {
  const count = padded.at(-1) ?? 0;
  if (count === 0 || count > padded.length) throw new Error('invalid PKCS7 data (empty or not padded)');
  const size = padded.length - count;
  for (let i = size; i < padded.length; i++) {
    if (padded[i] !== count) throw new Error('invalid padding on input');
  }
  return padded.subarray(0, size);
}

function aesBits(key: Buffer): 128 | 192 | 256 {
  const bits = key.length * 8;
  if (bits === 128 || bits === 192 || bits === 256) return bits;
  throw new Error(`crypto/aes: invalid key size ${key.length}`);
}

/**
 * AES-GCM with a key of its own per value: 32 random bytes stand in front of the value and, with the seed, give the key (the expand
 * step of HKDF with SHA-256). So one seed may encrypt any number of values.
 */
export class ExtendedNonceGcmTransformer implements Transformer {
  readonly #seed: Buffer;

  constructor(seed: Buffer) {
    if (seed.length < infoSize) throw new Error(`invalid seed length ${seed.length} used for key generation`);
    this.#seed = seed;
  }

  fromStorage(value: Buffer, key: string): { value: Buffer; stale: boolean } {
    if (value.length < infoSize) throw new Error(tooShort);
    return this.#derived(value.subarray(0, infoSize)).fromStorage(value.subarray(infoSize), key);
  }

  toStorage(value: Buffer, key: string): Buffer {
    const info = randomBytes(infoSize);
    return Buffer.concat([info, this.#derived(info).toStorage(value, key)]);
  }

  #derived(info: Buffer): AesGcmTransformer {
    // 32 bytes are one block of SHA-256, so the first round of the expansion is the whole of it.
    const key = createHmac('sha256', this.#seed).update(info).update(firstRound).digest();
    return new AesGcmTransformer(key);
  }
}

const firstRound = Buffer.from([1]);
