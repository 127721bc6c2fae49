// Upstream: k8s.io/apiserver/pkg/endpoints/metrics/metrics.go#CleanVerb, #CleanScope, #MonitorRequest
import type { Request } from '../http/request.ts';
import type { RequestInfo } from '../request/request-info.ts';

/** What a request is counted under. */
export interface RequestLabels {
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly scope: string;
}

export function labelsOf(request: Request, info: RequestInfo): RequestLabels {
  const { group, version, resource, subresource } = info;
  return { verb: verbOf(request, info), group, version, resource, subresource, scope: scopeOf(info) };
}

const verbs: ReadonlyMap<string, string> = new Map([
  ['create', 'POST'],
  ['update', 'PUT'],
  ['patch', 'PATCH'],
  ['delete', 'DELETE'],
  ['deletecollection', 'DELETE'],
  ['get', 'GET'],
  ['list', 'LIST'],
  ['watch', 'WATCH'],
]);
const methods: ReadonlyMap<string, string> = new Map([
  ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'CONNECT'].map((method) => [method, method] as const),
  ['HEAD', 'GET'],
]);
const connects: ReadonlySet<string> = new Set(['log', 'exec', 'portforward', 'attach', 'proxy']);

/** As metrics and logs name what a request does. */
export function verbOf(request: Request, { isResource, verb, subresource }: RequestInfo): string {
  if (!isResource) return methods.get(request.method) ?? 'other';
  if (connects.has(subresource)) return 'CONNECT';
  if (verb === 'patch' && request.header('content-type') === 'application/apply-patch+yaml') return 'APPLY';
  return verbs.get(verb) ?? 'other';
}

/** A name in a selector does not count: the list is served by the route of all. */
function scopeOf({ parts, verb, inNamespace, isResource }: RequestInfo): string {
  if (parts.length > 1 || verb === 'create') return 'resource';
  if (inNamespace) return 'namespace';
  return isResource ? 'cluster' : '';
}

/** Not what a client made up: a value that is no dry run is `invalid`. */
export function dryRunOf(request: Request): string {
  if (!request.rawQuery.includes('dryRun')) return '';
  const values = request.query.getAll('dryRun');
  if (values.length === 0) return '';
  return values.every((value) => value === 'All') ? 'All' : 'invalid';
}

const fieldValidations: ReadonlySet<string> = new Set(['', 'Ignore', 'Warn', 'Strict']);

export function fieldValidationOf(request: Request): string {
  const values = request.query.getAll('fieldValidation');
  const [value = ''] = values;
  return values.length === 1 && fieldValidations.has(value) ? value : 'invalid';
}

type PlainLabels = RequestLabels & { readonly component: string };

const none: Omit<PlainLabels, 'verb'> = { group: '', version: '', resource: '', subresource: '', scope: '', component: '' };
/** A quirk kept: of the paths that are no resources upstream counts these, most of them for no component. */
const plainPaths: ReadonlyMap<string, Omit<PlainLabels, 'verb'>> = new Map<string, Omit<PlainLabels, 'verb'>>([
  ...['/healthz', '/livez', '/readyz'].map((path) => [path, { ...none, subresource: path }] as const),
  ['/openapi/v3', { ...none, subresource: 'openapi/v3' }],
  ['/statusz', { ...none, resource: 'statusz', component: 'apiserver' }],
  ['/flagz', { ...none, resource: 'flagz', component: 'apiserver' }],
]);
const openApiDocument = { ...none, subresource: 'openapi/v3/' };
const discovery: ReadonlySet<string> = new Set(['/api', '/apis']);

/** undefined: requests to this path are not counted */
export function plainLabels(request: Request): PlainLabels | undefined {
  const { path } = request;
  const labels = plainPaths.get(path) ?? (path.startsWith('/openapi/v3/') ? openApiDocument : discoveryLabels(request));
  return labels && { ...labels, verb: methods.get(request.method) ?? 'other' };
}

/** Aggregated discovery is counted, the older form is not. */
function discoveryLabels(request: Request): Omit<PlainLabels, 'verb'> | undefined {
  if (!discovery.has(request.path) || request.header('accept')?.includes('as=APIGroupDiscoveryList') !== true) return undefined;
  return { ...none, subresource: request.path, component: 'apiserver' };
}
