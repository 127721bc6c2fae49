// Upstream: k8s.io/kubernetes/pkg/registry/core/node/strategy.go#ResourceLocation, #isProxyableHostname, k8s.io/kubernetes/pkg/registry/core/node/rest/proxy.go
// Upstream: std/net#isDomainName
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { describeConnectionError } from '../../../base/https/connection-error.ts';
import { badRequest } from '../../../machinery/errors.ts';
import { forward } from '../../../server/proxy/forward.ts';
import type { Subresource } from '../../../server/registry/definition.ts';
import type { OutgoingConnections } from '../../common/kubelet.ts';
import { kubeletOf } from '../../common/kubelet.ts';
import { isProxyable, parseProxyTarget, proxiedPath, unprovenPeer } from '../../common/proxy-target.ts';
import type { NodeObject } from './validation.ts';

/** To the kubelet, or to whatever else listens on the node. */
export function proxy({ client, kubelets }: OutgoingConnections): Subresource<NodeObject> {
  return {
    proxies: true,
    async connect({ context, name: id, request }) {
      const { scheme, name, port } = parseProxyTarget('node', id);
      const { peer } = await kubeletOf(context.reader, name, kubelets);
      await requireProxyable(peer.host);
      const isKubelet = port === '' || port === String(peer.port);
      return forward(client, request, { peer: isKubelet ? peer : unprovenPeer(scheme, peer.host, port), path: proxiedPath(request) });
    },
  };
}

async function requireProxyable(host: string): Promise<void> {
  // No name server is asked for what cannot be a name.
  if (isIP(host) === 0 && !isDomainName(host)) throw badRequest(`lookup ${host}: no such host`);
  const addresses = await lookup(host, { all: true }).catch((error: Error) => {
    throw badRequest(describeConnectionError(error).replace('dial tcp: ', ''), { cause: error });
  });
  if (!addresses.every(({ address }) => isProxyable(address))) throw badRequest('address not allowed');
}

/** With the final dot. */
const longestName = 254;
const label = /^\w(?:[\w-]{0,61}\w)?$/;

function isDomainName(name: string): boolean {
  if (name === '.') return true;
  const labels = name.endsWith('.') ? name.slice(0, -1) : name;
  return labels.length < longestName && /[a-z_-]/i.test(labels) && labels.split('.').every((part) => label.test(part));
}
