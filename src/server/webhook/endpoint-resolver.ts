// Upstream: k8s.io/apiserver/pkg/util/proxy/proxy.go#ResolveEndpoint, #RandomEndpoint
import { inSlices } from '../../base/slices.ts';
import { notFound, serviceUnavailable } from '../../machinery/errors.ts';
import type { Service } from '../../schema/types/core-v1.ts';
import type { EndpointSlice } from '../../schema/types/discovery-v1.ts';
import type { ObjectReader } from '../registry/object-reader.ts';
import type { KubeObject } from '../registry/definition.ts';
import type { ServiceAddress } from './service-resolver.ts';

type Slice = EndpointSlice & KubeObject;

const clusterTypes: ReadonlySet<string> = new Set(['ClusterIP', 'NodePort', 'LoadBalancer']);
const serviceLabel = 'kubernetes.io/service-name';

/** Where a port of a service is reached without its cluster address: at any endpoint that is ready. */
export async function resolveEndpoint(reader: ObjectReader, namespace: string, name: string, port: number): Promise<ServiceAddress> {
  const service = await reader.get<Service & KubeObject>('', 'services', namespace, name);
  if (service === undefined) throw notFound({ group: '', resource: 'service' }, name);
  const { type = '', ports = [], ipFamilies = [] } = service.spec;
  if (!clusterTypes.has(type)) throw new Error(`unsupported service type ${JSON.stringify(type)}`);
  const exposed = ports.find((one) => one.port === port);
  if (exposed === undefined) throw serviceUnavailable(`no service port ${port} found for service ${JSON.stringify(name)}`);
  const found = addresses(await slicesOf(reader, namespace, name), exposed.name ?? '');
  const preferred = found.filter(({ family }) => family === ipFamilies[0]);
  const address = anyOf(preferred.length > 0 ? preferred : found);
  if (address === undefined) throw serviceUnavailable(`no endpoints available for service ${JSON.stringify(name)}`);
  return address;
}

/** The endpoint slices that belong to a service. */
export async function slicesOf(reader: ObjectReader, namespace: string, service: string): Promise<Slice[]> {
  const slices = await reader.list<Slice>('discovery.k8s.io', 'endpointslices', namespace, (labels) => labels[serviceLabel] === service);
  const found: Slice[] = [];
  for await (const slice of inSlices(slices)) found.push(slice);
  return found;
}

function addresses(slices: readonly Slice[], portName: string): (ServiceAddress & { readonly family: string })[] {
  return slices.flatMap(({ addressType: family, ports, endpoints }) => {
    const port = ports?.find((one) => (one.name ?? '') === portName && one.port !== undefined)?.port;
    const ready = (endpoints ?? []).filter(({ conditions }) => conditions?.ready !== false);
    // Of several addresses only the first counts.
    return port === undefined ? [] : ready.map((endpoint) => ({ family, host: endpoint.addresses?.[0] ?? '', port }));
  });
}

function anyOf<T>(list: readonly T[]): T | undefined {
  return list[Math.floor(Math.random() * list.length)];
}
