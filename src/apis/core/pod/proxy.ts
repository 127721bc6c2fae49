// Upstream: k8s.io/kubernetes/pkg/registry/core/pod/strategy.go#ResourceLocation, k8s.io/kubernetes/pkg/registry/core/pod/rest/subresources.go#ProxyREST
import { badRequest, notFound } from '../../../machinery/errors.ts';
import { forward } from '../../../server/proxy/forward.ts';
import type { Subresource } from '../../../server/registry/definition.ts';
import type { OutgoingConnections } from '../../common/kubelet.ts';
import { isProxyable, parseProxyTarget, proxiedPath, unprovenPeer } from '../../common/proxy-target.ts';
import type { PodObject } from './pod-object.ts';

export function proxy({ client }: OutgoingConnections): Subresource<PodObject> {
  return {
    proxies: true,
    async connect({ namespace, name, context, resource, request }) {
      const target = parseProxyTarget('pod', name);
      const pod = await context.reader.get<PodObject>('', 'pods', namespace, target.name);
      if (pod === undefined) throw notFound(resource.groupResource, target.name);
      const ip = pod.status.podIPs?.[0]?.ip ?? '';
      if (!isProxyable(ip)) throw badRequest('address not allowed');
      const port = target.port || (firstPort(pod)?.toString() ?? '');
      return forward(client, request, { peer: unprovenPeer(target.scheme, ip, port), path: proxiedPath(request) });
    },
  };
}

function firstPort({ spec }: PodObject): number | undefined {
  return (spec.containers ?? []).find(({ ports }) => ports?.length)?.ports?.[0]?.containerPort;
}
