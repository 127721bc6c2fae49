// Upstream: k8s.io/apiserver/pkg/util/peerproxy/peerproxy_handler.go
import type { Clock } from '../../base/clock.ts';
import type { Dial } from '../../base/https/dial.ts';
import type { ClientCertificate } from '../../base/https/streaming-client.ts';
import { StreamingClient } from '../../base/https/streaming-client.ts';
import type { Logger } from '../../base/log.ts';
import type { MetricsRegistry } from '../../base/metrics.ts';
import { serviceUnavailable } from '../../machinery/errors.ts';
import type { PostStartHook } from '../../server/api-server.ts';
import type { DiscoveryRegistry } from '../../server/discovery/registry.ts';
import type { Handler, Response } from '../../server/http/response.ts';
import type { ObjectReader } from '../../server/registry/object-reader.ts';
import type { AuthenticatedRequest } from '../../server/request/stages.ts';
import type { ServiceAddress } from '../../server/webhook/service-resolver.ts';
import type { Backend } from '../backend.ts';
import { passOn } from '../proxy.ts';
import { PeerDiscovery } from './peer-discovery.ts';
import type { PeerMetrics } from './peer-metrics.ts';
import { peerDiscoveryFamilies, peerFamilies } from './peer-metrics.ts';

export interface PeerProxyOptions {
  readonly reader: ObjectReader;
  readonly discovery: DiscoveryRegistry;
  readonly serverId: string;
  /** where the server with this identity says that it is */
  readonly addressOf: (serverId: string) => Promise<ServiceAddress | undefined>;
  /** PEM of the authorities of peers' certificates */
  readonly authorities: () => string;
  /** this server's client certificate for peers */
  readonly client: () => ClientCertificate | undefined;
  /** how peers are reached, when not directly */
  readonly dial: Dial | undefined;
  readonly metrics: MetricsRegistry;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Every API server has it in its certificate. */
const serverName = 'kubernetes.default.svc';
/** A request that was passed on once is served or refused where it arrives: two servers must not play ball with it. */
const passedOnce = 'x-kubernetes-peer-proxied';

/** Passes requests for resources that this server does not serve on to a peer of another version, or with other options, that does. */
export class PeerProxy implements Disposable {
  readonly discovery: PeerDiscovery;
  readonly #options: PeerProxyOptions;
  readonly #client: StreamingClient;
  readonly #metrics: PeerMetrics;
  #isStarted = false;
  #own: ReadonlySet<string> = new Set();
  #ownGeneration = -1;

  constructor(options: PeerProxyOptions) {
    this.#options = options;
    this.#client = new StreamingClient(options.clock, { dial: options.dial, http2: true });
    this.#metrics = { ...peerFamilies(options.metrics), ...peerDiscoveryFamilies(options.metrics) };
    this.discovery = new PeerDiscovery({ ...options, metrics: this.#metrics, locate: (id) => this.#locate(id) });
  }

  /** Follows which peers there are. */
  get startHooks(): readonly PostStartHook[] {
    const started = Promise.withResolvers<void>();
    const run = async (): Promise<void> => {
      await this.discovery.start().then(started.resolve, started.reject);
      await started.promise;
      this.#isStarted = true;
    };
    // What upstream does in three places, discovery of peers does here.
    const others = ['local-discovery-cache-sync', 'peer-discovery-workers'].map((name) => ({ name, run: () => started.promise }));
    return [{ name: 'mixed-version-proxy-handler', run }, ...others];
  }

  [Symbol.dispose](): void {
    this.discovery[Symbol.dispose]();
    this.#client[Symbol.dispose]();
  }

  handler(next: Handler<AuthenticatedRequest>): Handler<AuthenticatedRequest> {
    return (request) => {
      const { info } = request;
      if (!info.isResource || !this.#isStarted || this.#serves(info.group, info.version, info.resource)) return next(request);
      if (request.header(passedOnce) === 'true') return next(request);
      const peers = this.discovery.serving(info.group, info.version, info.resource);
      return peers.length === 0 ? next(request) : this.#passOn(request, peers);
    };
  }

  #serves(group: string, version: string, resource: string): boolean {
    const { discovery } = this.#options;
    if (this.#ownGeneration !== discovery.generation) {
      this.#ownGeneration = discovery.generation;
      this.#own = new Set(discovery.all.flatMap((one) => one.resources.map(({ name }) => `${one.group}/${one.version}/${name}`)));
    }
    return this.#own.has(`${group}/${version}/${resource}`);
  }

  async #passOn(request: AuthenticatedRequest, peers: readonly string[]): Promise<Response> {
    const { log } = this.#options;
    const { group, version, resource } = request.info;
    const found = await Promise.allSettled(peers.map((id) => this.#locate(id)));
    const backends = found.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const backend = backends[Math.floor(Math.random() * backends.length)];
    if (backend === undefined) {
      this.#metrics.failures.with('endpoint_resolution', group, version, resource).inc();
      throw serviceUnavailable('Error getting ip and port info of the remote server while proxying');
    }
    const headers = { [passedOnce]: 'true' };
    const failed = (): void => log.error('another API server did not respond to a request that was passed on', { path: request.path });
    const response = await passOn(async () => backend, request, { rejectRedirects: false, remoteUid: true, headers }, failed);
    this.#metrics.passedOn.with(String(response.status), group, version, resource).inc();
    return response;
  }

  async #locate(id: string): Promise<Backend> {
    const address = await this.#options.addressOf(id);
    if (address === undefined) throw new Error(`API server ${id} does not say where it is`);
    const exchange: Backend['exchange'] = (request) => {
      const authorities = this.#options.authorities();
      const client = this.#options.client();
      return this.#client.exchange({ scheme: 'https', ...address, serverName, authorities, insecure: false, client }, request);
    };
    return { address, exchange };
  }
}
