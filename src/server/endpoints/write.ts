// Upstream: k8s.io/apiserver/pkg/endpoints/handlers/rest.go
// What create, update, patch and delete share.
import type { Steps } from '../../base/steps.ts';
import { allSteps, stepByStep } from '../../base/steps.ts';
import type { Turn } from '../../base/turns.ts';
import { turnsFor } from '../../base/turns.ts';
import { DecodeError } from '../../machinery/codec/decode-error.ts';
import type { ApiError } from '../../machinery/errors.ts';
import { badRequest, requestEntityTooLarge } from '../../machinery/errors.ts';
import { parseGroupVersion } from '../../machinery/group-version.ts';
import { isDistinct } from '../../machinery/go-distinctions.ts';
import { timestamp } from '../../machinery/time.ts';
import type { OwnerReference } from '../../machinery/object-meta.ts';
import { TextDocument } from '../../machinery/codec/json/document.ts';
import { checkSyntax } from '../../machinery/codec/json/syntax.ts';
import { writeSorted } from '../../machinery/codec/json/write.ts';
import type { YamlDocument } from '../../machinery/codec/yaml/codec.ts';
import { readingDocument } from '../../machinery/codec/yaml/codec.ts';
import { readingYaml } from '../../machinery/codec/yaml/read.ts';
import { decodeYamlText } from '../../machinery/codec/yaml/text.ts';
import { isObject } from '../../patch/json/json-object.ts';
import { jsonTypeName } from '../../patch/json/json-type-name.ts';
import { managerOrUserAgent } from '../../patch/manager-name.ts';
import type { AdmissionAttributes, AdmissionOperation, AdmittedResource } from '../admission/admission.ts';
import type { AuthenticatedRequest } from '../request/stages.ts';
import { negotiateInput } from '../http/media-types.ts';
import type { WriteContext } from '../registry/context.ts';
import type { KubeObject } from '../registry/definition.ts';
import type { VersionedKind } from '../object/versioned-kind.ts';
import type { RequestInfo } from '../request/request-info.ts';
import { warnOfStrictErrors } from './strict-warnings.ts';
import { checkAmount, checkCborAmount, checkObjectAmount, exceededLimit } from './body-amount.ts';
import type { Endpoint, HandlerContext } from './endpoint.ts';
import { maxBodyBytes } from './endpoint.ts';

export interface WriteOptions {
  readonly dryRun: readonly string[];
  readonly fieldManager: string;
  readonly fieldValidation: string;
}

export const defaultWriteOptions: WriteOptions = Object.freeze({ dryRun: [], fieldManager: '', fieldValidation: '' });

export async function readBody({ observed }: HandlerContext, request: AuthenticatedRequest): Promise<Buffer> {
  request.place = 'body';
  const body = await request.source.readBody(maxBodyBytes);
  request.place = 'storage';
  if (body === undefined) throw requestEntityTooLarge(`limit is ${maxBodyBytes}`);
  const { group, resource, verb } = request.info;
  observed.bodySizes.with(group, resource, verb === 'deletecollection' ? 'delete_collection' : verb).observe(body.length);
  request.span?.event('limitedReadBody succeeded', { len: body.length });
  const contentType = request.header('content-type') ?? '';
  if (contentType.includes('cbor')) checkCborAmount(body);
  else if (!/protobuf|yaml/.test(contentType)) checkAmount(body);
  return body;
}

/** What defaults may make of a body counts less than what was sent: few are made as long as they may be. */
const grownShare = 16;

/** Undefined for a body that is too small to hold up other requests, with the defaults that its object gets. */
export function turnsOf(versionedKind: VersionedKind, body: Buffer): Turn | undefined {
  return turnsFor(body.length) ?? turnsFor((versionedKind.mostGrown?.(body.length) ?? 0) / grownShare);
}

/** The object in a request body, checked against what the endpoint takes; unknown fields are refused or warned about. */
export function decodeBody(versionedKind: VersionedKind, request: AuthenticatedRequest, body: Buffer, options: WriteOptions): KubeObject {
  try {
    const object = readObject(versionedKind, request, body, options);
    complete(versionedKind, request, object);
    return object;
  } catch (error) {
    throw error instanceof DecodeError ? allSteps(explaining(error, versionedKind, request, body)) : error;
  }
}

/** The same for what may be large: others get their turn between its stages. */
export async function decodeInTurns(
  versionedKind: VersionedKind,
  request: AuthenticatedRequest,
  body: Buffer,
  options: WriteOptions,
  turn: Turn,
): Promise<KubeObject> {
  let object: KubeObject;
  try {
    const media = negotiateInput(request.header('content-type'), versionedKind.mediaTypes.plain);
    let source: Buffer | TextDocument = body;
    if (media === 'yaml') source = await stepByStep(readingYamlBody(body));
    else if (media === 'json') source = await stepByStep(TextDocument.reading(body));
    await turn();
    object = readObject(versionedKind, request, source, options);
  } catch (error) {
    await turn();
    throw error instanceof DecodeError ? await stepByStep(explaining(error, versionedKind, request, body)) : error;
  }
  await turn();
  checkObjectAmount(object, versionedKind.profile.isTyped);
  complete(versionedKind, request, object);
  return object;
}

/** What is JSON, too, has the limits of JSON; what holds more than that, those of YAML. */
export function readingYamlBody(body: Buffer): Steps<YamlDocument> {
  return readingDocument(body, body[0] === 0x7b && exceededLimit(body) === undefined);
}

function readObject(
  versionedKind: VersionedKind,
  request: AuthenticatedRequest,
  body: Buffer | TextDocument,
  options: WriteOptions,
): KubeObject {
  const media = negotiateInput(request.header('content-type'), versionedKind.mediaTypes.plain);
  const directive = options.fieldValidation || 'Warn';
  const { object, strictErrors } = versionedKind.decode(media, body, directive !== 'Ignore');
  if (strictErrors.length > 0) {
    if (directive === 'Strict') {
      const { kind, version } = versionedKind;
      throw badRequest(
        `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: strict decoding error: ${strictErrors.join(', ')}`,
      );
    }
    warnOfStrictErrors(request, strictErrors);
  }
  return object;
}

function complete(versionedKind: VersionedKind, request: AuthenticatedRequest, object: KubeObject): void {
  versionedKind.applyDefaults(object);
  keepEmptyOwners(versionedKind, object);
  record(versionedKind, request, object);
}

/** For the audit log: what was sent, with its defaults. */
export function record(versionedKind: VersionedKind, request: AuthenticatedRequest, object: KubeObject): void {
  request.audit?.sent(object.metadata, () => versionedKind.encode('json', object, false).toString());
}

export function writeContext(
  { context, versionedKind }: Endpoint,
  request: AuthenticatedRequest,
  options: WriteOptions,
  namespace: string,
  name: string,
  subresource = '',
  turn?: Turn,
): WriteContext {
  return contextOf(context, request, options, {
    turn,
    namespace,
    name,
    subresource,
    version: versionedKind.version,
    user: request.user,
  });
}

export function contextOf(
  { clock, features, capabilities, authorizer, tokens, reader, own }: HandlerContext,
  request: AuthenticatedRequest,
  options: WriteOptions,
  about: Pick<WriteContext, 'namespace' | 'name' | 'subresource' | 'version' | 'user' | 'turn'>,
): WriteContext {
  return {
    ...about,
    verb: request.info.verb,
    dryRun: options.dryRun.includes('All'),
    fieldManager: managerOrUserAgent(options.fieldManager, request.header('user-agent') ?? ''),
    features,
    capabilities,
    authorizer,
    tokens,
    reader,
    own,
    now: timestamp(clock.now()),
    warn: (text) => request.warn(text),
  };
}

export function admissionAttributes(
  endpoint: { readonly resource: AdmittedResource; readonly versionedKind: VersionedKind },
  request: AuthenticatedRequest,
  operation: AdmissionOperation,
  context: WriteContext,
  object: KubeObject | undefined,
  old: KubeObject | undefined,
  options: Readonly<Record<string, unknown>>,
): AdmissionAttributes {
  return {
    operation,
    resource: endpoint.resource,
    version: context.version,
    versionedKind: endpoint.versionedKind,
    subresource: context.subresource,
    namespace: context.namespace,
    name: context.name || object?.metadata.name || '',
    object,
    old,
    user: context.user,
    dryRun: context.dryRun,
    options,
    warn: (text) => request.warn(text),
    annotate: (key, value, level) => request.audit?.annotate(key, value, level),
    timeLimit: request,
  };
}

/** Name and namespace of a body must be those of the URL. */
export function checkName({ metadata }: KubeObject, { name }: RequestInfo): void {
  if ((metadata.name ?? '') === '')
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  if (metadata.name !== name) throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`);
}

/** The same owner twice is one owner; clients get a warning. */
export function dedupOwnerReferences({ metadata }: KubeObject, request: AuthenticatedRequest, afterAdmission: boolean): void {
  const references = metadata.ownerReferences;
  if (references === undefined || references.length < 2) return;
  const seen = new Set<string>();
  const kept: OwnerReference[] = [];
  const duplicates: string[] = [];
  for (const reference of references) {
    const { apiVersion, kind, name, uid, controller, blockOwnerDeletion } = reference;
    const key = JSON.stringify([apiVersion, kind, name, uid, controller, blockOwnerDeletion]);
    if (seen.has(key)) duplicates.push(reference.uid);
    else kept.push(reference);
    seen.add(key);
  }
  if (duplicates.length === 0) return;
  metadata.ownerReferences = kept;
  const uids = duplicates.join(', ');
  request.warn(
    afterAdmission
      ? `.metadata.ownerReferences contains duplicate entries after mutating admission happens; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${uids}`
      : `.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${uids}`,
  );
}

/**
 * An empty list of owners asks to forget them all; decoding leaves empty lists out, so it is put back. A quirk kept: of custom resources
 * upstream reads such a list as none.
 */
export function keepEmptyOwners({ profile }: VersionedKind, { metadata }: KubeObject): void {
  if (profile.isTyped && isDistinct(metadata, 'managedFields')) metadata.managedFields = [];
}

/** A body that cannot be read: what it claims to be, what was expected, and why not. */
function* explaining(
  error: DecodeError,
  { kind: expected, apiVersion, profile, mediaTypes }: VersionedKind,
  request: AuthenticatedRequest,
  body: Buffer,
): Steps<ApiError> {
  const media = negotiateInput(request.header('content-type'), mediaTypes.plain);
  const stated = media === 'json' ? statedKind(body) : media === 'yaml' ? yield* yamlKind(body) : undefined;
  // Of a custom resource the kind is what the body says, and not what is expected.
  if (stated === undefined || typeof stated === 'string' || (!profile.isTyped && stated.kind === '')) {
    const why = typeof stated === 'string' ? `couldn't get version/kind; json parse error: ${stated}` : error.message;
    return badRequest(`the object provided is unrecognized (must be of type ${expected}): ${why} (${summarize(body)})`, { cause: error });
  }
  const { version } = parseGroupVersion(stated.apiVersion || apiVersion) ?? { version: stated.apiVersion };
  return badRequest(
    `${stated.kind || expected} in version ${JSON.stringify(version)} cannot be handled as a ${expected}: ${error.message}`,
    {
      cause: error,
    },
  );
}

/** undefined: the body is no YAML. */
export function* yamlKind(body: Buffer): Steps<ReturnType<typeof statedKind> | undefined> {
  try {
    const { value } = yield* readingYaml(decodeYamlText(body));
    yield;
    const json = Buffer.from(writeSorted(value));
    yield;
    return statedKind(json);
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

/** kind and apiVersion of a JSON body, or why they cannot be read. */
export function statedKind(body: Buffer): { kind: string; apiVersion: string } | string {
  try {
    checkSyntax(body);
  } catch (error) {
    return (error as Error).message;
  }
  return kindIn(JSON.parse(body.toString()));
}

/** The same of what has been parsed. */
export function kindIn(parsed: unknown): { kind: string; apiVersion: string } | string {
  const fields = parsed === null ? {} : parsed;
  if (!isObject(fields)) {
    return `json: cannot unmarshal ${jsonTypeName(fields)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`;
  }
  for (const [name, value] of Object.entries(fields)) {
    if ((name !== 'kind' && name !== 'apiVersion') || value === null || typeof value === 'string') continue;
    return `json: cannot unmarshal ${jsonTypeName(value)} into Go struct field .${name} of type string`;
  }
  const { kind, apiVersion } = fields as { kind?: string | null; apiVersion?: string | null };
  return { kind: kind ?? '', apiVersion: apiVersion ?? '' };
}

function summarize(body: Buffer): string {
  const limit = 30;
  if (body.length === 0) return '<empty>';
  const encoding = body[0] === 0x7b ? 'utf8' : 'hex';
  return body.length > limit ? `${body.toString(encoding, 0, limit)} ...` : body.toString(encoding);
}
