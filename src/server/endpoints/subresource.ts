// Subresources as endpoints of their own: status and scale where a resource has them, the rest as the kind defines it.
import { turnsFor } from '../../base/turns.ts';
import { deepCopy } from '../../machinery/deep-copy.ts';
import type { ApiError } from '../../machinery/errors.ts';
import { badRequest, notFound } from '../../machinery/errors.ts';
import { serverResponseError } from '../../machinery/server-response-error.ts';
import { decodeCreateOptions } from '../../machinery/options.ts';
import { kindAt } from '../admission/matching/endpoint-kind.ts';
import type { AuthenticatedRequest } from '../request/stages.ts';
import type { Handler, Response } from '../http/response.ts';
import { encodeObject } from '../object/codecs.ts';
import { negotiateOutput } from '../http/media-types.ts';
import type { VersionedKind } from '../object/versioned-kind.ts';
import type { KubeObject, Subresource, SubresourceUpdate } from '../registry/definition.ts';
import type { SubresourceCall } from '../registry/subresource.ts';
import { ensureNamespace } from '../registry/rules.ts';
import { statusUpdate } from '../registry/status-update.ts';
import { warnDeprecated } from './deprecation.ts';
import type { Endpoint } from './endpoint.ts';
import { connectOptions } from './connect-options.ts';
import { get, read } from './get.ts';
import { patch } from './patch.ts';
import { bodyHeaders } from './render.ts';
import { scale } from './scale.ts';
import { storeUpdate } from './store-update.ts';
import { update } from './update.ts';
import type { WriteOptions } from './write.ts';
import { admissionAttributes, decodeBody, decodeInTurns, defaultWriteOptions, readBody, record, writeContext } from './write.ts';

export function subresource(
  endpoint: Endpoint,
  request: AuthenticatedRequest,
  next: Handler<AuthenticatedRequest>,
): Response | Promise<Response> {
  const { resource } = endpoint;
  const { subresource: name, name: objectName, verb } = request.info;
  const { hasRoutes } = endpoint.versionedKind.profile;
  const { scale: scalable } = resource.definition;
  const { subresources = {} } = resource.definition;
  const own = Object.hasOwn(subresources, name) ? subresources[name] : undefined;
  const isStatus = name === 'status' && resource.hasStatus;
  const isScale = name === 'scale' && scalable !== undefined;
  if (own === undefined && !isStatus && !isScale) {
    // Only this server knows the subresources of a custom resource; for built-in ones the end of the chain responds.
    if (!hasRoutes) throw notFound(resource.groupResource, objectName);
    return next(request);
  }
  // `nodes//status`; what a custom resource does not take there is reported first
  if (objectName === '' && own?.connect === undefined && (hasRoutes || verb === 'update' || verb === 'patch')) throw nameless();
  if (isStatus) return throughParent(endpoint, request, name, statusUpdate(resource));
  if (isScale) return scale(endpoint, request, scalable);
  return ownSubresource(endpoint, request, name, own as NonNullable<typeof own>);
}

function nameless(): ApiError {
  return badRequest('name must be provided');
}

/** get, update and patch of the parent's own type. */
function throughParent(endpoint: Endpoint, request: AuthenticatedRequest, name: string, hooks: SubresourceUpdate): Promise<Response> {
  const { verb } = request.info;
  warnDeprecated(endpoint.versionedKind, request, endpoint.context);
  switch (verb) {
    case 'get':
      return get(endpoint, request);
    case 'update':
      return update(endpoint, request, name, hooks);
    case 'patch':
      return patch(endpoint, request, name, hooks);
    default:
      throw endpoint.versionedKind.profile.unsupportedVerb(endpoint.resource.groupResource, verb);
  }
}

function ownSubresource(endpoint: Endpoint, request: AuthenticatedRequest, name: string, own: Subresource): Promise<Response> {
  const { verb } = request.info;
  if (own.connect !== undefined) return connect(endpoint, request, name, own.connect);
  if (own.update !== undefined && (verb === 'get' || verb === 'update' || verb === 'patch'))
    return throughParent(endpoint, request, name, own.update);
  if (verb === 'create' && own.create !== undefined) return call(endpoint, request, name, own.create, own);
  if (verb === 'get' && own.get !== undefined) return call(endpoint, request, name, own.get, own);
  throw serverResponseError({ code: 405 });
}

async function connect(
  endpoint: Endpoint,
  request: AuthenticatedRequest,
  name: string,
  run: NonNullable<Subresource['connect']>,
): Promise<Response> {
  if (request.query.has('dryRun')) throw badRequest('dryRun is not supported');
  if (request.info.name === '') throw nameless();
  const { info } = request;
  const options = defaultWriteOptions;
  const write = writeContext(endpoint, request, options, info.namespace, info.name, name);
  const kind = kindAt(endpoint.resource, endpoint.versionedKind.version, name);
  // A log is read, not connected to: admission has no part in it.
  if (kind !== undefined && kind.kind !== endpoint.resource.kind) {
    const versionedKind = endpoint.context.versionedKindOf(kind);
    const asked = connectOptions(versionedKind, request.query, info.parts.slice(3).join('/'));
    const about = { resource: endpoint.resource, versionedKind };
    const attributes = admissionAttributes(about, request, 'CONNECT', write, asked, undefined, {});
    await endpoint.context.admission.mutate(attributes);
    await endpoint.context.admission.validate(attributes);
  }
  return run(callOf(endpoint, request, name, undefined, options));
}

async function readAndDecode(
  { context }: Endpoint,
  kind: VersionedKind,
  request: AuthenticatedRequest,
  options: WriteOptions,
): Promise<KubeObject> {
  const body = await readBody(context, request);
  const turn = turnsFor(body.length);
  return turn === undefined ? decodeBody(kind, request, body, options) : decodeInTurns(kind, request, body, options, turn);
}

async function call(
  endpoint: Endpoint,
  request: AuthenticatedRequest,
  name: string,
  run: (call: SubresourceCall) => Promise<unknown>,
  { body: bodyKind, bodyVersions, defaults, validatesBody = false }: Subresource,
): Promise<Response> {
  const { versionedKind, context } = endpoint;
  const { verb, namespace, name: parent } = request.info;
  // The response of a subresource has no columns.
  const form = negotiateOutput(request, { ...versionedKind.mediaTypes, table: false });
  const options = verb === 'create' ? decodeCreateOptions(request.query) : defaultWriteOptions;
  const body = verb !== 'create' ? undefined : bodyKind === undefined ? versionedKind : context.versionedKindOf(bodyKind, bodyVersions);
  let object = body === undefined ? undefined : await readAndDecode(endpoint, body, request, options);
  const write = writeContext(endpoint, request, options, namespace, parent, name);
  let validate: () => Promise<void> = async () => {};
  if (body !== undefined && object !== undefined) {
    if (defaults !== undefined) {
      defaults(object);
      record(body, request, object);
    }
    ensureNamespace(object.metadata, namespace, endpoint.resource.namespaced);
    const changed = { live: undefined, next: object, manager: write.fieldManager, now: write.now };
    context.fieldManagers.ofType(body, name).update(changed);
    const attributes = admissionAttributes(endpoint, request, 'CREATE', write, object, undefined, { ...options });
    await context.admission.mutate(attributes);
    if (validatesBody) validate = () => context.admission.validate(attributes);
    else await context.admission.validate(attributes);
    object = attributes.object;
  }
  const answer = (await run({ ...callOf(endpoint, request, name, object, options), validateBody: validate })) as KubeObject;
  const status = verb === 'create' ? 201 : 200;
  const type = context.typeOf(answer.apiVersion ?? '', answer.kind ?? '');
  return { status, headers: bodyHeaders(form), body: encodeObject(context.codecs, form.media, answer, type, form.pretty) };
}

function callOf(
  endpoint: Endpoint,
  request: AuthenticatedRequest,
  subresourceName: string,
  body: KubeObject | undefined,
  options: { dryRun: readonly string[]; fieldManager: string; fieldValidation: string },
): SubresourceCall {
  const { resource } = endpoint;
  const { namespace, name } = request.info;
  const context = writeContext(endpoint, request, options, namespace, name, subresourceName);
  return {
    resource,
    namespace,
    name,
    body,
    context,
    request,
    validateBody: async () => {},
    parent: async () => resource.store.parse(await read(endpoint, namespace, name, '')),
    updateParent: async (change) => {
      const { entry } = await storeUpdate(
        endpoint,
        request,
        context,
        { ...options },
        {
          change: async (live) => change(deepCopy(live as KubeObject)),
          trackFields: true,
          subresourceUpdate: {},
        },
      );
      return resource.store.parse(entry);
    },
  };
}
