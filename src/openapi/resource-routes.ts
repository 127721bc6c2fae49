// Upstream: k8s.io/apiserver/pkg/endpoints/installer.go#registerResourceHandlers
import type { GroupVersion, GroupVersionKind } from '../machinery/type-model.ts';
import { optionParameters } from './option-parameters.ts';
import type { MediaRange, Method, Parameter, Route, RouteResponse } from './route.ts';

/** A resource of which documents tell, built-in or custom. */
export interface DescribedResource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources?: readonly DescribedSubresource[];
}

export interface DescribedSubresource {
  readonly name: string;
  readonly kind: string;
  /** of the kind, where it is not that of the resource */
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
}

export interface RouteContext extends GroupVersion {
  readonly media: MediaRange;
  /** names of types: of a kind, and of the list of a kind */
  typeName(kind: GroupVersionKind): string;
  listTypeName(kind: GroupVersionKind): string;
  readonly cbor: boolean;
}

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
export const prettyParameter: Parameter = {
  name: 'pretty',
  in: 'query',
  type: 'string',
  description:
    "If 'true', then the output is pretty printed. Defaults to 'false' unless the user-agent indicates a browser or command-line HTTP tool (curl and wget).",
};
export const namespaceParameter: Parameter = {
  name: 'namespace',
  in: 'path',
  type: 'string',
  description: 'object name and auth scope, such as for teams and projects',
};
const subpath: Parameter = { name: 'path', in: 'path', type: 'string', description: 'path to the resource' };

/** Deleting one of these returns the object itself. */
const deleteAnswersWithObject: Readonly<Record<string, ReadonlySet<string>>> = {
  '': new Set(['persistentvolumeclaims', 'persistentvolumes', 'pods', 'podtemplates', 'resourcequotas', 'serviceaccounts', 'services']),
  'resource.k8s.io': new Set([
    'deviceclasses',
    'devicetaintrules',
    'resourceclaims',
    'resourceclaimtemplates',
    'resourcepoolstatusrequests',
    'resourceslices',
  ]),
  'storage.k8s.io': new Set(['csidrivers', 'csinodes', 'storageclasses', 'volumeattachments', 'volumeattributesclasses']),
};

/** Younger than the habit. */
const deleteAnswersWithStatus: ReadonlySet<string> = new Set(['resource.k8s.io/v1/devicetaintrules']);

const patchTypes = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
];

/** Where the operations of a resource or of a subresource stand, and what they speak of. */
interface Subject {
  readonly context: RouteContext;
  readonly resource: DescribedResource;
  readonly subresource: DescribedSubresource | undefined;
  /** the kind that is read and written */
  readonly kind: GroupVersionKind;
  readonly type: string;
  readonly verbs: ReadonlySet<string>;
  readonly root: string;
  /** `Namespaced` or nothing */
  readonly scope: string;
  readonly scopeParameters: readonly Parameter[];
  readonly itemPath: string;
  readonly nameParameters: readonly Parameter[];
}

export function resourceRoutes(resource: DescribedResource, context: RouteContext): Route[] {
  return [undefined, ...(resource.subresources ?? [])].flatMap((subresource) => routesOf(subjectOf(resource, subresource, context)));
}

function subjectOf(resource: DescribedResource, subresource: DescribedSubresource | undefined, context: RouteContext): Subject {
  const root = context.group === '' ? `/api/${context.version}` : `/apis/${context.group}/${context.version}`;
  const { group = context.group, version = context.version, kind } = { ...resource, ...subresource };
  const gvk = { group, version, kind };
  const scopeParameters = resource.namespaced ? [namespaceParameter] : [];
  return {
    context,
    resource,
    subresource,
    kind: gvk,
    type: connects(subresource) ? '' : context.typeName(gvk),
    verbs: new Set((subresource ?? resource).verbs),
    root,
    scope: resource.namespaced ? 'Namespaced' : '',
    scopeParameters,
    itemPath: `${resource.namespaced ? 'namespaces/{namespace}/' : ''}${resource.name}/{name}${subresource === undefined ? '' : `/${subresource.name}`}`,
    nameParameters: [...scopeParameters, { name: 'name', in: 'path', type: 'string', description: `name of the ${kind}` }],
  };
}

/** Proxies and streams take options instead of an object. */
function connects(subresource: DescribedSubresource | undefined): boolean {
  return subresource?.kind.endsWith('Options') === true;
}

function routesOf(subject: Subject): Route[] {
  const { subresource, resource, verbs } = subject;
  if (connects(subresource)) return connectRoutes(subject);
  const routes: Route[] = [];
  const collection = subresource === undefined ? subject.itemPath.replace('/{name}', '') : subject.itemPath;
  const collectionParameters = subresource === undefined ? subject.scopeParameters : subject.nameParameters;
  if (verbs.has('list')) routes.push(list(subject, collection, collectionParameters, subject.scope, ''));
  if (verbs.has('create')) routes.push(create(subject, collection, collectionParameters));
  if (verbs.has('deletecollection')) routes.push(deleteCollection(subject, collection, collectionParameters));
  if (verbs.has('watch')) routes.push(watch(subject, `watch/${collection}`, collectionParameters, subject.scope, 'List', 'watchlist'));
  if (verbs.has('get')) routes.push(read(subject));
  if (verbs.has('update')) routes.push(replace(subject));
  if (verbs.has('patch')) routes.push(patch(subject));
  if (verbs.has('delete')) routes.push(remove(subject));
  if (verbs.has('watch')) routes.push(watch(subject, `watch/${subject.itemPath}`, subject.nameParameters, subject.scope, '', 'watch'));
  if (subresource !== undefined || !resource.namespaced) return routes;
  if (verbs.has('list')) routes.push(list(subject, resource.name, [], '', 'ForAllNamespaces'));
  if (verbs.has('watch')) routes.push(watch(subject, `watch/${resource.name}`, [], '', 'ListForAllNamespaces', 'watchlist'));
  return routes;
}

type Facts = Pick<Route, 'method' | 'operation' | 'description' | 'action' | 'parameters' | 'responses'> &
  Partial<Pick<Route, 'consumes' | 'produces' | 'reads'>>;

function route({ root, kind, context }: Subject, path: string, facts: Facts): Route {
  return {
    path: `${root}/${path}`,
    kind,
    consumes: ['*/*'],
    produces: context.media.plain,
    ...facts,
    parameters: [...facts.parameters].sort(byName),
  };
}

function byName(a: Parameter, b: Parameter): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : a.in < b.in ? -1 : 1;
}

function list(subject: Subject, path: string, place: readonly Parameter[], scope: string, suffix: string): Route {
  const { resource, context } = subject;
  const what = subject.verbs.has('watch') ? 'list or watch' : 'list';
  return route(subject, path, {
    method: 'get',
    operation: `list${scope}${resource.kind}${suffix}`,
    description: `${what} objects of kind ${resource.kind}`,
    action: 'list',
    parameters: [...place, prettyParameter, ...optionParameters('ListOptions')],
    produces: context.media.streamed,
    responses: [ok(context.listTypeName(subject.kind))],
  });
}

function create(subject: Subject, path: string, place: readonly Parameter[]): Route {
  const article = articleFor(subject.resource.kind);
  return route(subject, path, {
    method: 'post',
    operation: `create${named(subject)}`,
    description:
      subject.subresource === undefined
        ? `create${article}${subject.resource.kind}`
        : `create ${subject.subresource.name} of${article}${subject.resource.kind}`,
    action: 'post',
    parameters: [...place, prettyParameter, ...optionParameters('CreateOptions')],
    reads: { type: subject.type, required: true },
    responses: [ok(subject.type), created(subject.type), accepted(subject.type)],
  });
}

function deleteCollection(subject: Subject, path: string, place: readonly Parameter[]): Route {
  const listOptions = optionParameters('ListOptions').filter(({ name }) => name !== 'watch' && name !== 'allowWatchBookmarks');
  return route(subject, path, {
    method: 'delete',
    operation: `deletecollection${named(subject)}`,
    description: `delete collection of ${subject.resource.kind}`,
    action: 'deletecollection',
    parameters: [...place, prettyParameter, ...optionParameters('DeleteOptions'), ...listOptions],
    reads: { type: `${meta}.DeleteOptions`, required: false },
    responses: [ok(`${meta}.Status`)],
  });
}

function read(subject: Subject): Route {
  const log = subject.subresource?.name === 'log';
  return route(subject, subject.itemPath, {
    method: 'get',
    operation: `read${named(subject)}`,
    description: describe(subject, 'read'),
    action: 'get',
    parameters: [...subject.nameParameters, prettyParameter, ...(log ? optionParameters('PodLogOptions') : [])],
    ...(log && { produces: ['text/plain', ...subject.context.media.plain] }),
    responses: [ok(log ? undefined : subject.type)],
  });
}

function replace(subject: Subject): Route {
  return route(subject, subject.itemPath, {
    method: 'put',
    operation: `replace${named(subject)}`,
    description: describe(subject, 'replace'),
    action: 'put',
    parameters: [...subject.nameParameters, prettyParameter, ...optionParameters('UpdateOptions')],
    reads: { type: subject.type, required: true },
    responses: [ok(subject.type), created(subject.type)],
  });
}

function patch(subject: Subject): Route {
  return route(subject, subject.itemPath, {
    method: 'patch',
    operation: `patch${named(subject)}`,
    description: describe(subject, 'partially update'),
    action: 'patch',
    parameters: [...subject.nameParameters, prettyParameter, ...optionParameters('PatchOptions')],
    consumes: subject.context.cbor ? [...patchTypes, 'application/apply-patch+cbor'] : patchTypes,
    reads: { type: `${meta}.Patch`, required: true },
    responses: [ok(subject.type), created(subject.type)],
  });
}

function remove(subject: Subject): Route {
  const { group, version } = subject.context;
  const { name } = subject.resource;
  const withObject = deleteAnswersWithObject[group]?.has(name) === true && !deleteAnswersWithStatus.has(`${group}/${version}/${name}`);
  const answer = withObject ? subject.type : `${meta}.Status`;
  return route(subject, subject.itemPath, {
    method: 'delete',
    operation: `delete${named(subject)}`,
    description: `delete${articleFor(subject.resource.kind)}${subject.resource.kind}`,
    action: 'delete',
    parameters: [...subject.nameParameters, prettyParameter, ...optionParameters('DeleteOptions')],
    reads: { type: `${meta}.DeleteOptions`, required: false },
    responses: [ok(answer), accepted(answer)],
  });
}

function watch(subject: Subject, path: string, place: readonly Parameter[], scope: string, suffix: string, action: string): Route {
  const { kind } = subject.resource;
  return route(subject, path, {
    method: 'get',
    operation: `watch${scope}${kind}${suffix}`,
    description:
      action === 'watch'
        ? `watch changes to an object of kind ${kind}. ${instead}, filtered to a single item with the 'fieldSelector' parameter.`
        : `watch individual changes to a list of ${kind}. ${instead}.`,
    action,
    parameters: [...place, prettyParameter, ...optionParameters('ListOptions')],
    produces: subject.context.media.streamed,
    responses: [ok(`${meta}.WatchEvent`)],
  });
}

const instead = "deprecated: use the 'watch' parameter with a list operation instead";

const methodOfVerb: Readonly<Record<string, Method>> = { create: 'post', get: 'get', delete: 'delete', patch: 'patch', update: 'put' };

function connectRoutes(subject: Subject): Route[] {
  const { resource, scope, nameParameters, itemPath } = subject;
  const subresource = subject.subresource as DescribedSubresource;
  const proxies = subject.verbs.has('update');
  const connected = [...subject.verbs].map((verb) => methodOfVerb[verb] as Method);
  // A proxy passes on every method, also those that are no verb.
  if (proxies) connected.push('head', 'options');
  const parameters = [...nameParameters, ...optionParameters(subresource.kind)];
  return connected.flatMap((method) => {
    const facts: Facts = {
      method,
      operation: `connect${capital(method)}${scope}${resource.kind}${capital(subresource.name)}`,
      description: `connect ${method.toUpperCase()} requests to ${subresource.name} of ${resource.kind}`,
      action: 'connect',
      parameters,
      produces: ['*/*'],
      responses: [ok(undefined)],
    };
    if (!proxies) return [route(subject, itemPath, facts)];
    const withPath = { ...facts, operation: `${facts.operation}WithPath`, parameters: [...parameters, subpath] };
    return [route(subject, itemPath, facts), route(subject, `${itemPath}/{path}`, withPath)];
  });
}

function named({ scope, resource, subresource }: Subject): string {
  return `${scope}${resource.kind}${subresource === undefined ? '' : capital(subresource.name)}`;
}

function describe({ subresource, resource }: Subject, verb: string): string {
  return subresource === undefined
    ? `${verb} the specified ${resource.kind}`
    : `${verb} ${subresource.name} of the specified ${resource.kind}`;
}

/** Plurals have none. */
function articleFor(noun: string): string {
  if (noun.endsWith('s') && !noun.endsWith('ss')) return ' ';
  return /^[aeiou]/i.test(noun) ? ' an ' : ' a ';
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function ok(type: string | undefined): RouteResponse {
  return { code: 200, description: 'OK', type };
}

function created(type: string): RouteResponse {
  return { code: 201, description: 'Created', type };
}

function accepted(type: string): RouteResponse {
  return { code: 202, description: 'Accepted', type };
}
