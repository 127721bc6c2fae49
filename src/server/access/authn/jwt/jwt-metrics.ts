// Upstream: k8s.io/apiserver/plugin/pkg/authenticator/token/oidc/metrics.go
import type { MetricsRegistry } from '../../../../base/metrics.ts';
import { contentHash } from '../../../../base/reload-metrics.ts';

export function jwtFamilies(registry: MetricsRegistry) {
  const name = (what: string): string => `apiserver_authentication_jwt_authenticator_${what}`;
  return {
    seconds: registry.histogram({
      name: name('latency_seconds'),
      help: 'Time that it took to check a token of an issuer, where that was not remembered',
      labels: ['result', 'jwt_issuer_hash'],
      buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    }),
    fetched: registry.gauge({
      name: name('jwks_fetch_last_timestamp_seconds'),
      help: 'When the keys of an issuer were last asked for, in seconds since 1970, by how that ended',
      labels: ['result', 'jwt_issuer_hash', 'apiserver_id_hash'],
    }),
    keySet: registry.gauge({
      name: name('jwks_fetch_last_key_set_info'),
      help: 'Always 1; the hash is that of the keys of an issuer as they were last fetched',
      labels: ['jwt_issuer_hash', 'apiserver_id_hash', 'hash'],
    }),
  };
}

/** What is counted of one issuer. */
export class JwtMetrics {
  readonly #families: ReturnType<typeof jwtFamilies>;
  readonly #issuer: string;
  readonly #server: string;

  constructor(registry: MetricsRegistry, issuer: string, serverId: string) {
    this.#families = jwtFamilies(registry);
    this.#issuer = contentHash(issuer);
    this.#server = contentHash(serverId);
  }

  /** Tokens of other issuers, for which there is no user and no failure, are not counted. */
  async counted<T>(check: () => Promise<T | undefined>): Promise<T | undefined> {
    const began = performance.now();
    const ended = (result: 'success' | 'failure'): void =>
      this.#families.seconds.with(result, this.#issuer).observe((performance.now() - began) / 1000);
    try {
      const user = await check();
      if (user !== undefined) ended('success');
      return user;
    } catch (error) {
      ended('failure');
      throw error;
    }
  }

  /** The key set as the issuer sent it; undefined when it could not be had. */
  fetchedKeys(keySet: Uint8Array | undefined): void {
    const result = keySet === undefined ? 'failure' : 'success';
    this.#families.fetched.with(result, this.#issuer, this.#server).set(Date.now() / 1000);
    if (keySet === undefined) return;
    this.#forgetKeySet();
    this.#families.keySet.with(this.#issuer, this.#server, contentHash(keySet)).set(1);
  }

  /** The issuer is no longer configured. */
  forget(): void {
    for (const result of ['success', 'failure']) this.#families.fetched.remove(result, this.#issuer, this.#server);
    this.#forgetKeySet();
  }

  /** Also one that was shown before the configuration was read again. */
  #forgetKeySet(): void {
    for (const [[issuer, server, hash = '']] of [...this.#families.keySet.children()]) {
      if (issuer === this.#issuer && server === this.#server) this.#families.keySet.remove(issuer, server, hash);
    }
  }
}
