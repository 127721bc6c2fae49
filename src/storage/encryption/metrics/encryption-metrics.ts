// Upstream: k8s.io/apiserver/pkg/storage/value/metrics.go, k8s.io/apiserver/pkg/storage/value/encrypt/envelope/metrics/metrics.go
import { createHash } from 'node:crypto';
import { GrpcError, codeName } from '../../../base/grpc/status.ts';
import type { MetricsRegistry } from '../../../base/metrics.ts';
import { exponentialBuckets } from '../../../base/metrics.ts';

export type Direction = 'from_storage' | 'to_storage';

/** plugins name their keys as they like: so many of the names are shown */
const maxKeyIds = 100;

export function encryptionFamilies(registry: MetricsRegistry) {
  const storage = 'apiserver_storage_';
  const envelope = 'apiserver_envelope_encryption_';
  const byKey = ['transformation_type', 'provider_name', 'key_id_hash', 'apiserver_id_hash'] as const;
  return {
    seconds: registry.histogram({
      name: `${storage}transformation_duration_seconds`,
      help: 'Time that it took to encrypt or decrypt a value, where that did not fail',
      labels: ['transformation_type', 'transformer_prefix'],
      buckets: exponentialBuckets(5e-6, 2, 25),
    }),
    operations: registry.counter({
      name: `${storage}transformation_operations_total`,
      help: 'Values that were encrypted or decrypted, by what their stored form begins with; the status is OK or says why it failed',
      labels: ['resource', 'transformation_type', 'transformer_prefix', 'status'],
    }),
    cacheMisses: registry.counter({
      name: `${storage}envelope_transformation_cache_misses_total`,
      help: 'Values whose key was not remembered, so that a KMS plugin had to decrypt it',
    }),
    dataKeySeconds: registry.histogram({
      name: `${storage}data_key_generation_duration_seconds`,
      help: 'Time that it took to make a data encryption key',
      buckets: exponentialBuckets(5e-6, 2, 14),
    }),
    dataKeyFailures: registry.counter({
      name: `${storage}data_key_generation_failures_total`,
      help: 'Data encryption keys that could not be made',
    }),
    callSeconds: registry.histogram({
      name: `${envelope}kms_operations_latency_seconds`,
      help: 'Time that a call to a KMS plugin took, by how it ended',
      labels: ['provider_name', 'method_name', 'grpc_status_code'],
      buckets: exponentialBuckets(0.0001, 2, 20),
    }),
    keyUses: registry.counter({
      name: `${envelope}key_id_hash_total`,
      help: 'Values that were encrypted or decrypted with a key of a KMS plugin',
      labels: byKey,
    }),
    keyLastUse: registry.gauge({
      name: `${envelope}key_id_hash_last_timestamp_seconds`,
      help: 'When a key of a KMS plugin was last used, in seconds since 1970',
      labels: byKey,
    }),
    keyLastStatus: registry.gauge({
      name: `${envelope}key_id_hash_status_last_timestamp_seconds`,
      help: 'When a KMS plugin last named this as its key, in seconds since 1970',
      labels: ['provider_name', 'key_id_hash', 'apiserver_id_hash'],
    }),
    invalidKeyIds: registry.counter({
      name: `${envelope}invalid_key_id_from_status_total`,
      help: 'Times that a KMS plugin named a key in a way that cannot be',
      labels: ['provider_name', 'error'],
    }),
    cacheFill: registry.gauge({
      name: `${envelope}dek_cache_fill_percent`,
      help: 'How full the cache of decrypted keys of a KMS v1 plugin is, from 0 to 1',
    }),
    interArrival: registry.histogram({
      name: `${envelope}dek_cache_inter_arrival_time_seconds`,
      help: 'Time between values that a KMS v1 plugin is needed for',
      labels: ['transformation_type'],
      buckets: exponentialBuckets(60, 2, 10),
    }),
    dekSources: registry.gauge({
      name: `${envelope}dek_source_cache_size`,
      help: 'Decrypted keys that are remembered: about so many calls a KMS plugin gets after a restart',
      labels: ['provider_name'],
    }),
  };
}

/** Counts what is encrypted and decrypted, and what is asked of KMS plugins. */
export class EncryptionMetrics {
  readonly #families: ReturnType<typeof encryptionFamilies>;
  readonly #serverHash: string;
  readonly #lastArrival: { [direction in Direction]?: number } = {};
  readonly #keys = new Recent<{ uses: { inc(): void }; last: { set(value: number): void } }>(maxKeyIds);
  readonly #statusKeys = new Recent<{ set(value: number): void }>(maxKeyIds);

  constructor(registry: MetricsRegistry, serverId: string) {
    this.#families = encryptionFamilies(registry);
    this.#serverHash = hashOf(serverId);
  }

  transformed(resource: string, direction: Direction, prefix: string, began: number, failure?: { readonly error: unknown }): void {
    const { operations, seconds } = this.#families;
    operations.with(resource, direction, prefix, failure === undefined ? 'OK' : statusOf(failure.error)).inc();
    if (failure === undefined) seconds.with(direction, prefix).observe((performance.now() - began) / 1000);
  }

  /** A value comes to a plugin of KMS v1. */
  arrived(direction: Direction): void {
    const now = performance.now();
    this.#families.interArrival.with(direction).observe((now - (this.#lastArrival[direction] ?? now)) / 1000);
    this.#lastArrival[direction] = now;
  }

  /** The cache of a plugin of KMS v1 is so full, from 0 to 1. */
  fills(share: number): void {
    this.#families.cacheFill.with().set(share);
  }

  cacheMissed(): void {
    this.#families.cacheMisses.with().inc();
  }

  /** Makes a data encryption key. */
  makeKey(make: () => Buffer): Buffer {
    const began = performance.now();
    try {
      const key = make();
      this.#families.dataKeySeconds.with().observe((performance.now() - began) / 1000);
      return key;
    } catch (error) {
      this.#families.dataKeyFailures.with().inc();
      throw error;
    }
  }

  async called<T>(provider: string, method: string, call: () => Promise<T>): Promise<T> {
    const began = performance.now();
    const ended = (status: string): void =>
      this.#families.callSeconds.with(provider, method, status).observe((performance.now() - began) / 1000);
    try {
      const answer = await call();
      ended('OK');
      return answer;
    } catch (error) {
      ended(statusOf(error));
      throw error;
    }
  }

  usedKey(direction: Direction, provider: string, keyId: string): void {
    const { keyUses, keyLastUse } = this.#families;
    const { uses, last } = this.#keys.get(`${direction} ${provider} ${keyId}`, () => {
      const labels = [direction, provider, hashOf(keyId), this.#serverHash] as const;
      const forget = (): void => [keyUses, keyLastUse].forEach((family) => family.remove(...labels));
      return [{ uses: keyUses.with(...labels), last: keyLastUse.with(...labels) }, forget];
    });
    uses.inc();
    last.set(Date.now() / 1000);
  }

  namedKey(provider: string, keyId: string): void {
    const { keyLastStatus } = this.#families;
    const last = this.#statusKeys.get(`${provider} ${keyId}`, () => {
      const labels = [provider, hashOf(keyId), this.#serverHash] as const;
      return [keyLastStatus.with(...labels), () => keyLastStatus.remove(...labels)];
    });
    last.set(Date.now() / 1000);
  }

  namedInvalidKey(provider: string, keyId: string): void {
    this.#families.invalidKeyIds.with(provider, keyId === '' ? 'empty' : 'too_long').inc();
  }

  remembers(provider: string, keys: number): void {
    this.#families.dekSources.with(provider).set(keys);
  }
}

/** The things that were used last, up to a number of them. */
class Recent<T> {
  readonly #limit: number;
  readonly #entries = new Map<string, readonly [thing: T, forget: () => void]>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string, make: () => readonly [thing: T, forget: () => void]): T {
    const entry = this.#entries.get(key) ?? make();
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    if (this.#entries.size > this.#limit) {
      const [oldest, [, forget]] = this.#entries.entries().next().value as [string, readonly [T, () => void]];
      this.#entries.delete(oldest);
      forget();
    }
    return entry[0];
  }
}

function hashOf(text: string): string {
  return text === '' ? '' : `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

function statusOf(failure: unknown): string {
  for (let error = failure; error instanceof Error; error = error.cause) if (error instanceof GrpcError) return codeName(error.code);
  return 'unknown-non-grpc';
}
