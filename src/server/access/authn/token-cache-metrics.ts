// Upstream: k8s.io/apiserver/pkg/authentication/token/cache/stats.go
import type { MetricsRegistry } from '../../../base/metrics.ts';
import { defaultBuckets } from '../../../base/metrics.ts';

export function tokenCacheFamilies(registry: MetricsRegistry) {
  const name = (what: string): string => `authentication_token_cache_${what}`;
  const labels = ['status'] as const;
  return {
    seconds: registry.histogram({
      name: name('request_duration_seconds'),
      help: 'Time until it was known who a token stands for, by whether it was remembered (hit) or not (miss)',
      labels,
      buckets: defaultBuckets,
    }),
    requests: registry.counter({
      name: name('request_total'),
      help: 'Tokens that were looked up, by whether it was remembered whom they stand for (hit) or not (miss)',
      labels,
    }),
    fetches: registry.counter({
      name: name('fetch_total'),
      help: 'Times that authenticators were asked about a token, by whether they could tell (ok) or failed (error)',
      labels,
    }),
    active: registry.gauge({
      name: name('active_fetch_count'),
      help: 'Questions to authenticators that are under way (in_flight), and requests that wait for them (blocked)',
      labels,
    }),
  };
}

export type TokenCacheMetrics = ReturnType<typeof tokenCacheMetrics>;

/** The children are found once: a lookup of a remembered token costs little more than its hash. */
export function tokenCacheMetrics(registry: MetricsRegistry) {
  const { seconds, requests, fetches, active } = tokenCacheFamilies(registry);
  const lookups = { hit: lookup('hit'), miss: lookup('miss') };
  const [inFlight, blocked] = [active.with('in_flight'), active.with('blocked')];

  function lookup(status: 'hit' | 'miss') {
    return { seconds: seconds.with(status), requests: requests.with(status) };
  }

  return {
    /** counts a lookup that began at this time of `performance.now()` */
    lookedUp(status: 'hit' | 'miss', began: number): void {
      lookups[status].requests.inc();
      lookups[status].seconds.observe((performance.now() - began) / 1000);
    },
    /** so many more requests wait */
    waits: (by: 1 | -1): void => blocked.add(by),
    fetchBegins: (): void => inFlight.add(1),
    fetchEnds(status: 'ok' | 'error'): void {
      inFlight.add(-1);
      fetches.with(status).inc();
    },
  };
}
