// Upstream: k8s.io/kubernetes/pkg/registry/core/service/storage/storage.go#ResourceLocation, k8s.io/apiserver/pkg/util/proxy/proxy.go#RandomEndpoint
import type { Peer } from '../../../base/https/streaming-client.ts';
import { serviceUnavailable } from '../../../machinery/errors.ts';
import { asInt64 } from '../../../machinery/go-number.ts';
import type { Pod } from '../../../schema/types/core-v1.ts';
import type { Endpoint, EndpointSlice } from '../../../schema/types/discovery-v1.ts';
import { forward } from '../../../server/proxy/forward.ts';
import type { ObjectReader } from '../../../server/registry/object-reader.ts';
import type { KubeObject, Subresource } from '../../../server/registry/definition.ts';
import { slicesOf } from '../../../server/webhook/endpoint-resolver.ts';
import type { OutgoingConnections } from '../../common/kubelet.ts';
import { parseProxyTarget, proxiedPath, unprovenPeer } from '../../common/proxy-target.ts';
import type { IpFamily } from '../../common/service-network/cluster-ip-pool.ts';
import type { ServiceObject } from '../../common/service-network/service-object.ts';

/** To any pod behind a service that is ready. */
export function proxy({ client }: OutgoingConnections, preferred: IpFamily | undefined): Subresource<ServiceObject> {
  return {
    proxies: true,
    async connect({ namespace, name, context, request }) {
      const peer = await peerOf(context.reader, namespace, name, preferred);
      return forward(client, request, { peer, path: proxiedPath(request) });
    },
  };
}

async function peerOf(reader: ObjectReader, namespace: string, id: string, preferred: IpFamily | undefined): Promise<Peer> {
  const { scheme, name, port } = parseProxyTarget('service', id);
  const portName = await nameOfPort(reader, namespace, name, port);
  const slices = shuffled(await slicesOf(reader, namespace, name));
  const inOrder = [...slices.filter(isOf(preferred)), ...slices.filter((slice) => !isOf(preferred)(slice))];
  for (const { ports, endpoints } of inOrder) {
    const number = ports?.find((one) => (one.name ?? '') === portName && one.port !== undefined)?.port;
    if (number === undefined) continue;
    for (const endpoint of shuffled(endpoints ?? [])) {
      if (endpoint.conditions?.ready === false || !(await isPod(reader, namespace, endpoint))) continue;
      return unprovenPeer(scheme, endpoint.addresses?.[0] ?? '', String(number));
    }
  }
  throw serviceUnavailable(`no endpoints available for service ${JSON.stringify(name)}`);
}

/** A number is one of the service's ports, which slices know by its name. */
async function nameOfPort(reader: ObjectReader, namespace: string, name: string, port: string): Promise<string> {
  const number = asInt64(port);
  if (number === undefined) return port;
  const { spec } = await reader.require<ServiceObject>('', 'services', namespace, name);
  const exposed = spec.ports?.find((one) => BigInt(one.port) === number);
  if (exposed === undefined) throw serviceUnavailable(`no service port ${number} found for service ${JSON.stringify(name)}`);
  return exposed.name ?? '';
}

/** A user who may write slices cannot make this server call anything but pods. */
async function isPod(reader: ObjectReader, namespace: string, { targetRef, addresses }: Endpoint): Promise<boolean> {
  if (targetRef === undefined || targetRef.namespace !== namespace) return false;
  const pod = await reader.get<Pod & KubeObject>('', 'pods', namespace, targetRef.name ?? '');
  return pod?.status?.podIPs?.some(({ ip }) => ip === addresses?.[0]) ?? false;
}

function isOf(family: IpFamily | undefined): (slice: EndpointSlice) => boolean {
  return ({ addressType }) => addressType === family;
}

function shuffled<T>(list: readonly T[]): T[] {
  const order = list.map((item) => ({ item, at: Math.random() }));
  return order.sort((a, b) => a.at - b.at).map(({ item }) => item);
}
