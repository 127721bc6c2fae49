// Upstream: k8s.io/kube-aggregator/pkg/apiserver/{handler_proxy,handler_discovery}.go, k8s.io/kube-aggregator/pkg/controllers/{openapi,openapiv3}
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import { deepEqual } from '../machinery/deep-equal.ts';
import type { DiscoveryRegistry } from '../server/discovery/registry.ts';
import type { AuthenticatedRequest } from '../server/request/stages.ts';
import type { Response } from '../server/http/response.ts';
import type { AggregatedSource } from '../server/openapi/aggregated-source.ts';
import type { PassingOptions } from './proxy.ts';
import { passOn, unavailable } from './proxy.ts';
import type { RemoteDiscovery } from './remote-discovery.ts';
import { readDiscovery } from './remote-discovery.ts';
import type { OpenApiPaths } from './remote-open-api.ts';
import { readOpenApiV2, readOpenApiV3 } from './remote-open-api.ts';
import type { RemoteService } from './remote-service.ts';
import type { ServiceTransport } from './service-transport.ts';
import { RepeatedCheck } from './repeated-check.ts';

export interface RemoteOptions {
  readonly proxy: PassingOptions & { readonly transport: ServiceTransport };
  readonly discovery: DiscoveryRegistry;
  readonly openApi: AggregatedSource;
  readonly clock: Clock;
  readonly log: Logger;
  /** a request found that the server behind an APIService does not respond */
  readonly unreachable: (apiService: string) => void;
}

const refreshMs = 60_000;
const afterFailureMs = 500;

/** A group version that another server serves: passes requests on, and keeps what that server tells of itself. */
export class RemoteGroupVersion implements Disposable {
  readonly #options: RemoteOptions;
  readonly #refresh: RepeatedCheck;
  #service: RemoteService;
  #available: boolean;
  #openApiPaths: OpenApiPaths = {};

  constructor(service: RemoteService, available: boolean, options: RemoteOptions) {
    this.#options = options;
    this.#service = service;
    this.#available = available;
    const failed = (error: unknown): void => this.#log('discovery', error);
    this.#refresh = new RepeatedCheck({
      check: (signal) => this.#read(signal),
      failed,
      everyMs: refreshMs,
      afterFailureMs,
      clock: options.clock,
    });
    this.#publish(undefined);
    this.#refresh.request();
  }

  /** name of the APIService */
  get apiService(): string {
    return this.#service.apiService;
  }

  /** documents of OpenAPI 3 that the server has */
  get openApiPaths(): OpenApiPaths {
    return this.#openApiPaths;
  }

  update(service: RemoteService, available: boolean): void {
    if (available === this.#available && deepEqual(service, this.#service)) return;
    this.#service = service;
    this.#available = available;
    this.#refresh.restart();
  }

  serve(request: AuthenticatedRequest): Response | Promise<Response> {
    if (!this.#available) return unavailable();
    const { proxy, unreachable } = this.#options;
    const service = this.#service;
    return passOn(
      () => proxy.transport.locate(service),
      request,
      proxy,
      () => unreachable(service.apiService),
    );
  }

  [Symbol.dispose](): void {
    const { discovery, openApi } = this.#options;
    const { apiService, group, version } = this.#service;
    this.#refresh[Symbol.dispose]();
    discovery.remove({ group, version }, 'aggregated');
    openApi.remove(apiService);
  }

  /** What it serves is asked for whether it counts as available or not, as upstream does; documents are those of available servers. */
  async #read(signal: AbortSignal): Promise<boolean> {
    const [discovered] = await Promise.allSettled([this.#readDiscovery(signal), this.#readDocuments(signal)]);
    if (discovered.status === 'rejected') throw discovered.reason;
    return true;
  }

  async #readDiscovery(signal: AbortSignal): Promise<void> {
    const { transport } = this.#options.proxy;
    const service = this.#service;
    try {
      const found = await readDiscovery(transport, service, signal);
      if (this.#service === service && !signal.aborted) this.#publish(found);
    } catch (error) {
      this.#publish(undefined);
      throw error;
    }
  }

  /** A server that does not say what it serves may have documents. */
  async #readDocuments(signal: AbortSignal): Promise<void> {
    if (this.#available) await Promise.all([this.#readOpenApiV2(signal), this.#readOpenApiV3(signal)]);
  }

  async #readOpenApiV2(signal: AbortSignal): Promise<void> {
    const { proxy, openApi } = this.#options;
    const { apiService, group, groupPriority } = this.#service;
    try {
      const document = await readOpenApiV2(proxy.transport, this.#service, signal);
      if (signal.aborted) return;
      if (document === undefined) openApi.remove(apiService);
      else openApi.put({ name: apiService, group, groupPriority, document });
    } catch (error) {
      // What it said before is still the best that is known.
      if (!signal.aborted) this.#log('OpenAPI 2', error);
    }
  }

  async #readOpenApiV3(signal: AbortSignal): Promise<void> {
    try {
      this.#openApiPaths = (await readOpenApiV3(this.#options.proxy.transport, this.#service, signal)) ?? {};
    } catch (error) {
      if (!signal.aborted) this.#log('OpenAPI 3', error);
    }
  }

  /** Undefined: it is not known what the server serves. */
  #publish(found: RemoteDiscovery | undefined): void {
    const { discovery } = this.#options;
    const { group, version, groupPriority, versionPriority } = this.#service;
    const known = discovery.get(group, version);
    // What this server has itself it shows itself.
    if (known !== undefined && known.origin !== 'aggregated') return;
    const shown = found ?? { resources: [] };
    const next = { group, version, origin: 'aggregated', groupPriority, versionPriority, ...shown, stale: found === undefined } as const;
    if (!deepEqual(known, next)) discovery.put(next);
  }

  #log(what: string, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.#options.log.warn(`${what} of an APIService could not be read`, { apiService: this.#service.apiService, err: message });
  }
}
