// Upstream: pkg/kubelet/client/kubelet_client.go (GetConnectionInfo), pkg/util/node/node.go (GetPreferredNodeAddress)
import { notFound, serviceUnavailable } from '../../machinery/errors.ts';
import type { Node } from '../../schema/types/core-v1.ts';
import type { Response } from '../../server/http/response.ts';
import type { Cluster } from '../../server/registry/cluster.ts';
import type { KubeObject } from '../../server/registry/definition.ts';

/** Passes a request on to the kubelet of a node. What can be said without one is said here. */
export async function throughKubelet(cluster: Cluster, nodeName: string): Promise<Response> {
  const node = await cluster.get<Node & KubeObject>('', 'nodes', '', nodeName);
  if (node === undefined) throw notFound({ group: '', resource: 'nodes' }, nodeName);
  if (!node.status.addresses?.length) throw new Error('no preferred addresses found; known addresses: []');
  throw serviceUnavailable('this server does not connect to kubelets yet');
}
