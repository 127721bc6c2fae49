// Upstream: k8s.io/kubernetes/pkg/serviceaccount/externaljwt/plugin/{plugin,keycache}.go
// Upstream: k8s.io/externaljwt/apis/v1/api.proto
import type { KeyObject } from 'node:crypto';
import { createPublicKey } from 'node:crypto';
import type { Clock } from '../../../../base/clock.ts';
import { Channel } from '../../../../base/grpc/channel.ts';
import { ProtoReader, ProtoWriter } from '../../../../base/grpc/protobuf.ts';
import { GrpcError, codeName } from '../../../../base/grpc/status.ts';
import type { Logger } from '../../../../base/log.ts';
import type { MetricsRegistry } from '../../../../base/metrics.ts';
import { goQuote } from '../../../../machinery/go-format.ts';
import { signerMetrics } from './external-signer-metrics.ts';
import type { KeySource, VerificationKey } from './keys.ts';
import { algorithmOf } from './keys.ts';

export interface ExternalSignerOptions {
  /** a unix socket; a leading `@` means Linux' abstract namespace */
  readonly socketPath: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: MetricsRegistry;
}

const fetchTimeoutMs = 60_000;
const metadataTimeoutMs = 10_000;
const fallbackRefreshMs = 10_000;
const minTokenSeconds = 600;
const maxIdLength = 1024;
const algorithms: readonly string[] = ['RS256', 'ES256', 'ES384', 'ES512'];

interface FetchedKeys {
  readonly keys: readonly VerificationKey[];
  /** seconds since the epoch: when the signer had them from where they come from */
  readonly dataTimestamp: number;
  readonly refreshSeconds: number;
}

/** A process on this machine that signs tokens of service accounts, and says which keys they may be signed with. */
export class ExternalSigner implements KeySource, Disposable {
  readonly #options: ExternalSignerOptions;
  readonly #channel: Channel;
  readonly #metrics;
  #keys: readonly VerificationKey[] = [];
  #refreshAt = 0;
  #fetching: Promise<void> | undefined;
  #timer: Disposable | undefined;
  #maxTokenSeconds = 0;
  #isClosed = false;

  private constructor(options: ExternalSignerOptions) {
    const { socketPath, metrics } = options;
    this.#options = options;
    this.#channel = new Channel({ endpoints: [`unix://${socketPath.startsWith('@') ? `/${socketPath}` : socketPath}`] });
    this.#metrics = signerMetrics(metrics);
  }

  /** Resolves when the signer has said what it can do, and throws when it does not, or what it says will not do. */
  static async open(options: ExternalSignerOptions): Promise<ExternalSigner> {
    const signer = new ExternalSigner(options);
    try {
      await signer.#fetch().catch((error: Error) => {
        throw new Error(
          `while setting up external-jwt-signer: while initially filling key cache: while performing initial cache fill: ${error.message}`,
          { cause: error },
        );
      });
      signer.#maxTokenSeconds = await signer.#metadata().catch((error: Error) => {
        throw new Error(`while setting up external-jwt-signer: ${error.message}`, { cause: error });
      });
      const max = signer.#maxTokenSeconds;
      if (max < minTokenSeconds)
        throw new Error(`max token life supported by external-jwt-signer (${max}s) is less than acceptable (min ${minTokenSeconds}s)`);
      signer.#refreshLater();
      return signer;
    } catch (error) {
      signer[Symbol.dispose]();
      throw error;
    }
  }

  get maxTokenSeconds(): number {
    return this.#maxTokenSeconds;
  }

  get all(): readonly VerificationKey[] {
    return this.#keys;
  }

  get maxAgeSeconds(): number {
    return Math.max(0, Math.floor((this.#refreshAt - this.#options.clock.elapsed()) / 1000));
  }

  /** A key that is not known is asked for once more. */
  async find(id: string): Promise<readonly VerificationKey[]> {
    if (id === '') return this.#keys;
    const known = this.#keys.filter((key) => key.id === id);
    if (known.length > 0) return known;
    const { log } = this.#options;
    try {
      await this.#fetch();
    } catch (error) {
      log.error('Error while syncing keys', { err: error });
      return [];
    }
    const found = this.#keys.filter((key) => key.id === id);
    if (found.length === 0) log.error(`Key id ${goQuote(id)} not found after refresh`);
    return found;
  }

  /** The token of these claims, which are encoded as they are to appear in it. */
  async sign(claims: string): Promise<string> {
    let code = 'unknown-non-grpc';
    try {
      const { header, signature } = await this.#signed(claims);
      await this.#checkHeader(header).catch((error: Error) => {
        throw new Error(`while validating header: ${error.message}`, { cause: error });
      });
      if (signature === '') throw new Error('empty signature returned');
      code = 'OK';
      return `${header}.${claims}.${signature}`;
    } catch (error) {
      if ((error as Error).cause instanceof GrpcError) code = codeName(((error as Error).cause as GrpcError).code);
      throw error;
    } finally {
      this.#metrics.signs.with(code).inc();
    }
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#timer?.[Symbol.dispose]();
    this.#channel[Symbol.dispose]();
  }

  async #call(method: string, message: Buffer, timeoutMs: number): Promise<Buffer> {
    const path = `/v1.ExternalJWTSigner/${method}`;
    const startedAt = performance.now();
    let code = 'OK';
    try {
      return await this.#channel.unary(path, message, { timeoutMs });
    } catch (error) {
      code = error instanceof GrpcError ? codeName(error.code) : 'unknown-non-grpc';
      throw error;
    } finally {
      this.#metrics.durations.with(path, code).observe((performance.now() - startedAt) / 1000);
    }
  }

  async #signed(claims: string): Promise<{ header: string; signature: string }> {
    let response: Buffer;
    try {
      response = await this.#call('Sign', new ProtoWriter().string(1, claims).finish(), fetchTimeoutMs);
    } catch (error) {
      throw new Error(`while signing jwt: ${(error as Error).message}`, { cause: error });
    }
    const signed = { header: '', signature: '' };
    const reader = new ProtoReader(response);
    for (let field = reader.next(); field !== 0; field = reader.next()) {
      if (field === 1) signed.header = reader.string();
      else if (field === 2) signed.signature = reader.string();
      else reader.skip();
    }
    return signed;
  }

  async #checkHeader(encoded: string): Promise<void> {
    const { alg = '', kid = '', typ, ...others } = readHeader(encoded);
    const [unknown] = Object.keys(others);
    if (unknown !== undefined) throw new Error(`while parsing header JSON: json: unknown field ${goQuote(unknown)}`);
    if (typ !== 'JWT') throw new Error('bad type');
    if (typeof kid !== 'string' || kid === '') throw new Error('key id missing');
    if (kid.length > maxIdLength) throw new Error('key id longer than 1 kb');
    if (typeof alg !== 'string' || !algorithms.includes(alg)) throw new Error(`bad signing algorithm ${goQuote(String(alg))}`);
    if ((await this.find(kid)).some(({ isUndiscoverable }) => isUndiscoverable === true))
      throw new Error(`key used for signing JWT (kid: ${kid}) is excluded from OIDC discovery docs`);
  }

  async #metadata(): Promise<number> {
    const reader = new ProtoReader(await this.#call('Metadata', Buffer.alloc(0), metadataTimeoutMs));
    let seconds = 0;
    for (let field = reader.next(); field !== 0; field = reader.next()) {
      if (field === 1) seconds = reader.int();
      else reader.skip();
    }
    return seconds;
  }

  /** All that ask at the same time wait for one response. */
  #fetch(): Promise<void> {
    this.#fetching ??= this.#fetchOnce().finally(() => (this.#fetching = undefined));
    return this.#fetching;
  }

  async #fetchOnce(): Promise<void> {
    const { fetches, succeededAt, dataAt } = this.#metrics;
    const { clock } = this.#options;
    let code = 'unknown-non-grpc';
    try {
      let response: Buffer;
      try {
        response = await this.#call('FetchKeys', Buffer.alloc(0), fetchTimeoutMs);
      } catch (error) {
        if (error instanceof GrpcError) code = codeName(error.code);
        throw new Error(`while getting externally supported jwt signing keys: ${(error as Error).message}`, { cause: error });
      }
      const { keys, dataTimestamp, refreshSeconds } = readKeys(response);
      this.#keys = keys;
      this.#refreshAt = clock.elapsed() + refreshSeconds * 1000;
      code = 'OK';
      succeededAt.with().set(clock.now() / 1000);
      dataAt.with().set(dataTimestamp);
    } catch (error) {
      throw new Error(`while fetching token verification keys: ${(error as Error).message}`, { cause: error });
    } finally {
      fetches.with(code).inc();
    }
  }

  #refreshLater(failed = false): void {
    const { clock, log } = this.#options;
    if (this.#isClosed) return;
    const waitMs = failed ? fallbackRefreshMs : Math.max(0, this.#refreshAt - clock.elapsed());
    this.#timer = clock.setTimeout(() => {
      this.#fetch().then(
        () => this.#refreshLater(),
        (error: unknown) => {
          if (!this.#isClosed) log.error('when syncing supported public keys(Stale set of keys will be supported)', { err: error });
          this.#refreshLater(true);
        },
      );
    }, waitMs);
  }
}

function readHeader(encoded: string): Record<string, unknown> {
  if (!/^[A-Za-z0-9_-]*$/.test(encoded)) throw new Error('while unwrapping header: illegal base64 data');
  try {
    const header: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString());
    if (typeof header === 'object' && header !== null && !Array.isArray(header)) return header as Record<string, unknown>;
  } catch (error) {
    throw new Error(`while parsing header JSON: ${(error as Error).message}`, { cause: error });
  }
  throw new Error('while parsing header JSON: it is no object');
}

function readKeys(response: Buffer): FetchedKeys {
  const keys: VerificationKey[] = [];
  let dataTimestamp: number | undefined;
  let refreshSeconds = 0;
  const reader = new ProtoReader(response);
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) keys.push(readKey(reader.message()));
    else if (field === 2) dataTimestamp = readTimestamp(reader.message());
    else if (field === 3) refreshSeconds = reader.int();
    else reader.skip();
  }
  if (refreshSeconds <= 0) throw new Error(`found invalid refresh hint (${refreshSeconds}s)`);
  if (keys.length === 0) throw new Error('found no keys');
  if (dataTimestamp === undefined) throw new Error('invalid data timestamp: proto: invalid nil Timestamp');
  return { keys, dataTimestamp, refreshSeconds };
}

function readKey(reader: ProtoReader): VerificationKey {
  let id = '';
  let der: Buffer = Buffer.alloc(0);
  let isUndiscoverable = false;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) id = reader.string();
    else if (field === 2) der = reader.bytes();
    else if (field === 3) isUndiscoverable = reader.bool();
    else reader.skip();
  }
  if (id === '' || id.length > maxIdLength) throw new Error(`found invalid public key id ${goQuote(id)}`);
  if (der.length === 0) throw new Error('found empty public key');
  let key: KeyObject;
  try {
    key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  } catch (error) {
    throw new Error(`while parsing external public keys: ${(error as Error).message}`, { cause: error });
  }
  return { id, key, algorithm: algorithmOf(key), isUndiscoverable };
}

function readTimestamp(reader: ProtoReader): number {
  let [seconds, nanoseconds] = [0, 0];
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) seconds = reader.int();
    else if (field === 2) nanoseconds = reader.int();
    else reader.skip();
  }
  return seconds + nanoseconds / 1e9;
}
