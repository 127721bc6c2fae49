// Upstream: github.com/coreos/go-oidc/oidc.go#NewProvider, github.com/coreos/go-oidc/jwks.go#remoteKeySet
import type { CompactVerifyResult, JWK } from 'jose';
import type { Clock } from '../../../../base/clock.ts';
import type { Dial } from '../../../../base/https/dial.ts';
import type { HttpsResponse } from '../../../../base/https/https-client.ts';
import { HttpsClient } from '../../../../base/https/https-client.ts';
import { goQuote } from '../../../../machinery/go-format.ts';

const retryMs = 10_000;
/** of a discovery document or a set of keys, which are a few kilobytes */
const maxBytes = 1024 * 1024;
const timeoutMs = 30_000;
/** keys that expire so soon are fetched again */
const expiryDeltaMs = 30_000;

export interface IssuerKeysOptions {
  readonly url: string;
  /** where the issuer describes itself, when that is not where it should be */
  readonly discoveryUrl?: string;
  /** PEM; undefined: whom the system trusts */
  readonly authorities?: string | undefined;
  /** how the issuer is reached, when not directly */
  readonly dial?: Dial | undefined;
  readonly clock: Clock;
  readonly onFailure: (error: Error) => void;
  /** after each question for the keys: what the issuer sent, undefined when that is no key set */
  readonly onFetched?: (keySet: Uint8Array | undefined) => void;
}

/** The keys of an issuer: found through what it says of itself, asked for until it does, and fetched again when none fits. */
export class IssuerKeys implements Disposable {
  readonly #options: IssuerKeysOptions;
  readonly #https: HttpsClient;
  readonly #closing = new AbortController();
  #retry: Disposable | undefined;
  #keysUrl: string | undefined;
  #keys: readonly JWK[] = [];
  #expires = 0;
  #fetching: Promise<void> | undefined;

  constructor(options: IssuerKeysOptions) {
    this.#options = options;
    this.#https = new HttpsClient(options.clock, { dial: options.dial });
  }

  [Symbol.dispose](): void {
    this.#closing.abort();
    this.#retry?.[Symbol.dispose]();
    this.#https[Symbol.dispose]();
  }

  get isReady(): boolean {
    return this.#keysUrl !== undefined;
  }

  /** Asks the issuer where its keys are, until it responds. */
  async discover(): Promise<void> {
    try {
      this.#keysUrl = await this.#discover();
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      this.#options.onFailure(error as Error);
      this.#retry = this.#options.clock.setTimeout(() => void this.discover(), retryMs);
    }
  }

  /** The payload of a token that the issuer signed. */
  async verify(token: string, algorithm: string, keyId: string): Promise<Uint8Array> {
    const known = await this.#verifyWithKnown(token, algorithm, keyId);
    if (known !== undefined) return known;
    const refused = new Error('failed to verify signature: failed to verify id token signature');
    if (this.#options.clock.elapsed() + expiryDeltaMs <= this.#expires) throw refused;
    try {
      await (this.#fetching ??= this.#fetchAndTell().finally(() => (this.#fetching = undefined)));
    } catch (error) {
      throw new Error(`failed to verify signature: fetching keys ${(error as Error).message}`, { cause: error });
    }
    const fetched = await this.#verifyWithKnown(token, algorithm, keyId);
    if (fetched === undefined) throw refused;
    return fetched;
  }

  async #verifyWithKnown(token: string, algorithm: string, keyId: string): Promise<Uint8Array | undefined> {
    const candidates = this.#keys.filter(({ kid = '' }) => keyId === '' || kid === keyId);
    if (candidates.length === 0) return undefined;
    const { compactVerify, importJWK } = await import('jose');
    for (const { kty, n, e, crv, x, y } of candidates) {
      const jwk = Object.fromEntries(Object.entries({ kty, n, e, crv, x, y }).filter(([, value]) => value !== undefined)) as JWK;
      // A key that is of another kind than the signature is one of those that did not make it.
      const verified: CompactVerifyResult | undefined = await importJWK(jwk, algorithm)
        .then((key) => compactVerify(token, key, { algorithms: [algorithm] }))
        .catch(() => undefined);
      if (verified !== undefined) return verified.payload;
    }
    return undefined;
  }

  async #discover(): Promise<string> {
    const { url, discoveryUrl } = this.#options;
    const { status, body } = await this.get(discoveryUrl || `${url.replace(/\/$/, '')}/.well-known/openid-configuration`);
    if (status !== 200) throw new Error(`${status}: ${body.toString()}`);
    const { issuer = '', jwks_uri: keysUrl = '' } = parse(body, 'oidc: failed to decode provider discovery object');
    if (issuer !== url) {
      throw new Error(
        `oidc: issuer did not match the issuer returned by provider, expected ${goQuote(url)} got ${goQuote(String(issuer))}`,
      );
    }
    if (typeof keysUrl !== 'string' || keysUrl === '') throw new Error('provider did not return JWKS URL');
    return keysUrl;
  }

  async #fetchAndTell(): Promise<void> {
    let keySet: Uint8Array | undefined;
    try {
      keySet = await this.#fetchKeys();
    } finally {
      this.#options.onFetched?.(keySet);
    }
  }

  async #fetchKeys(): Promise<Uint8Array> {
    const response = await this.get(this.#keysUrl ?? '').catch((error: unknown) => {
      throw new Error(`oidc: get keys failed ${(error as Error).message}`, { cause: error });
    });
    if (response.status !== 200) throw new Error(`oidc: get keys failed: ${response.status} ${response.body.toString()}`);
    const { keys } = parse(response.body, 'oidc: failed to decode keys');
    this.#keys = Array.isArray(keys) ? (keys as JWK[]) : [];
    this.#expires = this.#options.clock.elapsed() + secondsToKeep(response) * 1000;
    return response.body;
  }

  /** The keys of another issuer that is reached as this one. */
  ofIssuer(url: string): IssuerKeys {
    const { authorities, dial, clock, onFailure } = this.#options;
    return new IssuerKeys({ url, authorities, dial, clock, onFailure });
  }

  /** What a server has at an address, when it is reached as this issuer. */
  async get(url: string, headers: Readonly<Record<string, string>> = {}): Promise<HttpsResponse> {
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(timeoutMs)]);
    try {
      return await this.#https.send({
        url: new URL(url),
        method: 'GET',
        headers,
        authorities: this.#options.authorities,
        signal,
        maxBytes,
      });
    } catch (error) {
      throw new Error(`Get ${goQuote(url)}: ${(error as Error).message}`, { cause: error });
    }
  }
}

function secondsToKeep({ headers: { 'cache-control': control = '' } }: HttpsResponse): number {
  if (/\bno-(store|cache)\b/.test(control)) return 0;
  return Number(/\bmax-age=(\d+)/.exec(control)?.[1] ?? 0);
}

function parse(body: Buffer, what: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(body.toString()) as Record<string, unknown>;
  } catch (error) {
    throw new Error(`${what}: ${(error as Error).message}`, { cause: error });
  }
}
