// Upstream: k8s.io/apiserver/plugin/pkg/authenticator/token/oidc/metrics.go
import { createHash } from 'node:crypto';
import type { MetricsRegistry } from '../../../../base/metrics.ts';

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
  };
}

/** What is counted of one issuer. */
export class JwtMetrics {
  readonly #families: ReturnType<typeof jwtFamilies>;
  readonly #issuer: string;
  readonly #server: string;

  constructor(registry: MetricsRegistry, issuer: string, serverId: string) {
    this.#families = jwtFamilies(registry);
    this.#issuer = hashOf(issuer);
    this.#server = hashOf(serverId);
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

  fetchedKeys(isSuccess: boolean): void {
    this.#families.fetched.with(isSuccess ? 'success' : 'failure', this.#issuer, this.#server).set(Date.now() / 1000);
  }

  /** The issuer is no longer configured. */
  forget(): void {
    for (const result of ['success', 'failure']) this.#families.fetched.remove(result, this.#issuer, this.#server);
  }
}

function hashOf(text: string): string {
  return text === '' ? '' : `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
