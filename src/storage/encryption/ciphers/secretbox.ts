// Upstream: k8s.io/apiserver/pkg/storage/value/encrypt/secretbox/secretbox.go
import { randomBytes } from 'node:crypto';
import type { Transformer } from './transformer.ts';
import { open, seal, secretboxOverhead } from './xsalsa20-poly1305.ts';

const nonceSize = 24;

/** Nonce (24 random bytes), then NaCl's secret box. The storage key is not authenticated. */
export class SecretboxTransformer implements Transformer {
  readonly #key: Buffer;

  constructor(key: Buffer) {
    if (key.length !== 32) throw new Error(`expected key size 32 for secretbox provider, got ${key.length}`);
    this.#key = key;
  }

  fromStorage(value: Buffer): { value: Buffer; stale: boolean } {
    if (value.length < nonceSize + secretboxOverhead) throw new Error('the stored data was shorter than the required size');
    const message = open(value.subarray(nonceSize), value.subarray(0, nonceSize), this.#key);
    // Quirk: upstream words a failed authentication like this.
    if (message === undefined) throw new Error('output array was not large enough for encryption');
    return { value: message, stale: false };
  }

  toStorage(value: Buffer): Buffer {
    const nonce = randomBytes(nonceSize);
    return Buffer.concat([nonce, seal(value, nonce, this.#key)]);
  }
}
