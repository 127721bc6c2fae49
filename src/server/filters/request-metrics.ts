// Upstream: k8s.io/apiserver/pkg/endpoints/metrics/metrics.go
import type { ParsedRequest } from '../request/stages.ts';
import { ImpersonationMetrics } from './impersonation-metrics.ts';
import type { Counter, Gauge, Histogram, MetricsRegistry } from '../../base/metrics.ts';
import { ConnectionMetrics } from '../http/connection-metrics.ts';
import type { Request } from '../http/request.ts';
import type { Filter, Response, StreamBody } from '../http/response.ts';
import { OuterSink } from '../http/sink.ts';
import { isLongRunning } from '../lifecycle/in-flight.ts';
import type { RequestInfo } from '../request/request-info.ts';
import { found } from '../request/stages.ts';
import type { RequestFamilies } from './request-families.ts';
import { requestFamilies } from './request-families.ts';
import type { RequestLabels } from './request-labels.ts';
import { dryRunOf, fieldValidationOf, labelsOf, plainLabels, verbOf } from './request-labels.ts';

const component = 'apiserver';
const selfUser = 'system:apiserver';

/** What is counted for requests of one kind: found once, kept by their route. */
interface Series {
  readonly verb: string;
  readonly duration: Histogram;
  /** undefined: dry runs do not count for the objective */
  readonly sli: Histogram | undefined;
  /** undefined: requests that write */
  readonly size: Histogram | undefined;
  readonly longRunning: Gauge | undefined;
  readonly byCode: Map<number, Counter>;
}

/** Series of one route; those of requests without a dry run to the resource itself by verb, the others by all that tells them apart. */
interface RouteSeries {
  readonly inNamespace: Map<string, Series>;
  readonly inCluster: Map<string, Series>;
  readonly others: Map<string, Series>;
}

interface TurnedAway {
  readonly info: RequestInfo;
  readonly terminations: Counter;
  readonly total: Counter;
}

/** Whether two requests for resources have the same labels. */
function isAlike(one: RequestInfo, other: RequestInfo): boolean {
  return (
    one.verb === other.verb &&
    one.resource === other.resource &&
    one.group === other.group &&
    one.version === other.version &&
    one.subresource === other.subresource &&
    one.inNamespace === other.inNamespace &&
    one.parts.length > 1 === other.parts.length > 1
  );
}

const writes: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

/** Counts requests and their latencies, as late as a request can be seen: when its response is complete. */
export class RequestMetrics {
  readonly families: RequestFamilies;
  readonly impersonation: ImpersonationMetrics;
  readonly connections: ConnectionMetrics;
  readonly #routes = new WeakMap<object, RouteSeries>();
  readonly #plain = new Map<string, Series>();
  readonly #isServed: (info: RequestInfo) => boolean;
  /** what requests were turned away for last: where there are many of them, most are alike */
  #turnedAway: TurnedAway | undefined;

  /** `isServed`: whether a request that came to no route would lead to a resource */
  constructor(registry: MetricsRegistry, isServed: (info: RequestInfo) => boolean = () => false) {
    this.families = requestFamilies(registry);
    this.impersonation = new ImpersonationMetrics(registry);
    this.connections = new ConnectionMetrics(registry);
    this.#isServed = isServed;
  }

  get handshakeErrors(): Counter {
    return this.families.handshakeErrors.with();
  }

  /** Outside of whatever turns errors into responses, so that it sees their codes. */
  filter(): Filter {
    return (next) => (request) => {
      const answer = next(request);
      if (answer instanceof Promise) return answer.then((response) => this.#answered(request, response));
      return this.#answered(request, answer);
    };
  }

  /** The server ends a request early, to protect itself. */
  terminated(request: Request, code: number, by = component): void {
    const { info } = found(request);
    if (info === undefined) return;
    const { verb, group, version, resource, subresource, scope } = this.#safeLabels(request, info);
    this.families.terminations.with(verb, group, version, resource, subresource, scope, by, String(code)).inc();
    if (code !== 429) return;
    this.families.total.with(verb, dryRunOf(request), group, version, resource, subresource, scope, by, String(code)).inc();
  }

  #turnAway(request: Request): void {
    const { info } = found(request);
    if (info === undefined) return;
    const last = this.#turnedAway;
    const isPlain = info.isResource && info.verb !== 'patch' && request.rawQuery === '';
    if (isPlain && last !== undefined && isAlike(last.info, info)) {
      last.terminations.inc();
      last.total.inc();
      return;
    }
    this.terminated(request, 429);
    const { verb, group, version, resource, subresource, scope } = this.#safeLabels(request, info);
    // What is not served now may be soon.
    if (!isPlain || resource === '') return;
    const { terminations, total } = this.families;
    this.#turnedAway = {
      info,
      terminations: terminations.with(verb, group, version, resource, subresource, scope, component, '429'),
      total: total.with(verb, '', group, version, resource, subresource, scope, component, '429'),
    };
  }

  /** What was done for a request that had timed out is over; of writes, upstream tells how they ended, too. */
  endedLate({ info }: ParsedRequest, failed: boolean): void {
    this.families.postTimeout.with('timeout-handler', 'ok').inc();
    if (info.isResource && writes.has(info.verb)) this.families.postTimeout.with('rest-handler', failed ? 'error' : 'ok').inc();
  }

  /** A response could not be sent to its end. */
  aborted(request: Request): void {
    const { info } = found(request);
    if (info === undefined) return;
    const { verb, group, version, resource, subresource, scope } = this.#safeLabels(request, info);
    this.families.aborts.with(verb, group, version, resource, subresource, scope).inc();
  }

  /** Only what is served has series of its own: a client must not be able to make up metrics. */
  #safeLabels(request: Request, info: RequestInfo): RequestLabels {
    const labels = labelsOf(request, info);
    const isKnown = found(request).routed !== undefined || (info.isResource && this.#isServed(info));
    return isKnown ? labels : { ...labels, group: '', version: '', resource: '', subresource: '' };
  }

  #answered(request: Request, response: Response): Response {
    const { user, routed } = found(request);
    // Turned away before it came to its resource: there are too many requests.
    if (response.status === 429 && routed === undefined && user !== undefined) {
      this.#turnAway(request);
      return response;
    }
    if (isProxyFailure(response) && routed === undefined && user !== undefined) this.terminated(request, 503, 'aggregator');
    const series = this.#seriesOf(request);
    if (series === undefined) return response;
    const { body, upgrade } = response;
    const { longRunning } = series;
    if (upgrade !== undefined) return { ...response, upgrade: this.#upgraded(request, response, series, upgrade) };
    if (typeof body !== 'function' || request.method === 'HEAD') {
      this.#observe(request, response.status, series, typeof body === 'function' ? 0 : (body?.length ?? 0));
      return response;
    }
    const streamed: StreamBody = async (sink) => {
      longRunning?.add(1);
      const counted = series.size === undefined ? undefined : new CountedSink(sink);
      try {
        await body(counted ?? sink);
      } finally {
        longRunning?.add(-1);
        this.#observe(request, response.status, series, counted?.bytes ?? 0);
      }
    };
    return { ...response, body: streamed };
  }

  #upgraded(request: Request, { status }: Response, series: Series, upgrade: NonNullable<Response['upgrade']>): typeof upgrade {
    return (socket, head) => {
      series.longRunning?.add(1);
      socket.once('close', () => {
        series.longRunning?.add(-1);
        this.#observe(request, status, series, 0);
      });
      upgrade(socket, head);
    };
  }

  #observe(request: Request, status: number, series: Series, bytes: number): void {
    let counter = series.byCode.get(status);
    if (counter === undefined) series.byCode.set(status, (counter = this.#counterOf(request, status, series)));
    counter.inc();
    const seconds = (performance.now() - request.receivedAt) / 1000;
    series.duration.observe(seconds);
    series.sli?.observe(Math.max(0, seconds - request.waitedMs / 1000));
    series.size?.observe(bytes);
    if (request.rawQuery.includes('fieldValidation')) this.families.fieldValidation.with(fieldValidationOf(request));
    if (found(request).user?.name === selfUser) {
      const { group, resource, subresource } = this.#labelsOf(request);
      this.families.self.with(series.verb, group, resource, subresource).inc();
    }
  }

  #counterOf(request: Request, status: number, { verb }: Series): Counter {
    const { group, version, resource, subresource, scope, component: by } = this.#labelsOf(request);
    return this.families.total.with(verb, dryRunOf(request), group, version, resource, subresource, scope, by, String(status));
  }

  #labelsOf(request: Request): RequestLabels & { readonly component: string } {
    const { info } = found(request);
    const plain = info?.isResource === true ? undefined : plainLabels(request);
    if (plain !== undefined || info === undefined)
      return plain ?? { verb: '', group: '', version: '', resource: '', subresource: '', scope: '', component };
    return { ...labelsOf(request, info), component };
  }

  #seriesOf(request: Request): Series | undefined {
    const { info, routed } = found(request);
    if (info === undefined) return undefined;
    if (!info.isResource) return this.#plainSeries(request);
    // Only what is served is counted.
    if (routed === undefined) return undefined;
    let route = this.#routes.get(routed);
    if (route === undefined) this.#routes.set(routed, (route = { inNamespace: new Map(), inCluster: new Map(), others: new Map() }));
    const dryRun = dryRunOf(request);
    if (info.subresource === '' && dryRun === '' && info.verb !== 'patch') {
      const byVerb = info.inNamespace ? route.inNamespace : route.inCluster;
      // With a name or without, a request of one verb has one scope, except for a watch of one object.
      const key = info.verb === 'watch' && info.parts.length > 1 ? 'watch one' : info.verb;
      let series = byVerb.get(key);
      if (series === undefined) byVerb.set(key, (series = this.#createSeries(request, info)));
      return series;
    }
    const labels = labelsOf(request, info);
    const key = `${labels.verb} ${dryRun} ${labels.subresource} ${labels.scope}`;
    let series = route.others.get(key);
    if (series === undefined) route.others.set(key, (series = this.#createSeries(request, info)));
    return series;
  }

  /** Plain paths: those that upstream counts. */
  #plainSeries(request: Request): Series | undefined {
    const labels = plainLabels(request);
    if (labels === undefined) return undefined;
    const key = `${labels.verb} ${labels.resource} ${labels.subresource}`;
    let series = this.#plain.get(key);
    if (series === undefined) {
      const { verb, resource, subresource, component: by } = labels;
      const { families } = this;
      series = {
        verb,
        duration: families.duration.with(verb, '', '', '', resource, subresource, '', by),
        sli: families.sli.with(verb, '', '', resource, subresource, '', by),
        size: families.responseSizes.with(verb, '', '', resource, subresource, '', by),
        longRunning: undefined,
        byCode: new Map(),
      };
      this.#plain.set(key, series);
    }
    return series;
  }

  #createSeries(request: Request, info: RequestInfo): Series {
    const { families } = this;
    const { verb, group, version, resource, subresource, scope } = labelsOf(request, info);
    const dryRun = dryRunOf(request);
    // A quirk kept: a watch is a list that goes on, and its size counts; a path of the old form is not.
    const isRead = verb === 'GET' || verb === 'LIST' || (verb === 'WATCH' && info.verbPrefix === '');
    return {
      verb,
      duration: families.duration.with(verb, dryRun, group, version, resource, subresource, scope, component),
      sli: dryRun === '' && verb !== 'WATCH' ? families.sli.with(verb, group, version, resource, subresource, scope, component) : undefined,
      size: isRead ? families.responseSizes.with(verb, group, version, resource, subresource, scope, component) : undefined,
      longRunning: isLongRunning(info)
        ? families.longRunning.with(verbOf(request, info), group, version, resource, subresource, scope, component)
        : undefined,
      byCode: new Map(),
    };
  }
}

/** The aggregator could not pass a request on: what a server behind it says is no plain text. */
function isProxyFailure({ status, headers }: Response): boolean {
  return status === 503 && String(headers['content-type'] ?? '').startsWith('text/plain');
}

/** Counts what a list sends. */
class CountedSink extends OuterSink {
  bytes = 0;

  override write(chunk: Buffer, flushed?: () => void): boolean {
    this.bytes += chunk.length;
    return super.write(chunk, flushed);
  }
}
