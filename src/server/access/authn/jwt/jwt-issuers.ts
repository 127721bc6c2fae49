// Upstream: k8s.io/kubernetes/pkg/kubeapiserver/authenticator/config.go#newJWTAuthenticator, #updateAuthenticationConfig
import type { Clock } from '../../../../base/clock.ts';
import { goQuote } from '../../../../machinery/go-format.ts';
import type { UserInfo } from '../../../request/user.ts';
import type { IssuerKeys } from './issuer-keys.ts';
import type { JwtMetrics } from './jwt-metrics.ts';
import type { JwtAuthenticator } from './jwt-authenticator.ts';

const healthyWithinMs = 60_000;
const pollMs = 10_000;
/** those who were asked before they were replaced may finish */
const retireAfterMs = 60_000;

export interface JwtIssuer {
  readonly url: string;
  readonly keys: IssuerKeys;
  readonly authenticator: JwtAuthenticator;
  /** undefined: not counted */
  readonly metrics?: JwtMetrics;
}

/** Issuers whose tokens are taken; they may be replaced while the server runs. */
export class JwtIssuers implements Disposable {
  readonly #clock: Clock;
  readonly #closers: (() => void)[] = [];
  #closed = false;
  #current: readonly JwtIssuer[];

  constructor(issuers: readonly JwtIssuer[], clock: Clock) {
    this.#clock = clock;
    this.#current = this.#own(issuers);
    for (const { keys } of issuers) void keys.discover();
  }

  [Symbol.dispose](): void {
    this.#closed = true;
    for (const close of this.#closers.splice(0)) close();
  }

  /** The first failure is the result: no two issuers have the same name. */
  async authenticate(token: string): Promise<UserInfo | undefined> {
    for (const { authenticator, metrics } of this.#current) {
      const check = async (): Promise<UserInfo | undefined> => authenticator.authenticate(token);
      const user = await (metrics?.counted(check) ?? check());
      if (user !== undefined) return user;
    }
    return undefined;
  }

  /** Once all of them have said where their keys are. Rejects, and changes nothing, when one does not in time. */
  async replace(issuers: readonly JwtIssuer[]): Promise<void> {
    this.#own(issuers);
    const deadline = this.#clock.elapsed() + healthyWithinMs;
    await Promise.all(issuers.map(({ keys }) => keys.discover()));
    for (;;) {
      const late = issuers.find(({ keys }) => !keys.isReady);
      if (late === undefined) break;
      if (this.#closed || this.#clock.elapsed() >= deadline) {
        close(issuers);
        throw new Error(`oidc: authenticator for issuer ${goQuote(late.url)} is not healthy`);
      }
      await new Promise<void>((resolve) => void this.#clock.setTimeout(resolve, pollMs));
    }
    const before = this.#current;
    this.#current = issuers;
    for (const { url, metrics } of before) if (!issuers.some((one) => one.url === url)) metrics?.forget();
    if (this.#closed) return close(issuers);
    const timer = this.#clock.setTimeout(() => close(before), retireAfterMs);
    this.#closers.push(() => timer[Symbol.dispose]());
  }

  #own(issuers: readonly JwtIssuer[]): readonly JwtIssuer[] {
    this.#closers.push(() => close(issuers));
    return issuers;
  }
}

function close(issuers: readonly JwtIssuer[]): void {
  for (const { keys, authenticator } of issuers) {
    authenticator[Symbol.dispose]();
    keys[Symbol.dispose]();
  }
}
