// Upstream: k8s.io/kubernetes/pkg/kubelet/client/kubelet_client.go#GetConnectionInfo, k8s.io/kubernetes/pkg/util/node/node.go#GetPreferredNodeAddress
import type { ClientCertificate, Peer, StreamingClient } from '../../base/https/streaming-client.ts';
import { notFound } from '../../machinery/errors.ts';
import type { Node } from '../../schema/types/core-v1.ts';
import type { ObjectReader } from '../../server/registry/object-reader.ts';
import type { KubeObject } from '../../server/registry/definition.ts';

export interface KubeletOptions {
  /** PEM of the authorities that kubelets' certificates may be from; undefined: any certificate will do */
  readonly authorities?: string | undefined;
  /** this server's client certificate for kubelets; undefined: none */
  readonly client?: ClientCertificate | undefined;
  /** kinds of node addresses, first choice first */
  readonly addressTypes: readonly string[];
  /** of kubelets that do not say theirs */
  readonly port: number;
}

export const defaultKubeletOptions: KubeletOptions = Object.freeze({
  addressTypes: ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'],
  port: 10250,
});

/** What requests need that go on to kubelets, pods and services. */
export interface OutgoingConnections {
  readonly client: StreamingClient;
  readonly kubelets: KubeletOptions;
}

export interface Kubelet {
  readonly peer: Peer;
  /** what its node says that it can do */
  readonly features: readonly string[];
}

/** How the kubelet of a node is reached. */
export async function kubeletOf(reader: ObjectReader, nodeName: string, options: KubeletOptions): Promise<Kubelet> {
  const node = await reader.get<Node & KubeObject>('', 'nodes', '', nodeName);
  if (node === undefined) throw notFound({ group: '', resource: 'nodes' }, nodeName);
  const { addresses = [], daemonEndpoints, declaredFeatures: features = [] } = node.status;
  const { authorities, client, addressTypes } = options;
  const host = addressTypes.map((type) => addresses?.find((one) => one.type === type)?.address).find((one) => one !== undefined);
  if (host === undefined) {
    const known = addresses.map(({ type, address }) => `{${type} ${address}}`).join(' ');
    throw new Error(`no preferred addresses found; known addresses: [${known}]`);
  }
  const port = daemonEndpoints?.kubeletEndpoint?.Port || options.port;
  return { peer: { scheme: 'https', host, port, authorities, client, insecure: authorities === undefined }, features: features ?? [] };
}
