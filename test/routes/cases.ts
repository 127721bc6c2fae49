// Every place where a resource could be asked for, right and wrong, with every method: what the replay asks as each user.
import type { ServedGroupVersion, ServedResource } from '../../src/schema/resources.ts';
import { servedGroupVersions } from '../../src/schema/resources.ts';

export interface Case {
  readonly method: string;
  /** as it goes over the wire */
  readonly path: string;
  /** one of many alike, of which users with few rights ask a part */
  readonly isCommon: boolean;
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const reads = ['GET', 'POST'] as const;
const writes: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Resources that the estate defines. */
const custom: ServedGroupVersion = {
  group: 'example.com',
  version: 'v1',
  servedByDefault: true,
  resources: [
    customResource('widgets', 'Widget', true, ['status', 'scale']),
    customResource('gadgets', 'Gadget', false, []),
    // Whatever the estate does not define is not served.
    customResource('ghosts', 'Ghost', true, []),
  ],
};

function customResource(name: string, kind: string, namespaced: boolean, subresources: readonly string[]): ServedResource {
  const verbs = ['get', 'patch', 'update'];
  return {
    name,
    singular: kind.toLowerCase(),
    kind,
    namespaced,
    verbs,
    subresources: subresources.map((sub) => ({ name: sub, kind, verbs })),
  };
}

export function allCases(): readonly Case[] {
  const cases: Case[] = [];
  let isCommon = true;
  const ask = (path: string, ...asked: readonly string[]): void => {
    for (const method of asked) cases.push({ method, path: writes.has(method) ? harmless(path) : path, isCommon });
  };
  for (const groupVersion of [...servedGroupVersions(), custom]) {
    for (const resource of groupVersion.resources) placesOf(groupVersion, resource, ask);
  }
  isCommon = false;
  for (const path of oddPaths) ask(path, ...methods, 'OPTIONS');
  for (const path of plainPaths) ask(path, ...methods);
  for (const path of largePages) ask(path, 'GET', 'DELETE');
  return cases;
}

/** Nothing that is written stays: what is asked later must not depend on it. */
function harmless(path: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}dryRun=All`;
}

type Ask = (path: string, ...methods: readonly string[]) => void;

function placesOf({ group, version, servedByDefault }: ServedGroupVersion, resource: ServedResource, ask: Ask): void {
  const { name: plural, namespaced, subresources = [] } = resource;
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const right = namespaced ? `namespaces/a/${plural}` : plural;
  const wrong = namespaced ? plural : `namespaces/a/${plural}`;
  if (!servedByDefault) return ask(`${root}/${right}/x`, 'GET', 'PATCH');
  for (const place of [right, wrong]) {
    ask(`${root}/${place}`, ...methods);
    ask(`${root}/${place}/x`, ...methods);
    ask(`${root}/${place}/x/bogus`, ...reads);
    ask(`${root}/watch/${place}`, ...reads);
    ask(`${root}/watch/${place}/x`, ...reads);
  }
  ask(`${root}/${right}?watch=1`, 'GET');
  ask(`${root}/${right}?fieldSelector=metadata.name%3Dx`, 'GET', 'DELETE');
  ask(`${root}/namespaces/b/${plural}/x`, 'GET', 'PATCH', 'DELETE');
  ask(`${root}/namespaces//${plural}`, ...reads);
  ask(`${root}/proxy/${right}/x`, 'GET');
  ask(`${root}/watch/${right}/x/status`, 'GET');
  ask(`${root}/${right}/`, ...reads);
  ask(`${root}/${right}//`, 'GET');
  ask(`${root}/${right}/x/`, 'GET', 'PUT');
  ask(`/${root}/${right}`, ...reads);
  ask(`${root}/${plural.toUpperCase()}`, 'GET');
  for (const { name } of subresources) {
    ask(`${root}/${right}/x/${name}`, ...methods, 'OPTIONS');
    ask(`${root}/${wrong}/x/${name}`, 'GET', 'PUT');
    ask(`${root}/${right}/x/${name}/more`, 'GET', 'PUT');
    ask(`${root}/${right}//${name}`, ...reads, 'PUT', 'DELETE');
  }
}

/** Places that no enumeration of resources comes to. */
const oddPaths: readonly string[] = [
  '/api/v1/namespaces/a',
  '/api/v1/namespaces/b',
  '/api/v1/namespaces/a/status',
  '/api/v1/namespaces/a/finalize',
  '/api/v1/namespaces/a/status/more',
  '/api/v1/namespaces/a/namespaces/b/status',
  '/api/v1/namespaces/a/namespaces/b/finalize',
  '/api/v1/namespaces/a/namespaces/a/namespaces/b',
  '/api/v1/watch/namespaces/a',
  '/api/v1/watch/namespaces/a/status',
  '/api/v1/namespaces/status',
  '/api/v1/namespaces/status/pods',
  '/api/v1/namespaces/a/configmaps/c',
  '/api/v1/namespaces/b/configmaps/c',
  '/api/v1/namespaces/a/pods/p',
  '/api/v1/namespaces/a/pods/p/log',
  '/api/v1/namespaces/a/pods/p/exec',
  '/api/v1/namespaces/a/pods/p/proxy',
  '/api/v1/namespaces/a/pods/p/proxy/',
  '/api/v1/namespaces/a/pods/p/proxy/a/b',
  '/api/v1/namespaces/a/pods/p/proxy/%2e%2e/%2e%2e/secrets/s',
  '/api/v1/namespaces/a/pods/p%2fproxy',
  '/api/v1/namespaces/a/pods/p/proxy%2fa',
  '/api/v1/namespaces/a/pods/p%2Fstatus',
  '/api/v1/namespaces/a/pods/..',
  '/api/v1/namespaces/a/pods/%2e%2e',
  '/api/v1/namespaces/a/../b/pods',
  '/api/v1/namespaces/a/%2e%2e/b/pods',
  '/api/v1/namespaces/a%2fpods',
  '/api/v1/namespaces/%61',
  '/api/v1/n%61mespaces/a',
  '/%61pi/v1/namespaces/a',
  '/api%2fv1/namespaces/a',
  '/api/v1/namespaces/a/pods;p',
  '/api/v1/namespaces/a/pods/p;x=y',
  '/api/v1/namespaces/a/pods/p+q',
  '/api/v1/namespaces/a/pods/%20',
  '/api/v1/namespaces/a/pods/%00',
  '/api/v1/namespaces/a/pods/%C3%A4',
  '/api/v1/namespaces/a/pods/%ff',
  '/api/v1/namespaces/./pods',
  '/api/v1/./pods',
  '/api/v1//pods',
  '/api//v1/pods',
  '/api/v1/pods//',
  '/api/v1/namespaces/a//pods',
  '/api/v1/namespaces/a/pods/p//status',
  '/api/v1/namespaces//',
  '/api/v1/namespaces//a',
  '/api/v1/namespaces//pods/p',
  '/api/v1/nodes/n1',
  '/api/v1/nodes/n2',
  '/api/v1/nodes/n1/status',
  '/api/v1/nodes/n1/proxy',
  '/api/v1/nodes/n1/proxy/metrics',
  '/api/v1/nodes/n1/proxy/%2e%2e/n2',
  '/api/v1/nodes//proxy',
  '/api/v1/nodes//status',
  '/api/v1/nodes/?fieldSelector=metadata.name%3Dn1',
  '/api/v1/nodes?fieldSelector=metadata.name%3Dn1',
  '/api/v1/watch/nodes?fieldSelector=metadata.name%3Dn1',
  '/api/v1/pods?fieldSelector=spec.nodeName%3Dn1',
  '/api/v1/pods?fieldSelector=spec.nodeName%3Dn2',
  '/api/v1/watch/pods?fieldSelector=spec.nodeName%3Dn1',
  '/api/v1/namespaces/a/secrets?fieldSelector=metadata.name%3Dmounted',
  '/api/v1/namespaces/a/secrets?fieldSelector=metadata.name%3Dmounted&limit=x',
  '/api/v1/namespaces/a/secrets?fieldSelector=metadata.name%3Dother',
  '/api/v1/namespaces/a/secrets?fieldSelector=metadata.name%3D%2Fmounted',
  '/api/v1/namespaces/a/secrets/mounted',
  '/api/v1/namespaces/a/secrets/other',
  '/api/v1/namespaces/b/secrets/mounted',
  '/api/v1/namespaces/a/serviceaccounts/default/token',
  '/api/v1/namespaces/kube-node-lease/leases/n1',
  '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/n1',
  '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/n2',
  '/apis/coordination.k8s.io/v1/namespaces/a/leases/n1',
  '/apis/storage.k8s.io/v1/csinodes/n1',
  '/apis/storage.k8s.io/v1/csinodes/n2',
  '/apis/resource.k8s.io/v1/resourceslices?fieldSelector=spec.nodeName%3Dn1',
  '/apis/apps/v1/namespaces/a',
  '/apis/apps/v1/namespaces',
  '/apis/apps/v1/pods',
  '/apis/apps/v2/deployments',
  '/apis/apps/v1/watch',
  '/api/v1/watch',
  '/api/v1/watch/',
  '/api/v1/proxy',
  '/api/v1/redirect/pods',
  '/apis/example.com/v1/namespaces/a/widgets/w',
  '/apis/example.com/v1/namespaces/a/widgets/w/status',
  '/apis/example.com/v1/namespaces/a/widgets/w/scale',
  '/apis/example.com/v1/namespaces/a/widgets/w/scale/more',
  '/apis/example.com/v1/namespaces/a/widgets/w//more',
  '/apis/example.com/v1/namespaces/b/widgets/w',
  '/apis/example.com/v1/namespaces/widgets/w',
  '/apis/example.com/v1/namespaces/a',
  '/apis/example.com/v1/gadgets/g',
  '/apis/example.com/v1/gadgets/g/status',
  '/apis/example.com/v1/namespaces/a/gadgets/g',
  '/apis/example.com/v2/namespaces/a/widgets',
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com',
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com/status',
  '/apis/apiregistration.k8s.io/v1/apiservices/v1.apps',
  '/apis/apiregistration.k8s.io/v1/apiservices/v1.apps/status',
  '/apis/rbac.authorization.k8s.io/v1/clusterroles/cluster-admin',
  '/apis/rbac.authorization.k8s.io/v1/namespaces/a/rolebindings/owner',
  '/apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical',
  '/apis//v1/pods',
  '/apis/apps//deployments',
  '/api/v2/pods',
  '/API/v1/pods',
  '/api/V1/pods',
];

const largePages: readonly string[] = ['/metrics', '/openapi/v2', '/openapi/v3', '/openapi/v3/api/v1'];

const plainPaths: readonly string[] = [
  '/',
  '//',
  '/api',
  '/api/',
  '/api/v1',
  '/api/v1/',
  '/api/v2',
  '/apis',
  '/apis/',
  '/apis/apps',
  '/apis/apps/',
  '/apis/apps/v1',
  '/apis/apps/v1/',
  '/apis/apps/v9',
  '/apis/example.com',
  '/apis/example.com/v1',
  '/apis/example.com/v1/',
  '/apis/example.com/v2',
  '/apis/nowhere',
  '/apis/nowhere/v1',
  '/apis/nowhere/v1/x',
  '//api',
  '//apis/apps/v1',
  '/version',
  '/version/',
  '/healthz',
  '/healthz/',
  '/healthz/ping',
  '/healthz/nothing',
  '/livez',
  '/livez/ping',
  '/readyz',
  '/readyz/ping',
  '/metrics/',
  '/metrics/slis',
  '/openapi/v3/',
  '/openapi/v3/apis/nowhere/v1',
  '/openid/v1/jwks',
  '/.well-known/openid-configuration',
  '/debug/pprof',
  '/debug/flags',
  '/debug/nothing',
  '/flagz',
  '/statusz',
  '/swagger.json',
  '/swaggerapi',
  '/index.html',
  '/nothing',
  '/%2e%2e/api/v1/pods',
  '/healthz/../api/v1/pods',
  '/healthz/%2e%2e/metrics',
  '/version%2f',
  '/versio%6e',
  '/apis/%61pps/v1',
];
