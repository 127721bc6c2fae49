// Upstream: k8s.io/apiserver/pkg/server/options/encryptionconfig/config.go
import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '../../../base/clock.ts';
import { aggregateMessages } from '../../../machinery/field.ts';
import type { EncryptionMetrics } from '../metrics/encryption-metrics.ts';
import { ExtendedNonceGcmTransformer } from '../ciphers/aes.ts';
import type { EncryptedDek } from './encrypted-object.ts';
import { dekFingerprint, dekSourceType, keyIdHash, validateDek, validateKeyId } from './encrypted-object.ts';
import type { KmsProvider } from './provider.ts';
import { CheckError, RememberedCheck } from './provider.ts';
import type { KmsService, KmsStatus } from './service.ts';

/** The key that new values are written with. */
export interface WriteKey {
  readonly transformer: ExtendedNonceGcmTransformer;
  readonly dek: EncryptedDek;
  readonly fingerprint: string;
  /** After this time it may read but not write: the plugin could not confirm it for too long. */
  readonly expires: number;
}

const positiveIntervalMs = 60_000;
const negativeIntervalMs = 10_000;
const writeKeyMaxAgeMs = 180_000;
const seedSize = 32;

/**
 * What is known of one KMS plugin: whether it is well, and the seed that it last encrypted for us. The seed is used until the plugin
 * names another key id; as long as the plugin is in trouble, it may write for three more minutes.
 */
export class KmsPlugin implements KmsProvider {
  readonly name: string;
  readonly service: KmsService;
  readonly #clock: Clock;
  readonly #metrics: EncryptionMetrics | undefined;
  #writeKey: WriteKey | undefined;
  #apiVersion = '';
  readonly #remembered: RememberedCheck;
  #timer: Disposable | undefined;
  #closed = false;

  constructor(name: string, service: KmsService, clock: Clock, metrics?: EncryptionMetrics) {
    this.name = name;
    this.service = service;
    this.#clock = clock;
    this.#metrics = metrics;
    this.#remembered = new RememberedCheck(() => this.#ask(), clock);
  }

  /** Looks once, then keeps looking. A plugin that is not there yet is no reason to fail. */
  async start(): Promise<void> {
    const healthy = await this.#isHealthy();
    this.#lookAgain(healthy ? positiveIntervalMs : negativeIntervalMs);
  }

  /** The key for writing, also used to tell what is stale. Throws while the plugin has given none. */
  get writeKey(): WriteKey {
    if (this.#writeKey === undefined) throw new Error('got unexpected nil transformer');
    return this.#writeKey;
  }

  /** Throws when nothing may be written now. */
  assertCanWrite(): WriteKey {
    const key = this.writeKey;
    const late = this.#clock.elapsed() - key.expires;
    if (late > 0) {
      const now = this.#clock.now();
      throw new Error(
        `encryptedDEKSource with keyID hash "${keyIdHash(key.dek.keyId)}" expired at ${rfc3339(now - late)} (current time is ${rfc3339(now)})`,
      );
    }
    return key;
  }

  /** Asks the plugin, unless it was asked a moment ago. Rejects when it is not well. */
  check(): Promise<void> {
    return this.#remembered.check();
  }

  [Symbol.dispose](): void {
    this.#closed = true;
    this.#timer?.[Symbol.dispose]();
    this.service[Symbol.dispose]();
  }

  #lookAgain(afterMs: number): void {
    if (this.#closed) return;
    this.#timer = this.#clock.setTimeout(() => {
      void this.#isHealthy().then((healthy) => this.#lookAgain(healthy ? positiveIntervalMs : negativeIntervalMs));
    }, afterMs);
  }

  #isHealthy(): Promise<boolean> {
    return this.check().then(
      () => true,
      () => false,
    );
  }

  async #ask(): Promise<void> {
    const status = await this.service.status().catch((error: unknown) => {
      throw new CheckError(`failed to perform status section of the healthz check for KMS Provider ${this.name}`, error);
    });
    const problems = await this.#judge(status);
    if (problems.length > 0) throw new Error(`kmsv2 Provider ${this.name} is not healthy, error: ${aggregateMessages(problems)}`);
  }

  async #judge(status: KmsStatus): Promise<string[]> {
    const problems: string[] = [];
    if (status.healthz !== 'ok') problems.push(`got unexpected healthz status: ${status.healthz}`);
    if (status.version !== 'v2' && status.version !== 'v2beta1') {
      problems.push(`expected KMSv2 API version v2, got ${status.version}`);
    } else {
      this.#apiVersion ||= status.version;
      if (this.#apiVersion !== status.version) {
        problems.push(
          `KMSv2 API version should not change after the initial status response version ${this.#apiVersion}, got ${status.version}`,
        );
      }
    }
    const keyIdProblem = validateKeyId(status.keyId);
    if (keyIdProblem !== undefined) {
      this.#metrics?.namedInvalidKey(this.name, status.keyId);
      problems.push(`got invalid KMSv2 KeyID hash "${keyIdHash(status.keyId)}": ${keyIdProblem}`);
      return problems;
    }
    this.#metrics?.namedKey(this.name, status.keyId);
    const rotationProblem = await this.#confirmOrRotate(status.keyId);
    if (rotationProblem !== undefined) problems.push(rotationProblem);
    return problems;
  }

  /** Keeps the write key while the plugin's key id stays, else has a new seed encrypted. On failure the old one goes on until it expires. */
  async #confirmOrRotate(keyId: string): Promise<string | undefined> {
    // Before asking: the age of a key is measured from when the plugin surely still stood by it.
    const expires = this.#clock.elapsed() + writeKeyMaxAgeMs;
    const current = this.#writeKey;
    if (current !== undefined && current.dek.keyId === keyId) {
      this.#writeKey = { ...current, expires };
      return undefined;
    }
    const uid = randomUUID();
    let problem = '<nil>';
    let encryptKeyId = '';
    try {
      const key = await this.#newKey(uid, expires);
      encryptKeyId = key.dek.keyId;
      if (encryptKeyId === keyId) {
        this.#writeKey = key;
        return undefined;
      }
    } catch (error) {
      problem = text(error);
    }
    const stateProblem = current === undefined ? 'got unexpected nil transformer' : '<nil>';
    const expiration =
      current === undefined ? '0001-01-01T00:00:00Z' : rfc3339(this.#clock.now() + current.expires - this.#clock.elapsed());
    return (
      `failed to rotate DEK uid="${uid}", useSeed=true, errState=${stateProblem}, errGen=${problem}, statusKeyIDHash="${keyIdHash(keyId)}", ` +
      `encryptKeyIDHash="${keyIdHash(encryptKeyId)}", stateKeyIDHash="${keyIdHash(current?.dek.keyId ?? '')}", expirationTimestamp=${expiration}`
    );
  }

  async #newKey(uid: string, expires: number): Promise<WriteKey> {
    const make = (): Buffer => randomBytes(seedSize);
    const seed = this.#metrics?.makeKey(make) ?? make();
    const sealed = await this.service.encrypt(uid, seed).catch((error: unknown) => {
      throw new Error(`failed to encrypt DEK, error: ${text(error)}`, { cause: error });
    });
    const dek = {
      keyId: sealed.keyId,
      encryptedDekSource: sealed.ciphertext,
      annotations: sealed.annotations,
      sourceType: dekSourceType.hkdfSeed,
    };
    validateDek(dek, 1);
    return { transformer: new ExtendedNonceGcmTransformer(seed), dek, fingerprint: dekFingerprint(dek), expires };
  }
}

function text(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function rfc3339(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}
