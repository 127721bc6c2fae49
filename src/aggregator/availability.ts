// Upstream: kube-aggregator/pkg/controllers/status/{local,remote}
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import { isReason } from '../machinery/errors.ts';
import { timestamp } from '../machinery/time.ts';
import type { APIService, APIServiceCondition, ServiceReference } from '../schema/types/apiregistration-v1.ts';
import type { Service } from '../schema/types/core-v1.ts';
import type { EndpointSlice } from '../schema/types/discovery-v1.ts';
import type { Cluster } from '../server/registry/cluster.ts';
import type { KubeObject } from '../server/registry/definition.ts';
import type { StoredEntry } from '../server/registry/entry.ts';
import { keepReconciled } from '../server/registry/keep-reconciled.ts';
import type { ServerWriter } from '../server/registry/server-writer.ts';

type ApiServiceObject = APIService & KubeObject;
type ServiceObject = Service & KubeObject;
type EndpointSliceObject = EndpointSlice & KubeObject;

export interface AvailabilityOptions {
  readonly cluster: Cluster;
  readonly writer: ServerWriter;
  readonly clock: Clock;
  readonly log: Logger;
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

/** Keeps the condition of APIServices: whether their group versions are served. */
export function followAvailability({ cluster, writer, clock, log }: AvailabilityOptions, signal: AbortSignal): void {
  const [services, slices] = [cluster.resource('', 'services'), cluster.resource('discovery.k8s.io', 'endpointslices')];
  /** `namespace/name` of the services that serve some group version */
  let referenced = new Set<string>();
  const reconcile = async (): Promise<void> => {
    // Filled on the way: what changes before its turn is seen then, what changes afterwards asks for another run.
    const found = (referenced = new Set<string>());
    for (const object of await cluster.list<ApiServiceObject>(group, plural, '')) {
      const { service } = object.spec;
      if (service) found.add(`${service.namespace}/${service.name}`);
      const verdict = service ? await verdictOn(service, cluster) : local;
      if (!isTold(object, verdict)) await tell(object, verdict);
    }
  };
  const tell = async ({ metadata: { name = '' } }: ApiServiceObject, verdict: Verdict): Promise<void> => {
    try {
      await writer.updateStatus(group, plural, '', name, (live) => setCondition(live as ApiServiceObject, verdict, timestamp(clock.now())));
    } catch (error) {
      // It is gone: nothing is left to be said of it.
      if (!isReason(error, 'NotFound')) throw error;
    }
  };
  keepReconciled({
    name: 'the availability of APIServices',
    resources: [cluster.resource(group, plural), services, slices],
    concerns(resource, { fields, labels }: StoredEntry) {
      if (resource !== services && resource !== slices) return true;
      const name = resource === services ? fields['metadata.name'] : labels?.[serviceLabel];
      return referenced.has(`${fields['metadata.namespace']}/${name}`);
    },
    reconcile,
    signal,
    clock,
    log,
  });
}

async function verdictOn({ namespace = '', name = '', port }: ServiceReference, cluster: Cluster): Promise<Verdict> {
  const service = await cluster.get<ServiceObject>('', 'services', namespace, name);
  const slices = service === undefined ? [] : await cluster.list<EndpointSliceObject>('discovery.k8s.io', 'endpointslices', namespace);
  const own = [...slices].filter(({ metadata }) => metadata.labels?.[serviceLabel] === name);
  return judge({ namespace, name, port: port ?? 0 }, service, own);
}

/** What service and endpoints tell of a group version that another server serves. */
export function judge(
  { namespace, name, port }: { readonly namespace: string; readonly name: string; readonly port: number },
  service: ServiceObject | undefined,
  slices: readonly EndpointSliceObject[],
): Verdict {
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
  return no('FailedDiscoveryCheck', 'this server cannot reach aggregated API servers yet');
}

function isServing({ endpoints, ports }: EndpointSliceObject, portName: string): boolean {
  const ready = endpoints?.some(({ conditions }) => conditions?.ready !== false) ?? false;
  return ready && (ports?.some((port) => port.name === portName && port.port !== undefined) ?? false);
}

function isTold({ status }: ApiServiceObject, verdict: Verdict): boolean {
  const condition = status?.conditions?.find(({ type }) => type === 'Available');
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
