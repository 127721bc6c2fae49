// Upstream: k8s.io/apiserver/pkg/endpoints/filters/metrics.go, k8s.io/apiserver/pkg/endpoints/filterlatency/filterlatency.go
import type { Counter, Histogram, MetricsRegistry } from '../../base/metrics.ts';
import { exponentialBuckets } from '../../base/metrics.ts';
import type { Request } from '../http/request.ts';
import type { Filter } from '../http/response.ts';

export type AuthenticationResult = 'success' | 'failure' | 'error';
export type AuthorizationResult = 'allowed' | 'denied' | 'no-opinion' | 'error';
type FilterName = 'authentication' | 'audit' | 'constrainedimpersonation' | 'impersonation' | 'priorityandfairness' | 'authorization';

interface Attempts {
  readonly count: Counter;
  readonly seconds: Histogram;
}

function filterFamilies(registry: MetricsRegistry) {
  const buckets = exponentialBuckets(0.001, 2, 15);
  return {
    filters: registry.histogram({
      name: 'apiserver_request_filter_duration_seconds',
      help: 'Time that a request spent in one filter of the handler chain',
      labels: ['filter'],
      buckets: [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 5, 10, 15, 30],
    }),
    users: registry.counter({
      name: 'authenticated_user_requests',
      help: 'Authenticated requests by user; all but a few well-known users are counted together',
      labels: ['username'],
    }),
    authentications: registry.counter({
      name: 'authentication_attempts',
      help: 'Requests by whether it was found out who sent them',
      labels: ['result'],
    }),
    authenticationSeconds: registry.histogram({
      name: 'authentication_duration_seconds',
      help: 'Time that it took to find out who sent a request',
      labels: ['result'],
      buckets,
    }),
    authorizations: registry.counter({
      name: 'authorization_attempts_total',
      help: 'Requests by what the authorizers said of them',
      labels: ['result'],
    }),
    authorizationSeconds: registry.histogram({
      name: 'authorization_duration_seconds',
      help: 'Time that the authorizers took for a request',
      labels: ['result'],
      buckets,
    }),
  };
}

/**
 * How long requests are in the filters of the chain. One look at the clock ends a filter and begins the next: `request.filterBegan` goes with
 * the request.
 */
export class FilterMetrics {
  readonly #families: ReturnType<typeof filterFamilies>;
  readonly #authentication: Histogram;
  readonly #authorization: Histogram;
  readonly #authentications = new Map<AuthenticationResult, Attempts>();
  readonly #authorizations = new Map<AuthorizationResult, Attempts>();
  readonly #users = new Map<string, Counter>();

  constructor(registry: MetricsRegistry) {
    this.#families = filterFamilies(registry);
    this.#authentication = this.#families.filters.with('authentication');
    this.#authorization = this.#families.filters.with('authorization');
  }

  /** Stands behind a filter: what has come this far has passed it. */
  passed<R extends Request>(name: FilterName): Filter<R> {
    const seconds = this.#families.filters.with(name);
    return (next) => (request) => {
      const now = performance.now();
      seconds.observe((now - request.filterBegan) / 1000);
      request.filterBegan = now;
      return next(request);
    };
  }

  /** `user`: its name, where it was found out */
  authenticated(request: Request, result: AuthenticationResult, user = ''): void {
    const now = performance.now();
    const elapsed = (now - request.filterBegan) / 1000;
    request.filterBegan = now;
    this.#authentication.observe(elapsed);
    let attempts = this.#authentications.get(result);
    if (attempts === undefined) {
      const { authentications, authenticationSeconds } = this.#families;
      attempts = { count: authentications.with(result), seconds: authenticationSeconds.with(result) };
      this.#authentications.set(result, attempts);
    }
    attempts.count.inc();
    attempts.seconds.observe(elapsed);
    if (result === 'success') this.#userCounter(user).inc();
  }

  authorized(request: Request, result: AuthorizationResult): void {
    const now = performance.now();
    const elapsed = (now - request.filterBegan) / 1000;
    request.filterBegan = now;
    if (result === 'allowed') this.#authorization.observe(elapsed);
    let attempts = this.#authorizations.get(result);
    if (attempts === undefined) {
      const { authorizations, authorizationSeconds } = this.#families;
      attempts = { count: authorizations.with(result), seconds: authorizationSeconds.with(result) };
      this.#authorizations.set(result, attempts);
    }
    attempts.count.inc();
    attempts.seconds.observe(elapsed);
  }

  #userCounter(name: string): Counter {
    const shown = shownUser(name);
    let counter = this.#users.get(shown);
    if (counter === undefined) this.#users.set(shown, (counter = this.#families.users.with(shown)));
    return counter;
  }
}

const knownUsers: ReadonlySet<string> = new Set(['admin', 'client', 'kube_proxy', 'kubelet', 'system:serviceaccount:kube-system:default']);

/** Few categories: who reads metrics need not learn the names of users, nor how many there are. */
function shownUser(name: string): string {
  if (knownUsers.has(name)) return name;
  return name.includes('@') ? 'email_id' : 'other';
}
