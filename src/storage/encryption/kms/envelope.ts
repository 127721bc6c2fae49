// Upstream: k8s.io/apiserver/pkg/storage/value/encrypt/envelope/kmsv2/{envelope,cache}.go
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../base/clock.ts';
import { AesGcmTransformer, ExtendedNonceGcmTransformer } from '../ciphers/aes.ts';
import type { EncryptionMetrics } from '../metrics/encryption-metrics.ts';
import type { Transformed, Transformer } from '../ciphers/transformer.ts';
import type { EncryptedDek, EncryptedObject } from './encrypted-object.ts';
import { decodeEncryptedObject, dekFingerprint, dekSourceType, encodeEncryptedObject } from './encrypted-object.ts';
import type { KmsPlugin, WriteKey } from './plugin.ts';

type ReadTransformer = AesGcmTransformer | ExtendedNonceGcmTransformer;

const rememberedMs = 24 * 60 * 60 * 1000;

/**
 * Values encrypted with keys that a KMS plugin keeps encrypted: each value carries its encrypted key. Decrypted keys are remembered,
 * so that the plugin is asked once per key and not per value.
 */
export class KmsEnvelopeTransformer implements Transformer {
  readonly #plugin: KmsPlugin;
  readonly #clock: Clock;
  readonly #metrics: EncryptionMetrics | undefined;
  /** by fingerprint of the encrypted key, least recently set first */
  readonly #readers = new Map<string, { readonly reader: ReadTransformer; readonly until: number }>();
  readonly #asking = new Map<string, Promise<ReadTransformer>>();

  constructor(plugin: KmsPlugin, clock: Clock, metrics?: EncryptionMetrics) {
    this.#plugin = plugin;
    this.#clock = clock;
    this.#metrics = metrics;
  }

  fromStorage(value: Buffer, key: string): Transformed | Promise<Transformed> {
    const object = decodeEncryptedObject(value);
    const writeKey = this.#plugin.writeKey;
    const fingerprint = dekFingerprint(object);
    const reader = this.#readers.get(fingerprint)?.reader;
    if (reader !== undefined) return this.#opened(object, reader, writeKey, key);
    this.#metrics?.cacheMissed();
    return this.#askFor(object, fingerprint).then((asked) => this.#opened(object, asked, writeKey, key));
  }

  toStorage(value: Buffer, key: string): Buffer {
    const writeKey = this.#plugin.assertCanWrite();
    this.#remember(writeKey.fingerprint, writeKey.transformer);
    const encryptedData = writeKey.transformer.toStorage(value, key);
    this.#metrics?.usedKey('to_storage', this.#plugin.name, writeKey.dek.keyId);
    return encodeEncryptedObject({ ...writeKey.dek, encryptedData });
  }

  #opened(object: EncryptedObject, reader: ReadTransformer, writeKey: WriteKey, key: string): Transformed {
    this.#metrics?.usedKey('from_storage', this.#plugin.name, object.keyId);
    const { value } = reader.fromStorage(object.encryptedData, key);
    return { value, stale: object.keyId !== writeKey.dek.keyId || object.sourceType !== writeKey.dek.sourceType };
  }

  /** Values of a list that share an unknown key share one question. */
  #askFor(dek: EncryptedDek, fingerprint: string): Promise<ReadTransformer> {
    let asking = this.#asking.get(fingerprint);
    if (asking === undefined) {
      asking = this.#decrypt(dek, fingerprint).finally(() => this.#asking.delete(fingerprint));
      this.#asking.set(fingerprint, asking);
    }
    return asking;
  }

  async #decrypt(dek: EncryptedDek, fingerprint: string): Promise<ReadTransformer> {
    let plain: Buffer;
    try {
      plain = await this.#plugin.service.decrypt(randomUUID(), {
        ciphertext: dek.encryptedDekSource,
        keyId: dek.keyId,
        annotations: dek.annotations,
      });
    } catch (error) {
      throw new Error(`failed to decrypt DEK, error: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
    // Values written before v1.29 have plain AES-GCM keys; they are read, never written.
    const reader = dek.sourceType === dekSourceType.hkdfSeed ? new ExtendedNonceGcmTransformer(plain) : new AesGcmTransformer(plain);
    this.#remember(fingerprint, reader);
    return reader;
  }

  #remember(fingerprint: string, reader: ReadTransformer): void {
    const now = this.#clock.elapsed();
    this.#readers.delete(fingerprint);
    this.#readers.set(fingerprint, { reader, until: now + rememberedMs });
    for (const [oldest, { until }] of this.#readers) {
      if (until > now) break;
      this.#readers.delete(oldest);
    }
    this.#metrics?.remembers(this.#plugin.name, this.#readers.size);
  }
}
