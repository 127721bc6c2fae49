// Upstream: pkg/registry/core/pod/rest/{log,subresources}.go, pkg/registry/core/pod/strategy.go (LogLocation, streamLocation, ResourceLocation)
// Ways into a running pod. What can be said without a kubelet is said here.
import { badRequest, invalid, methodNotSupported, notFound, serviceUnavailable } from '../../../machinery/errors.ts';
import { FieldPath, forbidden, invalid as invalidField } from '../../../machinery/field.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { asInt64 } from '../../../machinery/go-number.ts';
import { goQuote } from '../../../machinery/go-format.ts';
import { parseIp } from '../../../machinery/ip.ts';
import type { Subresource } from '../../../server/registry/definition.ts';
import { throughKubelet } from '../../common/kubelet.ts';
import { allContainers } from '../../common/pod-spec/containers.ts';
import { parseProxyTarget } from '../../common/proxy-target.ts';
import type { PodObject } from './pod-object.ts';

export const log: Subresource<PodObject> = {
  async connect(call) {
    const { request, name, resource } = call;
    if (request.method !== 'GET') throw methodNotSupported(resource.groupResource, request.method);
    const errors = validateLogOptions(request.query);
    if (errors.length > 0) throw invalid({ group: '', kind: 'PodLogOptions' }, name, errors);
    const pod = await call.parent();
    checkContainer(pod, request.query.get('container') ?? '');
    if (!pod.spec.nodeName) return { status: 204, headers: {} };
    return throughKubelet(call.context.cluster, pod.spec.nodeName);
  },
};

/** exec, attach, portforward: streams to a container, or to the pod. */
export function stream(toContainer: boolean): Subresource<PodObject> {
  return {
    async connect(call) {
      const pod = await call.parent();
      if (toContainer) checkContainer(pod, call.request.query.get('container') ?? '');
      if (!pod.spec.nodeName) throw badRequest(`pod ${call.name} does not have a host assigned`);
      return throughKubelet(call.context.cluster, pod.spec.nodeName);
    },
  };
}

export const proxy: Subresource<PodObject> = {
  async connect({ namespace, name, context, resource }) {
    const { name: podName } = parseProxyTarget('pod', name);
    const pod = await context.cluster.get<PodObject>('', 'pods', namespace, podName);
    if (pod === undefined) throw notFound(resource.groupResource, podName);
    if (parseIp(pod.status.podIPs?.[0]?.ip ?? '') === undefined) throw badRequest('address not allowed');
    throw serviceUnavailable('this server does not proxy to pods yet');
  },
};

/** The only container needs no name. */
function checkContainer({ metadata, spec }: PodObject, container: string): void {
  const name = metadata.name ?? '';
  const names = [...allContainers(spec)].map((each) => each.name);
  if (container !== '') {
    if (!names.includes(container)) throw badRequest(`container ${container} is not valid for pod ${name}`);
  } else if ((spec.containers ?? []).length !== 1) {
    const choices = names.length === 0 ? '' : `, choose one of: [${names.join(' ')}]`;
    throw badRequest(`a container name must be specified for pod ${name}${choices}`);
  }
}

function validateLogOptions(query: URLSearchParams): FieldError[] {
  const errors: FieldError[] = [];
  const [tailLines, limitBytes, sinceSeconds] = ['tailLines', 'limitBytes', 'sinceSeconds'].map((name) => numberOf(query, name));
  if (tailLines !== undefined && tailLines < 0) {
    errors.push(invalidField(FieldPath.root('tailLines'), tailLines, 'must be greater than or equal to 0'));
  }
  if (limitBytes !== undefined && limitBytes < 1)
    errors.push(invalidField(FieldPath.root('limitBytes'), limitBytes, 'must be greater than 0'));
  if (sinceSeconds !== undefined && query.has('sinceTime')) {
    errors.push(forbidden(FieldPath.root(''), 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  } else if (sinceSeconds !== undefined && sinceSeconds < 1) {
    errors.push(invalidField(FieldPath.root('sinceSeconds'), sinceSeconds, 'must be greater than 0'));
  }
  if (query.has('stream')) errors.push(forbidden(FieldPath.root('stream'), 'may not be specified'));
  return errors;
}

function numberOf(query: URLSearchParams, name: string): bigint | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const value = asInt64(text);
  if (value === undefined) throw badRequest(`strconv.ParseInt: parsing ${goQuote(text)}: invalid syntax`);
  return value;
}
