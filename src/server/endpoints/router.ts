// Upstream: k8s.io/apiserver/pkg/endpoints/installer.go
import { once } from '../../base/once.ts';
import { badRequest } from '../../machinery/errors.ts';
import { serverResponseError } from '../../machinery/server-response-error.ts';
import type { Endpoint, HandlerContext } from './endpoint.ts';
import { create } from './create.ts';
import { removeCollection } from './delete-collection.ts';
import { remove } from './delete.ts';
import { get } from './get.ts';
import { InFlight } from './in-flight.ts';
import { list } from './list.ts';
import { patchType } from './patch-mechanism.ts';
import { patch } from './patch.ts';
import { subresource } from './subresource.ts';
import { update } from './update.ts';
import type { VirtualEndpoint } from './virtual.ts';
import { inVerbSpan } from './verb-span.ts';
import { virtualResource } from './virtual.ts';
import { watch } from './watch.ts';
import { warnDeprecated } from './deprecation.ts';
import { requireProduced } from '../http/produced.ts';
import type { AuthenticatedRequest } from '../request/stages.ts';
import type { Handler, Response } from '../http/response.ts';
import type { AdmittedResource } from '../admission/admission.ts';
import type { VirtualRegistration } from '../registry/built-in.ts';
import type { Verb } from '../registry/definition.ts';
import type { VersionedKind } from '../object/versioned-kind.ts';
import type { Resource } from '../registry/resource.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { Routes } from './routes.ts';
import { methodsAt, routesOf } from './routes.ts';

type VerbHandler = (endpoint: Endpoint, request: AuthenticatedRequest) => Promise<Response>;

const handlers: Readonly<Record<Verb, VerbHandler>> = {
  create,
  get,
  list,
  watch,
  update,
  patch,
  delete: remove,
  deletecollection: removeCollection,
};

interface Routed<E> {
  readonly endpoint: E;
  /** undefined: a custom resource, which stands on no routes of its own; what a request asks for decides alone */
  readonly routes: (() => Routes) | undefined;
  /** those who use a resource that may go away */
  readonly users?: InFlight;
}

/** The way from a request to one of a server's resources, which come and go while it runs (custom resources). */
export class ResourceRouter {
  readonly #context: HandlerContext;
  /** `group/version/plural` */
  readonly #endpoints = new Map<string, Routed<Endpoint>>();
  readonly #virtual = new Map<string, Routed<VirtualEndpoint>>();

  constructor(context: HandlerContext) {
    this.#context = context;
  }

  /** `served`: those of its versions that lead here; the others are resources of their own, or not served. */
  add(resource: Resource, served: Iterable<VersionedKind> = resource.versions.values()): void {
    const { plural } = resource.names;
    const routes = once(() => installedRoutes(resource));
    for (const versionedKind of served) {
      this.#endpoints.set(`${versionedKind.group}/${versionedKind.version}/${plural}`, {
        endpoint: { resource, versionedKind, context: this.#context },
        routes: versionedKind.profile.hasRoutes ? routes : undefined,
        ...(!versionedKind.profile.hasRoutes && { users: new InFlight() }),
      });
    }
  }

  /** No new requests lead to the resource. Resolves when those that did are over; watches do not count. */
  remove(resource: Resource): Promise<unknown> {
    const { group, plural } = resource.names;
    const keys = Array.from(resource.versions.values(), ({ version }) => `${group}/${version}/${plural}`);
    const users = keys.map((key) => this.#endpoints.get(key)).filter((found) => found?.endpoint.resource === resource);
    for (const key of keys) if (this.#endpoints.get(key)?.endpoint.resource === resource) this.#endpoints.delete(key);
    return Promise.all(users.map((found) => found?.users?.idle()));
  }

  endpoint(group: string, version: string, plural: string): Endpoint | undefined {
    return this.#endpoints.get(`${group}/${version}/${plural}`)?.endpoint;
  }

  /** Resources that are not stored (access reviews). */
  addVirtual({ names, versions, definition }: VirtualRegistration): void {
    const { group, kind, namespaced, plural } = names;
    const resource: AdmittedResource = { group, kind, namespaced, names, versions, groupResource: { group, resource: plural } };
    const routes = once(() => routesOf({ namespaced, verbs: names.verbs, subresources: [] }));
    for (const versionedKind of versions.values()) {
      this.#virtual.set(`${group}/${versionedKind.version}/${plural}`, {
        endpoint: { resource, names, versionedKind, definition, context: this.#context },
        routes,
      });
    }
  }

  /** Serves what is one of its resources; the rest goes on to the next server. */
  handler(next: Handler<AuthenticatedRequest>): Handler<AuthenticatedRequest> {
    return (request) => {
      if (!request.info.isResource) return next(request);
      const loading = request.header('accept')?.includes('as=Table') ? this.#context.descriptions.load() : undefined;
      return loading === undefined ? this.#serve(request, next) : loading.then(() => this.#serve(request, next));
    };
  }

  #serve(request: AuthenticatedRequest, next: Handler<AuthenticatedRequest>): Response | Promise<Response> {
    const { info } = request;
    const key = `${info.group}/${info.version}/${info.resource}`;
    const stored = this.#endpoints.get(key);
    const found = stored ?? this.#virtual.get(key);
    // A second slash in front is no part of any route, although it does not change what the request asks for.
    if (found === undefined || request.path.startsWith('//') || (info.group === '') !== (info.apiPrefix === 'api')) return next(request);
    const { routes } = found;
    if (routes !== undefined) {
      const methods = methodsAt(routes(), info);
      if (methods.length === 0) return next(request);
      if (!methods.includes(request.method)) throw serverResponseError({ code: 405 });
    }
    if (stored === undefined) {
      request.routed = found;
      return virtualResource(found.endpoint as VirtualEndpoint, request);
    }
    const { endpoint } = stored;
    if (routes === undefined && !rightScope(endpoint.resource, info)) return next(request);
    request.routed = routes !== undefined || isKnown(endpoint.resource, info) ? stored : undefined;
    const serve = (): Response | Promise<Response> =>
      inVerbSpan(request, () => (info.subresource === '' ? dispatch(endpoint, request) : subresource(endpoint, request, next)));
    return stored.users === undefined ? serve() : stored.users.during(serve);
  }
}

/** Of custom resources: whether verb and subresource are some that they have, and not made up by a client. */
function isKnown({ definition, hasStatus }: Resource, { verb, subresource: name }: RequestInfo): boolean {
  if (!Object.hasOwn(handlers, verb)) return false;
  return name === '' || (name === 'status' && hasStatus) || (name === 'scale' && definition.scale !== undefined);
}

function installedRoutes({ names, subresourceVerbs, definition }: Resource): Routes {
  const subresources = Array.from(subresourceVerbs ?? [], ([name, verbs]) => {
    return { name, verbs, proxies: definition.subresources?.[name]?.proxies === true };
  });
  return routesOf({ namespaced: names.namespaced, verbs: names.verbs, subresources });
}

function dispatch(endpoint: Endpoint, request: AuthenticatedRequest): Promise<Response> {
  const { info } = request;
  const verb = info.verb as Verb;
  const handler = handlers[verb];
  const { profile, mediaTypes } = endpoint.versionedKind;
  if (!profile.hasRoutes) {
    if (handler === undefined) throw profile.unsupportedVerb(endpoint.resource.groupResource, verb);
    // No request would ever read it.
    if (verb === 'watch' && request.method === 'HEAD') return Promise.resolve({ status: 200, headers: {} });
    if (info.name === '' && (verb === 'update' || verb === 'patch')) throw badRequest('name must be provided');
  } else {
    requireProduced(request, mediaTypes.plain, verb === 'list' || verb === 'watch');
  }
  // Custom resources are found by what a request asks for, and only then by how.
  if (!profile.hasRoutes) warnDeprecated(endpoint.versionedKind, request, endpoint.context);
  // Nor does a route exist for a patch of an unknown type.
  if (verb === 'patch') patchType(endpoint.versionedKind, request);
  if (profile.hasRoutes) warnDeprecated(endpoint.versionedKind, request, endpoint.context);
  return handler(endpoint, request);
}

/** Custom resources can be read in all namespaces at once, but not written. */
function rightScope({ namespaced }: Resource, { namespace, verb }: RequestInfo): boolean {
  return namespaced ? namespace !== '' || verb === 'list' || verb === 'watch' : namespace === '';
}
