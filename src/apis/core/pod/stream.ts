// Upstream: pkg/registry/core/pod/rest/subresources.go (AttachREST, ExecREST, PortForwardREST), pkg/registry/core/pod/strategy.go (streamLocation)
import { badRequest, forbidden } from '../../../machinery/errors.ts';
import { attributesOf } from '../../../server/filters/authorization.ts';
import { forwardUpgrade } from '../../../server/proxy/forward.ts';
import { isUpgrade } from '../../../server/proxy/passing.ts';
import type { Subresource } from '../../../server/registry/definition.ts';
import type { SubresourceCall } from '../../../server/registry/subresource.ts';
import type { Kubelet, Outside } from '../../common/kubelet.ts';
import { kubeletOf } from '../../common/kubelet.ts';
import { chooseContainer } from './container-choice.ts';
import { flag } from './log-options.ts';
import type { PodObject } from './pod-object.ts';

/** exec and attach: the streams of a process in a container. */
export function processStreams(outside: Outside, action: 'exec' | 'attach'): Subresource<PodObject> {
  return {
    async connect(call) {
      const { query } = call.request;
      await requireCreate(call);
      const pod = await call.parent();
      const container = chooseContainer(pod, query.get('container') ?? '');
      const { peer } = await kubeletFor(call, pod, outside);
      const asked = new URLSearchParams();
      if (action === 'exec') for (const word of query.getAll('command')) asked.append('command', word);
      for (const [name, parameter] of [
        ['stderr', 'error'],
        ['stdin', 'input'],
        ['stdout', 'output'],
        ['tty', 'tty'],
      ] as const)
        if (flag(query, name)) asked.set(parameter, '1');
      const target = targetOf([action, call.namespace, call.name, container], asked);
      if (!isUpgrade(call.request)) throw badRequest('Upgrade request required');
      return forwardUpgrade(outside.client, call.request, peer, target);
    },
  };
}

/** Connections to ports of a pod. */
export function portForward(outside: Outside): Subresource<PodObject> {
  return {
    async connect(call) {
      await requireCreate(call);
      const pod = await call.parent();
      const { peer } = await kubeletFor(call, pod, outside);
      const ports = call.request.query.getAll('ports').join(',');
      const target = targetOf(['portForward', call.namespace, call.name], new URLSearchParams(ports === '' ? {} : { port: ports }));
      if (!isUpgrade(call.request)) throw badRequest('Upgrade request required');
      return forwardUpgrade(outside.client, call.request, peer, target);
    },
  };
}

function kubeletFor({ context, name }: SubresourceCall, { spec }: PodObject, { kubelets }: Outside): Promise<Kubelet> {
  if (!spec.nodeName) throw badRequest(`pod ${name} does not have a host assigned`);
  return kubeletOf(context.cluster, spec.nodeName, kubelets);
}

function targetOf(path: readonly string[], query: URLSearchParams): string {
  return `/${path.join('/')}${query.size === 0 ? '' : `?${query}`}`;
}

/** Browsers begin a WebSocket with GET; that must not do what takes the right to create. */
async function requireCreate({ context, request, resource, name }: SubresourceCall): Promise<void> {
  if (!context.features.enabled('AuthorizePodWebsocketUpgradeCreatePermission')) return;
  const attributes = attributesOf(request);
  if (attributes.verb === 'create') return;
  const { decision, reason, error } = await context.authorizer.authorize({ ...attributes, verb: 'create' });
  if (error !== undefined && decision !== 'allow' && reason === '') throw new Error(error);
  if (decision !== 'allow') throw forbidden(resource.groupResource, name, reason);
}
