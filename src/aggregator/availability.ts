// Upstream: k8s.io/kube-aggregator/pkg/controllers/status/{local,remote}
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import type { MetricsRegistry } from '../base/metrics.ts';
import { AvailabilityMetrics } from './availability-metrics.ts';
import { isReason } from '../machinery/errors.ts';
import { timestamp } from '../machinery/time.ts';
import type { APIServiceCondition } from '../schema/types/apiregistration-v1.ts';
import type { Service } from '../schema/types/core-v1.ts';
import type { EndpointSlice } from '../schema/types/discovery-v1.ts';
import type { ObjectReader } from '../server/registry/object-reader.ts';
import type { KubeObject } from '../server/registry/definition.ts';
import type { StoredEntry } from '../server/registry/entry.ts';
import { keepReconciled } from '../server/registry/keep-reconciled.ts';
import type { ServerWriter } from '../server/registry/server-writer.ts';
import { slicesOf } from '../server/webhook/endpoint-resolver.ts';
import { checkDiscovery } from './discovery-check.ts';
import type { ApiServiceObject, RemoteService } from './remote-service.ts';
import { remoteServiceOf } from './remote-service.ts';
import { RepeatedCheck } from './repeated-check.ts';
import type { ServiceTransport } from './service-transport.ts';

type ServiceObject = Service & KubeObject;
type EndpointSliceObject = EndpointSlice & KubeObject;

export interface AvailabilityOptions {
  readonly reader: ObjectReader;
  readonly writer: ServerWriter;
  readonly transport: ServiceTransport;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: MetricsRegistry;
}

/** What is said of a group version, but for the time. */
export interface Verdict {
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

const group = 'apiregistration.k8s.io';
const plural = 'apiservices';
const serviceLabel = 'kubernetes.io/service-name';
const local: Verdict = { status: 'True', reason: 'Local', message: 'Local APIServices are always available' };

const recheckMs = 30_000;
const afterFailureMs = 5;

/** A server that is asked now and then whether it serves its group version. */
interface RemoteCheck {
  /** what was known of it when it was last asked for a reason */
  reason: string;
  service: RemoteService;
  readonly repeated: RepeatedCheck;
}

/** Keeps the condition of APIServices: whether their group versions are served. */
export class Availability {
  readonly #options: AvailabilityOptions;
  /** by name of the APIService */
  readonly #checks = new Map<string, RemoteCheck>();
  /** `namespace/name` of the services that serve some group version */
  #referenced = new Set<string>();
  readonly #metrics: AvailabilityMetrics;

  constructor(options: AvailabilityOptions) {
    this.#options = options;
    this.#metrics = new AvailabilityMetrics(options.metrics);
  }

  /** Resolves when every APIService that is there has been looked at. */
  start(signal: AbortSignal): Promise<void> {
    const { reader, clock, log } = this.#options;
    const [services, slices] = [reader.resource('', 'services'), reader.resource('discovery.k8s.io', 'endpointslices')];
    signal.addEventListener('abort', () => this.#keepOnly(new Set()), { once: true });
    return keepReconciled({
      name: 'the availability of APIServices',
      resources: [reader.resource(group, plural), services, slices],
      isRelevant: (resource, { fields, labels }: StoredEntry) => {
        if (resource !== services && resource !== slices) return true;
        const name = resource === services ? fields['metadata.name'] : labels?.[serviceLabel];
        return this.#referenced.has(`${fields['metadata.namespace']}/${name}`);
      },
      reconcile: () => this.#reconcile(signal),
      signal,
      clock,
      log,
    });
  }

  /** A caller could not reach the server behind an APIService. */
  recheck(name: string): void {
    const check = this.#checks.get(name);
    if (check !== undefined) this.#checkAllOf(check.service);
  }

  /** What has become of a server concerns all that it serves. */
  #checkAllOf({ namespace, name, port }: RemoteService, except?: string): void {
    for (const [apiService, { service, repeated }] of this.#checks) {
      const isSame = service.namespace === namespace && service.name === name && service.port === port;
      if (isSame && apiService !== except) repeated.request();
    }
  }

  async #reconcile(signal: AbortSignal): Promise<void> {
    // Filled on the way: what changes before its turn is seen then, what changes afterwards asks for another run.
    const found = (this.#referenced = new Set<string>());
    const checked = new Set<string>();
    const names = new Set<string>();
    for (const object of await this.#options.reader.listShared<ApiServiceObject>(group, plural, '')) {
      const { name = '' } = object.metadata;
      names.add(name);
      const service = remoteServiceOf(object);
      if (service === undefined) await this.#writeStatus(object, local);
      else {
        found.add(`${service.namespace}/${service.name}`);
        const [verdict, reason] = await this.#look(service);
        if (verdict !== undefined) await this.#writeStatus(object, verdict);
        else if (!signal.aborted) {
          checked.add(name);
          this.#check(name, service, reason);
        }
      }
    }
    this.#metrics.keepOnly(names);
    this.#keepOnly(checked);
  }

  /** What can be said without asking the server, and what that depends on. */
  async #look(service: RemoteService): Promise<readonly [verdict: Verdict | undefined, reason: string]> {
    const { reader } = this.#options;
    const object = await reader.get<ServiceObject>('', 'services', service.namespace, service.name);
    const slices = object === undefined ? [] : await slicesOf(reader, service.namespace, service.name);
    const versions = [object, ...slices].map((one) => `${one?.metadata.uid} ${one?.metadata.resourceVersion}`);
    return [judge(service, object, slices), JSON.stringify([service, versions])];
  }

  #check(name: string, service: RemoteService, reason: string): void {
    const known = this.#checks.get(name);
    if (known?.reason === reason) return;
    const check: RemoteCheck = known ?? { service, reason, repeated: this.#repeated(name) };
    Object.assign(check, { service, reason });
    this.#checks.set(name, check);
    check.repeated.restart();
  }

  #repeated(name: string): RepeatedCheck {
    const { reader, transport, clock, log } = this.#options;
    return new RepeatedCheck({
      check: async (signal) => {
        const { service } = this.#checks.get(name) as RemoteCheck;
        const verdict = await checkDiscovery(transport, service, signal);
        const object = await reader.get<ApiServiceObject>(group, plural, '', name);
        if (object === undefined || signal.aborted) return true;
        await this.#writeStatus(object, verdict);
        if (conditionOf(object)?.status !== verdict.status) this.#checkAllOf(service, name);
        return verdict.status === 'True';
      },
      failed: (error) => log.warn('availability of an APIService could not be written', { name, err: error }),
      everyMs: recheckMs,
      afterFailureMs,
      clock,
    });
  }

  #keepOnly(names: ReadonlySet<string>): void {
    for (const [name, { repeated }] of this.#checks) {
      if (names.has(name)) continue;
      repeated[Symbol.dispose]();
      this.#checks.delete(name);
    }
  }

  async #writeStatus(object: ApiServiceObject, verdict: Verdict): Promise<void> {
    this.#metrics.found(object.metadata.name ?? '', verdict.status === 'True', verdict.reason);
    if (isTold(object, verdict)) return;
    const { writer, clock } = this.#options;
    const { name = '' } = object.metadata;
    try {
      await writer.updateStatus(group, plural, '', name, (live) => setCondition(live as ApiServiceObject, verdict, timestamp(clock.now())));
    } catch (error) {
      // It is gone: nothing is left to be said of it.
      if (!isReason(error, 'NotFound')) throw error;
    }
  }
}

/** What service and endpoints tell of a group version that another server serves; undefined: nothing against it. */
export function judge(
  { namespace, name, port }: { readonly namespace: string; readonly name: string; readonly port: number },
  service: ServiceObject | undefined,
  slices: readonly EndpointSliceObject[],
): Verdict | undefined {
  const no = (reason: string, message: string): Verdict => ({ status: 'False', reason, message });
  const where = `service/${name} in ${JSON.stringify(namespace)}`;
  if (service === undefined) return no('ServiceNotFound', `${where} is not present`);
  if (service.spec.type === 'ClusterIP') {
    const exposed = service.spec.ports?.find((one) => one.port === port);
    if (exposed === undefined) return no('ServicePortError', `${where} is not listening on port ${port}`);
    if (slices.length === 0) return no('EndpointsNotFound', `cannot find endpointslices for ${where}`);
    const { name: portName = '' } = exposed;
    if (!slices.some((slice) => isServing(slice, portName))) {
      return no('MissingEndpoints', `endpointslices for ${where} have no addresses with port name ${JSON.stringify(portName)}`);
    }
  }
  return undefined;
}

function isServing({ endpoints, ports }: EndpointSliceObject, portName: string): boolean {
  const ready = endpoints?.some(({ conditions }) => conditions?.ready !== false) ?? false;
  return ready && (ports?.some((port) => port.name === portName && port.port !== undefined) ?? false);
}

function conditionOf({ status }: ApiServiceObject): APIServiceCondition | undefined {
  return status?.conditions?.find(({ type }) => type === 'Available');
}

function isTold(object: ApiServiceObject, verdict: Verdict): boolean {
  const condition = conditionOf(object);
  if (condition === undefined) return false;
  const { status: value, reason = '', message = '' } = condition;
  return value === verdict.status && reason === verdict.reason && message === verdict.message;
}

/** A condition is as old as its status, whatever the reason is by now. */
function setCondition(object: ApiServiceObject, verdict: Verdict, now: string): void {
  const conditions: APIServiceCondition[] = object.status?.conditions ?? [];
  const index = conditions.findIndex(({ type }) => type === 'Available');
  const existing = conditions[index];
  const lastTransitionTime = existing?.status === verdict.status ? existing.lastTransitionTime : now;
  const condition: APIServiceCondition = { type: 'Available', ...verdict, lastTransitionTime: lastTransitionTime ?? null };
  object.status = { ...object.status, conditions: existing === undefined ? [...conditions, condition] : conditions.with(index, condition) };
}
