// Upstream: k8s.io/kube-aggregator/pkg/apiserver/handler_discovery.go#fetchFreshDiscoveryForService
import { stepByStep } from '../base/steps.ts';
import { parsingJson } from '../machinery/codec/json/parse-in-steps.ts';
import type { APIGroupDiscoveryList, APIResourceDiscovery } from '../schema/types/apidiscovery-v2.ts';
import { privilegedGroup } from '../server/request/user.ts';
import type { DiscoveredResource } from '../server/discovery/group-version.ts';
import type { RemoteService } from './remote-service.ts';
import { pathOf } from './remote-service.ts';
import type { ReadAnswer } from './service-reader.ts';
import { read } from './service-reader.ts';
import type { ServiceTransport } from './service-transport.ts';

const timeoutMs = 5000;
const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const name = 'system:kube-aggregator';
const privileged = { name, uid: '', groups: [privilegedGroup], extra: {} };
const plain = { name, uid: '', groups: [], extra: {} };

interface ApiResource extends Omit<DiscoveredResource, 'singular'> {
  readonly singularName?: string;
}

/** What a server serves of a group version. */
export interface RemoteDiscovery {
  readonly resources: readonly DiscoveredResource[];
  /** in its own words, where it knows the aggregated form */
  readonly described?: readonly APIResourceDiscovery[];
}

/** What a server says it serves of a group version: nothing, when it does not know the group version. */
export async function readDiscovery(transport: ServiceTransport, service: RemoteService, signal: AbortSignal): Promise<RemoteDiscovery> {
  const answer = await read(transport, service, { target: '/apis', user: privileged, accept: aggregated, timeoutMs, signal });
  if (answer.status === 503) {
    throw new Error(`service ${service.namespace}/${service.name}:${service.port} returned non-success response code: 503`);
  }
  if (answer.status === 200 && isAggregated(answer)) {
    const list = (await stepByStep(parsingJson(answer.body.toString()))) as APIGroupDiscoveryList;
    return { resources: resourcesOf(list, service), described: describedResources(list, service) };
  }
  return { resources: await readOldDiscovery(transport, service, signal) };
}

function isAggregated({ headers: { 'content-type': type = '' } }: ReadAnswer): boolean {
  const parameters = new Set(type.split(';').map((part) => part.trim()));
  return parameters.has('g=apidiscovery.k8s.io') && parameters.has('v=v2') && parameters.has('as=APIGroupDiscoveryList');
}

type Wanted = Pick<RemoteService, 'group' | 'version'>;

function found({ items }: APIGroupDiscoveryList, { group, version }: Wanted): readonly APIResourceDiscovery[] {
  const ofGroup = items?.find(({ metadata }) => (metadata?.name ?? '') === group);
  return ofGroup?.versions?.find((one) => one.version === version)?.resources ?? [];
}

/** As the server has them; kinds that it does not state say nothing, for old clients that expect one. */
export function describedResources(list: APIGroupDiscoveryList, wanted: Wanted): readonly APIResourceDiscovery[] {
  const responseKind = (stated: ResponseKind): NonNullable<ResponseKind> => stated ?? { group: '', version: '', kind: '' };
  return found(list, wanted).map((resource) => ({
    ...resource,
    responseKind: responseKind(resource.responseKind),
    ...(resource.subresources && {
      subresources: resource.subresources.map((subresource) => ({ ...subresource, responseKind: responseKind(subresource.responseKind) })),
    }),
  }));
}

export function resourcesOf(list: APIGroupDiscoveryList, wanted: Wanted): DiscoveredResource[] {
  return found(list, wanted).flatMap((resource): DiscoveredResource[] => {
    const own = resourceOf(resource);
    const below = (resource.subresources ?? []).map((subresource) => ({
      name: `${resource.resource}/${subresource.subresource}`,
      singular: '',
      namespaced: own.namespaced,
      verbs: subresource.verbs ?? [],
      ...kindOf(subresource.responseKind),
    }));
    return [own, ...below];
  });
}

function resourceOf({
  resource,
  scope,
  singularResource,
  verbs,
  shortNames,
  categories,
  responseKind,
}: APIResourceDiscovery): DiscoveredResource {
  return {
    name: resource ?? '',
    singular: singularResource ?? '',
    namespaced: scope === 'Namespaced',
    verbs: verbs ?? [],
    ...kindOf(responseKind),
    ...(shortNames && { shortNames }),
    ...(categories && { categories }),
  };
}

type ResponseKind = APIResourceDiscovery['responseKind'];

function kindOf(responseKind: ResponseKind): Pick<DiscoveredResource, 'group' | 'version' | 'kind'> {
  const { group = '', version = '', kind = '' } = responseKind ?? {};
  return { group, version, kind };
}

/** The way of servers that do not know the aggregated form. */
async function readOldDiscovery(transport: ServiceTransport, service: RemoteService, signal: AbortSignal): Promise<DiscoveredResource[]> {
  const target = pathOf(service);
  const { status, body } = await read(transport, service, { target, user: plain, accept: 'application/json', timeoutMs, signal });
  if (status !== 200) throw new Error(`failed to download legacy discovery for ${target}: ${status} ${body.toString()}`);
  const { resources = [] } = (await stepByStep(parsingJson(body.toString()))) as { resources?: readonly ApiResource[] };
  return resources.map(({ singularName = '', ...resource }) => ({ ...resource, singular: singularName }));
}
