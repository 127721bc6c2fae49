// Upstream: k8s.io/apiserver/pkg/endpoints/metrics/metrics.go
import type { Counter, Family, Histogram } from '../../base/metrics.ts';
import type { MetricsRegistry } from '../../base/metrics.ts';
import type { Request } from '../http/request.ts';
import type { Filter, Response } from '../http/response.ts';
import type { RequestInfo } from '../request/request-info.ts';
import { found } from '../request/stages.ts';

const durations: readonly number[] = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];

const labels = ['verb', 'dry_run', 'group', 'version', 'resource', 'subresource', 'scope', 'component'] as const;

interface Observed {
  readonly duration: Histogram;
  readonly byCode: Map<number, Counter>;
}

/** Counts requests and their latencies. What is counted for one kind of request is found once: one map lookup per request. */
export class RequestMetrics {
  readonly #total: Family<Counter, readonly [...typeof labels, 'code']>;
  readonly #durations: Family<Histogram, typeof labels>;
  readonly handshakeErrors: Counter;
  readonly #known = new Map<string, Observed>();

  constructor(registry: MetricsRegistry) {
    this.#total = registry.counter({
      name: 'apiserver_request_total',
      help: 'Counter of apiserver requests broken out for each verb, dry run value, group, version, resource, scope, component, and HTTP response code.',
      labels: [...labels, 'code'] as const,
      stability: 'STABLE',
    });
    this.handshakeErrors = registry
      .counter({ name: 'apiserver_tls_handshake_errors_total', help: "Number of requests dropped with 'TLS handshake error from' error" })
      .with();
    this.#durations = registry.histogram({
      name: 'apiserver_request_duration_seconds',
      help: 'Response latency distribution in seconds for each verb, dry run value, group, version, resource, subresource, scope and component.',
      labels,
      stability: 'STABLE',
      buckets: durations,
    });
  }

  /** Outside of whatever turns errors into responses, so that it sees their codes. */
  filter(): Filter {
    return (next) => (request) => {
      const answer = next(request);
      if (answer instanceof Promise) return answer.then((response) => this.#observe(request, response));
      return this.#observe(request, answer);
    };
  }

  #observe(request: Request, response: Response): Response {
    const { info, routed } = found(request);
    // Only what is served is counted: a client must not be able to make up metrics.
    if (info === undefined || (info.isResource && !routed)) return response;
    const dryRun = request.rawQuery.includes('dryRun') ? dryRunOf(request.query.getAll('dryRun')) : '';
    const verb = verbOf(request, info);
    const scope = scopeOf(info);
    const { group, version, resource, subresource } = info;
    const key = `${verb} ${dryRun} ${group} ${version} ${resource} ${subresource} ${scope}`;
    let observed = this.#known.get(key);
    if (observed === undefined) {
      const duration = this.#durations.with(verb, dryRun, group, version, resource, subresource, scope, 'apiserver');
      this.#known.set(key, (observed = { duration, byCode: new Map<number, Counter>() }));
    }
    let counter = observed.byCode.get(response.status);
    if (counter === undefined) {
      counter = this.#total.with(verb, dryRun, group, version, resource, subresource, scope, 'apiserver', String(response.status));
      observed.byCode.set(response.status, counter);
    }
    counter.inc();
    observed.duration.observe((performance.now() - request.receivedAt) / 1000);
    return response;
  }
}

const verbs: ReadonlyMap<string, string> = new Map([
  ['create', 'POST'],
  ['update', 'PUT'],
  ['patch', 'PATCH'],
  ['delete', 'DELETE'],
  ['deletecollection', 'DELETE'],
  ['get', 'GET'],
  ['list', 'LIST'],
  ['watch', 'WATCH'],
]);
const methods: ReadonlyMap<string, string> = new Map([
  ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'CONNECT'].map((method) => [method, method] as const),
  ['HEAD', 'GET'],
]);
const connects: ReadonlySet<string> = new Set(['log', 'exec', 'portforward', 'attach', 'proxy']);

/** As metrics and logs name what a request does. */
export function verbOf(request: Request, { isResource, verb, subresource }: RequestInfo): string {
  if (!isResource) return methods.get(request.method) ?? 'other';
  if (connects.has(subresource)) return 'CONNECT';
  if (verb === 'patch' && request.header('content-type') === 'application/apply-patch+yaml') return 'APPLY';
  return verbs.get(verb) ?? 'other';
}

/** A name in a selector does not count: the list is served by the route of all. */
function scopeOf({ parts, verb, inNamespace, isResource }: RequestInfo): string {
  if (parts.length > 1 || verb === 'create') return 'resource';
  if (inNamespace) return 'namespace';
  return isResource ? 'cluster' : '';
}

function dryRunOf(values: readonly string[]): string {
  if (values.length === 0) return '';
  return values.every((value) => value === 'All') ? 'All' : 'invalid';
}
