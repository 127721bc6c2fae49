// Upstream: k8s.io/kubernetes/pkg/registry/core/pod/rest/subresources.go#AttachREST, #ExecREST, #PortForwardREST
// Upstream: k8s.io/kubernetes/pkg/registry/core/pod/strategy.go#streamLocation
import type { MetricsRegistry } from '../../../base/metrics.ts';
import { badRequest, forbidden } from '../../../machinery/errors.ts';
import { serverResponseError } from '../../../machinery/server-response-error.ts';
import { attributesOf } from '../../../server/request/attributes.ts';
import type { Request } from '../../../server/http/request.ts';
import { forwardUpgrade } from '../../../server/proxy/forward.ts';
import { isUpgrade } from '../../../server/proxy/passing.ts';
import type { Subresource } from '../../../server/registry/definition.ts';
import type { SubresourceCall } from '../../../server/registry/subresource.ts';
import type { Kubelet, OutgoingConnections } from '../../common/kubelet.ts';
import { kubeletOf } from '../../common/kubelet.ts';
import { chooseContainer } from './container-choice.ts';
import { flag } from './log-options.ts';
import type { PodObject } from './pod-object.ts';
import { tunnel, wantsTunnel } from './port-forward-tunnel.ts';
import type { PodStreamFamilies } from './stream-metrics.ts';
import { podStreamFamilies } from './stream-metrics.ts';
import { translate, wantsTranslation } from './stream-translator.ts';

const webSocketFeature = 'ExtendWebSocketsToKubelet';

/** exec and attach: the streams of a process in a container. */
export function processStreams(
  outgoing: OutgoingConnections,
  action: 'exec' | 'attach',
  registry: MetricsRegistry,
): Subresource<PodObject> {
  const metrics = podStreamFamilies(registry);
  return {
    async connect(call) {
      const { request, context } = call;
      const { query } = request;
      requireUpgradeable(request);
      await requireCreate(call);
      const pod = await call.parent();
      const container = chooseContainer(pod, query.get('container') ?? '');
      const kubelet = await kubeletFor(call, pod, outgoing);
      const [stdin, stdout, stderr, tty] = [flag(query, 'stdin'), flag(query, 'stdout'), flag(query, 'stderr'), flag(query, 'tty')];
      const asked = new URLSearchParams(action === 'exec' ? query.getAll('command').map((word) => ['command', word]) : []);
      for (const [name, wanted] of Object.entries({ error: stderr, input: stdin, output: stdout, tty })) if (wanted) asked.set(name, '1');
      const target = targetOf([action, call.namespace, call.name, container], asked);
      const isEnabled = context.features.enabled('TranslateStreamCloseWebsocketRequests');
      const translates = isEnabled && !speaksWebSocket(call, kubelet);
      if (isEnabled) count(metrics, action, translates);
      if (translates && wantsTranslation(request))
        return translate(outgoing.client, request, { peer: kubelet.peer, target, stdin, stdout, stderr, tty }, (code) =>
          metrics.translated.with(String(code)).inc(),
        );
      if (!isUpgrade(request)) throw badRequest('Upgrade request required');
      return forwardUpgrade(outgoing.client, request, kubelet.peer, target);
    },
  };
}

/** Connections to ports of a pod. */
export function portForward(outgoing: OutgoingConnections, registry: MetricsRegistry): Subresource<PodObject> {
  const metrics = podStreamFamilies(registry);
  const began = (code: number): void => metrics.tunneled.with(String(code)).inc();
  return {
    async connect(call) {
      const { request, context } = call;
      requireUpgradeable(request);
      await requireCreate(call);
      const pod = await call.parent();
      const kubelet = await kubeletFor(call, pod, outgoing);
      const ports = request.query.getAll('ports').join(',');
      const target = targetOf(['portForward', call.namespace, call.name], new URLSearchParams(ports === '' ? {} : { port: ports }));
      const isEnabled = context.features.enabled('PortForwardWebsockets');
      const tunnels = isEnabled && !speaksWebSocket(call, kubelet);
      if (isEnabled) count(metrics, 'portforward', tunnels);
      if (tunnels && wantsTunnel(request)) return tunnel(outgoing.client, request, { peer: kubelet.peer, target, began });
      if (!isUpgrade(request)) throw badRequest('Upgrade request required');
      return forwardUpgrade(outgoing.client, request, kubelet.peer, target);
    },
  };
}

/** A quirk kept: requests for other protocols than WebSocket count, too. */
function count({ requests }: PodStreamFamilies, subresource: string, translates: boolean): void {
  requests.with(subresource, translates ? 'translated_at_apiserver' : 'proxied_to_kubelet').inc();
}

function kubeletFor({ context, name }: SubresourceCall, { spec }: PodObject, { kubelets }: OutgoingConnections): Promise<Kubelet> {
  if (!spec.nodeName) throw badRequest(`pod ${name} does not have a host assigned`);
  return kubeletOf(context.reader, spec.nodeName, kubelets);
}

/** Then this server has nothing to translate. */
function speaksWebSocket({ context }: SubresourceCall, { features }: Kubelet): boolean {
  return context.features.enabled(webSocketFeature) && features.includes(webSocketFeature);
}

function targetOf(path: readonly string[], query: URLSearchParams): string {
  return `/${path.join('/')}${query.size === 0 ? '' : `?${query}`}`;
}

function requireUpgradeable({ method }: Request): void {
  if (method !== 'GET' && method !== 'POST') throw serverResponseError({ code: 405 });
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
