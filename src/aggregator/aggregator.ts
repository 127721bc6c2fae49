// Upstream: k8s.io/kube-aggregator/pkg/apiserver/{apiserver,apiservice_controller}.go
// Upstream: k8s.io/kube-aggregator/pkg/controllers/openapiv3/aggregator/aggregator.go
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import type { DiscoveryRegistry } from '../server/discovery/registry.ts';
import type { AuthenticatedRequest } from '../server/request/stages.ts';
import type { Handler, Response } from '../server/http/response.ts';
import type { AggregatedSource } from '../server/openapi/aggregated-source.ts';
import type { ObjectReader } from '../server/registry/object-reader.ts';
import { follow } from '../server/registry/follow.ts';
import type { ServerWriter } from '../server/registry/server-writer.ts';
import type { MetricsRegistry } from '../base/metrics.ts';
import { Availability } from './availability.ts';
import type { RemoteOptions } from './remote-group-version.ts';
import { RemoteGroupVersion } from './remote-group-version.ts';
import type { ApiServiceObject } from './remote-service.ts';
import { isAvailable, remoteServiceOf } from './remote-service.ts';
import type { TransportOptions } from './service-transport.ts';
import { ServiceTransport } from './service-transport.ts';

export interface AggregatorOptions extends Omit<TransportOptions, 'clock'> {
  readonly reader: ObjectReader;
  readonly writer: ServerWriter;
  readonly discovery: DiscoveryRegistry;
  readonly openApi: AggregatedSource;
  readonly rejectRedirects: boolean;
  readonly metrics: MetricsRegistry;
  readonly remoteUid: boolean;
  readonly clock: Clock;
  readonly log: Logger;
}

const openApiRoot = '/openapi/v3';

/** The outermost of the three servers: knows which group versions other servers serve, and passes requests for those on. */
export class Aggregator {
  readonly #reader: ObjectReader;
  readonly #transport: ServiceTransport;
  readonly #availability: Availability;
  readonly #remoteOptions: RemoteOptions;
  /** by `group/version` */
  readonly #remote = new Map<string, RemoteGroupVersion>();
  readonly #stopping = new AbortController();

  constructor(options: AggregatorOptions) {
    const { reader, writer, discovery, openApi, rejectRedirects, remoteUid, clock, log, metrics } = options;
    const transport = (this.#transport = new ServiceTransport(options));
    const availability = (this.#availability = new Availability({ reader, writer, transport, clock, log, metrics }));
    this.#reader = reader;
    const unreachable = (name: string): void => availability.recheck(name);
    this.#remoteOptions = { proxy: { transport, rejectRedirects, remoteUid }, discovery, openApi, clock, log, unreachable };
  }

  /** Follows the APIService objects from now on. Resolves when those that are there are served. */
  async start(): Promise<void> {
    const resource = this.#reader.resource('apiregistration.k8s.io', 'apiservices');
    const { store } = resource;
    const { clock, log } = this.#remoteOptions;
    await follow({
      name: 'APIServices',
      resource,
      initialEvents: true,
      event: (type, entry) => this.#apply(type === 'DELETED', this.#reader.parse<ApiServiceObject>(resource, entry)),
      // Deletions between two watches bring no event.
      caughtUp: (keys) => {
        for (const [key, { apiService }] of this.#remote) if (!keys.has(store.key('', apiService))) this.#forget(key);
      },
      signal: this.#stopping.signal,
      clock,
      log,
    });
  }

  /** Keeps the conditions of APIServices until the signal ends it. Resolves when all that are there have one. */
  followAvailability(signal: AbortSignal): Promise<void> {
    return this.#availability.start(signal);
  }

  stop(): void {
    this.#stopping.abort();
    for (const remote of this.#remote.values()) remote[Symbol.dispose]();
    this.#remote.clear();
    this.#transport[Symbol.dispose]();
  }

  handler(next: Handler<AuthenticatedRequest>): Handler<AuthenticatedRequest> {
    return (request) => {
      if (this.#remote.size === 0) return next(request);
      const { path } = request;
      if (path === openApiRoot) return this.#openApiIndex(request, next);
      if (path.startsWith(`${openApiRoot}/`)) return this.#openApiDocument(request, next);
      const [, prefix, group = '', version = ''] = path.split('/', 4);
      const remote = prefix === 'apis' ? this.#remote.get(`${group}/${version}`) : undefined;
      if (remote === undefined) return next(request);
      return remote.serve(request);
    };
  }

  async #openApiIndex(request: AuthenticatedRequest, next: Handler<AuthenticatedRequest>): Promise<Response> {
    const own = await next(request);
    if (own.status !== 200 || !Buffer.isBuffer(own.body)) return own;
    const others = [...this.#remote.values()].map(({ openApiPaths }) => openApiPaths);
    const { paths } = JSON.parse(own.body.toString()) as { paths: object };
    const merged = Object.entries(Object.assign({}, ...others, paths) as object).sort(([a], [b]) => (a < b ? -1 : 1));
    return { ...own, body: Buffer.from(JSON.stringify({ paths: Object.fromEntries(merged) })) };
  }

  /** Documents that several servers have, such as that of `/version`, are this server's own. */
  async #openApiDocument(request: AuthenticatedRequest, next: Handler<AuthenticatedRequest>): Promise<Response> {
    const own = await next(request);
    if (own.status !== 404) return own;
    const name = request.path.slice(openApiRoot.length + 1);
    const remote = [...this.#remote.values()].find(({ openApiPaths }) => Object.hasOwn(openApiPaths, name));
    return remote?.serve(request) ?? own;
  }

  #forget(key: string): void {
    this.#remote.get(key)?.[Symbol.dispose]();
    this.#remote.delete(key);
  }

  #apply(deleted: boolean, object: ApiServiceObject): void {
    const key = keyOf(object.spec);
    const known = this.#remote.get(key);
    const service = deleted ? undefined : remoteServiceOf(object);
    if (service !== undefined && known !== undefined) known.update(service, isAvailable(object));
    else if (service !== undefined) this.#remote.set(key, new RemoteGroupVersion(service, isAvailable(object), this.#remoteOptions));
    else this.#forget(key);
  }
}

function keyOf({ group = '', version = '' }: ApiServiceObject['spec']): string {
  return `${group}/${version}`;
}
