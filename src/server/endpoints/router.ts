// Upstream: apiserver/pkg/endpoints/installer.go
import { methodNotSupported } from '../../machinery/errors.ts';
import { serverResponseError } from '../../machinery/server-response-error.ts';
import type { Endpoint, HandlerContext } from './endpoint.ts';
import { create } from './create.ts';
import { removeCollection } from './delete-collection.ts';
import { remove } from './delete.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { patchType } from './patch-mechanism.ts';
import { patch } from './patch.ts';
import { subresource } from './subresource.ts';
import { update } from './update.ts';
import type { VirtualEndpoint } from './virtual.ts';
import { virtualResource } from './virtual.ts';
import { watch } from './watch.ts';
import { tellDeprecated } from './deprecation.ts';
import { requireProduced } from '../http/produced.ts';
import type { Request } from '../http/request.ts';
import type { Handler, Response } from '../http/response.ts';
import type { AdmittedResource } from '../admission/admission.ts';
import type { VirtualRegistration } from '../registry/built-in.ts';
import type { Verb } from '../registry/definition.ts';
import type { Representation } from '../object/representation.ts';
import type { Resource } from '../registry/resource.ts';
import type { RequestInfo } from '../request/request-info.ts';

type VerbHandler = (endpoint: Endpoint, request: Request) => Promise<Response>;

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

/** Which resources a server has, and the way from a request to one of them. Resources come and go while it runs (custom resources). */
export class ResourceRouter {
  readonly #context: HandlerContext;
  /** `group/version/plural` */
  readonly #endpoints = new Map<string, Endpoint>();
  readonly #resources = new Map<string, Resource>();
  readonly #virtual = new Map<string, VirtualEndpoint>();

  constructor(context: HandlerContext) {
    this.#context = context;
  }

  get resources(): Iterable<Resource> {
    return this.#resources.values();
  }

  /** A resource by group and plural name. */
  resource(group: string, plural: string): Resource | undefined {
    return this.#resources.get(`${group}/${plural}`);
  }

  /** `served`: those of its versions that lead here; the others are resources of their own, or not served. */
  add(resource: Resource, served: Iterable<Representation> = resource.versions.values()): void {
    const { group, plural } = resource.names;
    this.#resources.set(`${group}/${plural}`, resource);
    for (const representation of served) {
      this.#endpoints.set(`${representation.group}/${representation.version}/${plural}`, {
        resource,
        representation,
        context: this.#context,
      });
    }
  }

  remove(resource: Resource): void {
    const { group, plural } = resource.names;
    this.#resources.delete(`${group}/${plural}`);
    for (const { version } of resource.versions.values()) this.#endpoints.delete(`${group}/${version}/${plural}`);
  }

  endpoint(group: string, version: string, plural: string): Endpoint | undefined {
    return this.#endpoints.get(`${group}/${version}/${plural}`);
  }

  /** Resources that are only answers (access reviews). */
  addVirtual({ names, versions, definition }: VirtualRegistration): void {
    const { group, kind, namespaced, plural } = names;
    const resource: AdmittedResource = { group, kind, namespaced, names, versions, groupResource: { group, resource: plural } };
    for (const representation of versions.values()) {
      this.#virtual.set(`${group}/${representation.version}/${plural}`, {
        resource,
        names,
        representation,
        definition,
        context: this.#context,
      });
    }
  }

  /** Serves what is one of its resources; the rest goes on to the next server. */
  handler(next: Handler): Handler {
    return (request) => {
      const info = request.info as RequestInfo;
      if (!info.isResource) return next(request);
      const loading = request.header('accept')?.includes('as=Table') ? this.#context.descriptions.load() : undefined;
      return loading === undefined ? this.#serve(request, info, next) : loading.then(() => this.#serve(request, info, next));
    };
  }

  #serve(request: Request, info: RequestInfo, next: Handler): Response | Promise<Response> {
    const endpoint = this.#endpoints.get(`${info.group}/${info.version}/${info.resource}`);
    if (endpoint === undefined) {
      const virtual = this.#virtual.get(`${info.group}/${info.version}/${info.resource}`);
      if (virtual === undefined || info.subresource !== '') return next(request);
      request.routed = true;
      return virtualResource(virtual, request);
    }
    if (!rightScope(endpoint.resource, info) || !acrossNamespaces(endpoint, info)) return next(request);
    request.routed = true;
    if (info.subresource !== '') return subresource(endpoint, request, next);
    if (info.parts.length > 2) return next(request);
    return dispatch(endpoint, request, info);
  }
}

function dispatch(endpoint: Endpoint, request: Request, info: RequestInfo): Promise<Response> {
  const { names } = endpoint.resource;
  const verb = info.verb as Verb;
  const handler = handlers[verb];
  const named = info.parts.length === 2;
  const needsName = verb === 'get' || verb === 'update' || verb === 'patch' || verb === 'delete';
  const allowed = handler !== undefined && names.verbs.includes(verb) && (needsName ? named : verb === 'watch' || !named);
  // Custom resources stand on no routes of their own, which would know their methods and media types.
  const { unstructured, mediaTypes } = endpoint.representation;
  const routed = unstructured || verb !== 'watch' || request.method === 'GET';
  if (!allowed || !routed || request.method === 'HEAD') {
    throw unstructured ? methodNotSupported(endpoint.resource.groupResource, verb) : serverResponseError({ code: 405 });
  }
  if (!unstructured) requireProduced(request, mediaTypes.plain, verb === 'list' || verb === 'watch');
  // Nor does a route exist for a patch of a type that nobody knows.
  if (verb === 'patch') patchType(endpoint.representation, request);
  tellDeprecated(endpoint.representation, request);
  return handler(endpoint, request);
}

/** Custom resources can be read in all namespaces at once, but not deleted. */
function acrossNamespaces({ resource, representation }: Endpoint, { namespace, verb }: RequestInfo): boolean {
  return !representation.unstructured || !resource.namespaced || namespace !== '' || verb === 'list' || verb === 'watch';
}

/** `/api/v1/namespaces/n/nodes` and `/api/v1/configmaps/x` lead nowhere. */
function rightScope(resource: Resource, { namespace, parts, resource: plural, group }: RequestInfo): boolean {
  if (plural === 'namespaces' && group === '') return true;
  if (!resource.namespaced) return namespace === '';
  return namespace !== '' || parts.length < 2;
}
