// Upstream: k8s.io/apiserver/pkg/storage/value/encrypt/envelope/envelope.go
import { randomBytes } from 'node:crypto';
import { aggregateMessages } from '../../../machinery/field.ts';
import { AesCbcTransformer, AesGcmTransformer } from '../ciphers/aes.ts';
import type { Transformed, Transformer } from '../ciphers/transformer.ts';
import type { EncryptionMetrics } from '../metrics/encryption-metrics.ts';
import type { KmsV1Service } from './v1-service.ts';

const keySize = 32;
const lengthSize = 2;

/**
 * Values of KMS v1: each has a key of its own, which the plugin encrypts and the value carries in front. So a plugin is asked at every
 * write, and at every read of a value whose key is not among the last `cacheSize` ones.
 */
export class KmsV1EnvelopeTransformer implements Transformer {
  readonly #service: KmsV1Service;
  readonly #cacheSize: number;
  readonly #metrics: EncryptionMetrics | undefined;
  /** by the encrypted key, least recently used first */
  readonly #ciphers = new Map<string, KeyCipher>();

  /** `cacheSize` of 0 or less: nothing is remembered */
  constructor(service: KmsV1Service, cacheSize: number, metrics?: EncryptionMetrics) {
    this.#service = service;
    this.#cacheSize = cacheSize;
    this.#metrics = metrics;
  }

  fromStorage(value: Buffer, key: string): Transformed | Promise<Transformed> {
    this.#metrics?.arrived('from_storage');
    const start = value.length < lengthSize ? undefined : lengthSize + value.readUInt16BE(0);
    if (start === undefined || value.length < start)
      throw new Error('invalid data encountered by envelope transformer: failed to read uint16 length prefixed data');
    const encryptedKey = value.subarray(lengthSize, start);
    const data = value.subarray(start);
    const known = this.#known(encryptedKey);
    if (known !== undefined) return known.open(data, key);
    if (this.#cacheSize > 0) this.#metrics?.cacheMissed();
    return this.#service.decrypt(encryptedKey).then((dek) => this.#remember(encryptedKey, dek).open(data, key));
  }

  async toStorage(value: Buffer, key: string): Promise<Buffer> {
    this.#metrics?.arrived('to_storage');
    const make = (): Buffer => randomBytes(keySize);
    const dek = this.#metrics?.makeKey(make) ?? make();
    const encryptedKey = await this.#service.encrypt(dek);
    const sealed = this.#remember(encryptedKey, dek).seal(value, key);
    if (encryptedKey.length > 0xffff) throw new Error('cryptobyte: pending child length 65536 exceeds 2-byte length prefix');
    const length = Buffer.allocUnsafe(lengthSize);
    length.writeUInt16BE(encryptedKey.length);
    return Buffer.concat([length, encryptedKey, sealed]);
  }

  #known(encryptedKey: Buffer): KeyCipher | undefined {
    const name = encryptedKey.toString('latin1');
    const cipher = this.#ciphers.get(name);
    if (cipher === undefined) return undefined;
    this.#ciphers.delete(name);
    this.#ciphers.set(name, cipher);
    return cipher;
  }

  #remember(encryptedKey: Buffer, dek: Buffer): KeyCipher {
    const cipher = new KeyCipher(dek);
    if (this.#cacheSize <= 0) return cipher;
    const name = encryptedKey.toString('latin1');
    this.#ciphers.delete(name);
    this.#ciphers.set(name, cipher);
    if (this.#ciphers.size > this.#cacheSize) this.#ciphers.delete(this.#ciphers.keys().next().value as string);
    this.#metrics?.fills(this.#ciphers.size / this.#cacheSize);
    return cipher;
  }
}

/** One key: values are written with AES-GCM; those that servers before v1.25 wrote with AES-CBC are read, and stale. */
class KeyCipher {
  readonly #gcm: AesGcmTransformer;
  readonly #cbc: AesCbcTransformer;

  constructor(key: Buffer) {
    this.#gcm = new AesGcmTransformer(key);
    this.#cbc = new AesCbcTransformer(key);
  }

  open(data: Buffer, key: string): Transformed {
    const problems: string[] = [];
    for (const [index, cipher] of [this.#gcm, this.#cbc].entries()) {
      try {
        return { value: cipher.fromStorage(data, key).value, stale: index > 0 };
      } catch (error) {
        problems.push(error instanceof Error ? error.message : String(error));
      }
    }
    throw new Error(aggregateMessages(problems));
  }

  seal(value: Buffer, key: string): Buffer {
    return this.#gcm.toStorage(value, key);
  }
}
