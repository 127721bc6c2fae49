// Resources that are not stored: a request is evaluated and the result returned (access reviews, token reviews, bindings).
import { turnsFor } from '../../base/turns.ts';
import { badRequest, methodNotSupported } from '../../machinery/errors.ts';
import { decodeCreateOptions, decodeListOptions, decodeTableOptions } from '../../machinery/options.ts';
import { serverResponseError } from '../../machinery/server-response-error.ts';
import { clockAt } from '../../table/table-clock.ts';
import { tableOf } from '../../table/table.ts';
import type { AdmittedResource } from '../admission/admission.ts';
import type { AuthenticatedRequest } from '../request/stages.ts';
import type { Response } from '../http/response.ts';
import { encodeObject, metaType } from '../object/codecs.ts';
import type { OutputForm } from '../http/media-types.ts';
import { negotiateInput, negotiateOutput } from '../http/media-types.ts';
import { requireProduced } from '../http/produced.ts';
import type { WriteContext } from '../registry/context.ts';
import type { KubeObject, VirtualResource } from '../registry/definition.ts';
import type { VersionedKind } from '../object/versioned-kind.ts';
import type { ResourceNames } from '../registry/resource.ts';
import { ensureNamespace, wipeSystemFields } from '../registry/rules.ts';
import type { HandlerContext } from './endpoint.ts';
import { metadataMatches } from './list-query.ts';
import { warnDeprecated } from './deprecation.ts';
import { bodyHeaders } from './render.ts';
import type { WriteOptions } from './write.ts';
import { admissionAttributes, contextOf, decodeBody, decodeInTurns, defaultWriteOptions, readBody } from './write.ts';

export interface VirtualEndpoint {
  readonly resource: AdmittedResource;
  readonly names: ResourceNames;
  readonly versionedKind: VersionedKind;
  readonly definition: VirtualResource;
  readonly context: HandlerContext;
}

export async function virtualResource(endpoint: VirtualEndpoint, request: AuthenticatedRequest): Promise<Response> {
  const { definition, versionedKind } = endpoint;
  const { verb } = request.info;
  requireProduced(request, versionedKind.mediaTypes.plain, verb === 'list');
  const warn = (): void => warnDeprecated(versionedKind, request, endpoint.context);
  if (verb === 'create' && definition.create !== undefined) {
    warn();
    return create(endpoint, request, definition.create);
  }
  if (verb === 'list' && definition.list !== undefined) {
    warn();
    return list(endpoint, request, definition.list);
  }
  if (verb === 'get' && definition.get !== undefined) {
    warn();
    return get(endpoint, request, definition.get);
  }
  // The list of a resource that cannot be watched takes the request, and has no result.
  if (verb === 'watch') throw methodNotSupported(endpoint.resource.groupResource, verb);
  throw serverResponseError({ code: 405 });
}

async function create(
  endpoint: VirtualEndpoint,
  request: AuthenticatedRequest,
  answer: NonNullable<VirtualResource['create']>,
): Promise<Response> {
  const { versionedKind, names, context } = endpoint;
  const { namespace } = request.info;
  const form = negotiateOutput(request, { ...versionedKind.mediaTypes, table: false });
  negotiateInput(request.header('content-type'), versionedKind.mediaTypes.plain);
  const body = await readBody(endpoint.context, request);
  const options = decodeCreateOptions(request.query);
  const turn = turnsFor(body.length);
  await turn?.();
  const object =
    turn === undefined
      ? decodeBody(versionedKind, request, body, options)
      : await decodeInTurns(versionedKind, request, body, options, turn);
  ensureNamespace(object.metadata, namespace, names.namespaced);
  wipeSystemFields(object.metadata);
  await turn?.();
  const write = contextFor(endpoint, request, options);
  context.fieldManagers.ofType(versionedKind, '').update({ live: undefined, next: object, manager: write.fieldManager, now: write.now });
  const attributes = admissionAttributes(endpoint, request, 'CREATE', write, object, undefined, { ...options });
  await turn?.();
  await context.admission.mutate(attributes);
  await context.admission.validate(attributes);
  await turn?.();
  const answered = await answer(attributes.object as KubeObject, write, request);
  await turn?.();
  answered.kind ??= versionedKind.kind;
  answered.apiVersion ??= versionedKind.apiVersion;
  const type = context.typeOf(answered.apiVersion, answered.kind);
  return { status: 201, headers: bodyHeaders(form), body: encodeObject(context.codecs, form.media, answered, type, form.pretty) };
}

async function get(
  endpoint: VirtualEndpoint,
  request: AuthenticatedRequest,
  answer: NonNullable<VirtualResource['get']>,
): Promise<Response> {
  const form = negotiateOutput(request, endpoint.versionedKind.mediaTypes);
  const { name } = request.info;
  const object = await answer(name, contextFor(endpoint, request, defaultWriteOptions));
  if (form.as === 'table') return tableResponse(endpoint, request, form, [object]);
  if (form.as !== 'object') throw badRequest(`${endpoint.names.kind} has no other form than its own`);
  return { status: 200, headers: bodyHeaders(form), body: endpoint.versionedKind.encode(form.media, object, form.pretty) };
}

function tableResponse(
  { context, definition }: VirtualEndpoint,
  request: AuthenticatedRequest,
  form: OutputForm,
  objects: readonly KubeObject[],
): Response {
  const table = tableOf<KubeObject>({
    columns: definition.columns,
    objects,
    listMeta: {},
    metaVersion: form.metaVersion,
    includeObject: decodeTableOptions(request.query).includeObject,
    noHeaders: false,
    descriptions: context.descriptions,
    clock: clockAt(context.clock.now()),
  });
  const type = metaType(context.codecs, 'Table', form.metaVersion);
  return { status: 200, headers: bodyHeaders(form), body: encodeObject(context.codecs, form.media, table, type, form.pretty) };
}

async function list(
  endpoint: VirtualEndpoint,
  request: AuthenticatedRequest,
  answer: NonNullable<VirtualResource['list']>,
): Promise<Response> {
  const { versionedKind, context } = endpoint;
  const form = negotiateOutput(request, versionedKind.mediaTypes);
  const matches = metadataMatches(decodeListOptions(request.query));
  const objects = (await answer(contextFor(endpoint, request, defaultWriteOptions))).filter(matches);
  if (form.as === 'table') return tableResponse(endpoint, request, form, objects);
  const items = { kind: versionedKind.listKind, apiVersion: versionedKind.apiVersion, metadata: {}, items: objects };
  const type = context.typeOf(versionedKind.apiVersion, versionedKind.listKind);
  return { status: 200, headers: bodyHeaders(form), body: encodeObject(context.codecs, form.media, items, type, form.pretty) };
}

function contextFor({ context, versionedKind }: VirtualEndpoint, request: AuthenticatedRequest, options: WriteOptions): WriteContext {
  const { namespace, name } = request.info;
  return contextOf(context, request, options, {
    namespace,
    name,
    subresource: '',
    version: versionedKind.version,
    user: request.user,
  });
}
