// Upstream: k8s.io/apiserver/pkg/endpoints/handlers/patch.go#jsonPatcher, #smpPatcher
import type { Steps } from '../../base/steps.ts';
import { shallow } from '../../machinery/codec/json/depth.ts';
import { checkSyntax } from '../../machinery/codec/json/syntax.ts';
import { parseJson } from '../../machinery/codec/json/parse.ts';
import { DecodeError } from '../../machinery/codec/decode-error.ts';
import { TextDocument, ValueDocument } from '../../machinery/codec/json/document.ts';
import { ApiError, badRequest, invalid, requestEntityTooLarge } from '../../machinery/errors.ts';
import { FieldPath, invalid as invalidField } from '../../machinery/field.ts';
import type { PatchOptions, PatchType } from '../../machinery/options.ts';
import { applyJsonPatch, decodeJsonPatch, unknownOperationFields } from '../../patch/json-patch.ts';
import type { JsonObject } from '../../patch/json/json-object.ts';
import { isObject } from '../../patch/json/json-object.ts';
import { jsonTypeName } from '../../patch/json/json-type-name.ts';
import { applyMergePatch } from '../../patch/merge-patch.ts';
import { NumberLiterals } from '../../patch/number-literals.ts';
import type { Patched } from '../../patch/patched.ts';
import { sortKeys } from '../../patch/strategic/opaque.ts';
import { restore } from '../../patch/restore.ts';
import { applyStrategicMergePatch } from '../../patch/strategic/strategic-merge-patch.ts';
import type { AuthenticatedRequest } from '../request/stages.ts';
import type { Codecs } from '../object/codecs.ts';
import type { KubeObject } from '../registry/definition.ts';
import type { DecodedObject, VersionedKind } from '../object/versioned-kind.ts';
import type { Endpoint } from './endpoint.ts';
import { warnOfStrictErrors } from './strict-warnings.ts';
import { keepEmptyOwners } from './write.ts';

export const jsonPatch = 'application/json-patch+json';
const mergePatch = 'application/merge-patch+json';
const strategicPatch = 'application/strategic-merge-patch+json';
const applyPatch = 'application/apply-patch+yaml';
export const cborApplyPatch = 'application/apply-patch+cbor';
const maxOperations = 10_000;

/** Makes the patched object from the current one, both at the endpoint's version, in two stages. */
export interface PatchMechanism {
  apply(current: KubeObject): Steps<Patched>;
  /** What was patched, read again; field managers that the patch has left alone are those of the current object. */
  read(patched: Patched, current: KubeObject): Steps<KubeObject>;
}

export interface PatchDocument {
  readonly body: Buffer;
  /** the body, parsed */
  readonly document: unknown;
}

export function patchType({ profile, mediaTypes }: VersionedKind, request: AuthenticatedRequest): PatchType {
  const [contentType = ''] = (request.header('content-type') ?? '').split(';');
  const types: readonly PatchType[] = mediaTypes.plain.includes('cbor') ? [...profile.patchTypes, cborApplyPatch] : profile.patchTypes;
  const type = types.find((one) => one === contentType);
  if (type !== undefined) return type;
  throw profile.unsupportedPatch(types);
}

/** Whether the patch is a configuration to apply. */
export function isApply(type: PatchType): type is typeof applyPatch | typeof cborApplyPatch {
  return type === applyPatch || type === cborApplyPatch;
}

export function mechanismOf(
  { versionedKind, context }: Pick<Endpoint, 'versionedKind' | 'context'>,
  request: AuthenticatedRequest,
  type: PatchType,
  { body, document }: PatchDocument,
  options: PatchOptions,
): PatchMechanism {
  const strict = options.fieldValidation !== 'Ignore';
  const mechanism = (apply: PatchMechanism['apply'], extra: readonly string[]): PatchMechanism => ({
    apply,
    read: (patched, current) => decodePatched(versionedKind, request, options, patched, current, extra, type !== strategicPatch),
  });
  // Values without a declared type keep the order of what was patched.
  const isOrdered = versionedKind.profile.isTyped && context.codecs.opaque.holds(versionedKind.type);
  const text = type === strategicPatch ? '' : body.toString();
  const literals = NumberLiterals.in(text);
  const given = literals === undefined ? document : literals.parse(text);
  const inTextOrder = (patched: Patched): Patched => {
    if (literals !== undefined) return { ...patched, text: () => literals.restore(patched.text()), readsText: true };
    return isOrdered ? { ...patched, value: patched.inOrder() } : patched;
  };
  switch (type) {
    case jsonPatch: {
      const operations = decodeJsonPatch(given, { typed: strict });
      if (operations.length > maxOperations) {
        throw requestEntityTooLarge(`The allowed maximum operations in a JSON patch is ${maxOperations}, got ${operations.length}`);
      }
      const duplicates = strict || mayHaveLongNumbers(body) ? duplicateOperationFields(context.codecs, body) : [];
      const complaints = strict ? operationComplaints(operations, duplicates) : [];
      return mechanism(function* (current) {
        const patched = yield* applyJsonPatch(current, operations);
        yield;
        return inTextOrder(patched);
      }, complaints);
    }
    case mergePatch: {
      const duplicates =
        (strict || mayHaveLongNumbers(body)) && isObject(document)
          ? duplicateFields(context.codecs, body, (message) => `error decoding patch: ${message}`)
          : [];
      return mechanism(
        function* (current) {
          const patched = applyMergePatch(current, given, { typed: strict });
          yield;
          return inTextOrder(patched);
        },
        strict ? duplicates : [],
      );
    }
    default:
      const duplicates = strict || mayHaveLongNumbers(body) ? duplicateFields(context.codecs, body) : [];
      return mechanism(
        function* (current) {
          const { type: objectType } = versionedKind;
          const { value, patchText } = applyStrategicMergePatch(current, strategicDocument(document), objectType);
          yield;
          // Values without a declared type are written afresh, whatever the patch changes: a quirk kept.
          const patched = context.codecs.opaque.holds(objectType) ? sortKeys(value) : value;
          // what upstream quotes here is the patch, not the patched object
          return { value: patched, text: patchText, inOrder: () => patched };
        },
        strict ? duplicates : [],
      );
  }
}

/** What stands there twice. Only this reading finds numbers that no float64 holds. */
function duplicateFields({ json }: Codecs, body: Buffer, inWords = (message: string): string => message): readonly string[] {
  try {
    return json.decodeUnstructured(body, 'strict').strictErrors;
  } catch (error) {
    throw error instanceof DecodeError ? badRequest(inWords(error.message), { cause: error }) : error;
  }
}

const longNumber = /(?<![0-9])[0-9]{300}|[0-9][eE]\+?[0-9]{3}/;

/** Whether a body may have numbers beyond float64. */
function mayHaveLongNumbers(body: Buffer): boolean {
  return longNumber.test(body.toString('latin1'));
}

/** Members that an operation has twice. A patch is a list and the decoder reads objects, so it is wrapped into one. */
function duplicateOperationFields(codecs: Codecs, body: Buffer): string[] {
  const wrapped = Buffer.concat([Buffer.from('{"patch":'), body, Buffer.from('}')]);
  const inWords = (message: string): string => `error decoding patch: ${message.replace('Go value', 'Go struct field jsonPatchOp.value')}`;
  return duplicateFields(codecs, wrapped, inWords).map((text) => `json patch ${text.replace('"patch[', '"[')}`);
}

/**
 * By operation, and in the order of its members: what it does not have, in which nothing is looked for, and what is there twice in what it has; then
 * members that are there twice themselves.
 */
function operationComplaints(operations: readonly JsonObject[], duplicates: readonly string[]): string[] {
  const unknown = new Set(unknownOperationFields(operations));
  const byOperation = Map.groupBy(duplicates, (text) => Number(/"\[(\d+)\]/.exec(text)?.[1]));
  return operations.flatMap((operation, index) => {
    const twice = byOperation.get(index) ?? [];
    const inner = Object.keys(operation).flatMap((name) => {
      const stranger = `json patch unknown field "[${index}].${name}"`;
      const within = `json patch duplicate field "[${index}].${name}`;
      return unknown.has(stranger) ? [stranger] : twice.filter((text) => text.startsWith(`${within}.`) || text.startsWith(`${within}[`));
    });
    const own = (['op', 'path', 'from', 'value'] as const).map((name) => `json patch duplicate field "[${index}].${name}"`);
    return [...inner, ...twice.filter((text) => own.includes(text))];
  });
}

function strategicDocument(patch: unknown): JsonObject {
  if (patch === null) return {};
  if (isObject(patch)) return patch;
  throw badRequest(`json: cannot unmarshal ${jsonTypeName(patch)} into Go value of type map[string]interface {}`);
}

export function parsePatch(body: Buffer): unknown {
  try {
    // JSON.parse has no limit of depth; Go has
    if (body.length > 2 * shallow) checkSyntax(body);
  } catch (error) {
    throw error instanceof DecodeError ? badRequest('invalid JSON patch', { cause: error }) : error;
  }
  try {
    return parseJson(body.toString());
  } catch (error) {
    // Numbers that no float64 holds are refused once there is something to patch, and the patch is looked at.
    if (error instanceof DecodeError) return JSON.parse(body.toString()) as unknown;
    throw badRequest('invalid JSON patch', { cause: error });
  }
}

/** What a strategic merge patch made need not decode, if it can be restored. */
function* decodeOrRestore(
  versionedKind: VersionedKind,
  patched: Patched,
  { metadata: { managedFields } }: KubeObject,
  strict: boolean,
  decodesOnly: boolean,
): Steps<DecodedObject> {
  if (patched.readsText) return versionedKind.decode('json', yield* textDocument(patched), strict);
  const bare = versionedKind.profile.isTyped && managedFields !== undefined ? withoutOwners(patched.value, managedFields) : undefined;
  if (managedFields !== undefined && bare !== undefined) {
    const decoded = yield* decodeOrRestore(versionedKind, { ...patched, value: bare }, { metadata: {} }, strict, decodesOnly);
    decoded.object.metadata.managedFields = managedFields;
    return decoded;
  }
  const { value } = patched;
  try {
    const document = new ValueDocument(value);
    yield* document.prepare();
    return versionedKind.decode('json', document, strict);
  } catch (error) {
    if (decodesOnly || !(error instanceof DecodeError)) throw error;
    yield;
    const document = new ValueDocument(restore(value, versionedKind.type));
    yield* document.prepare();
    return versionedKind.decode('json', document, strict);
  }
}

/** A patched object without its field managers, where they are what they were: they need not be read again. */
function withoutOwners(value: unknown, managedFields: unknown): JsonObject | undefined {
  if (!isObject(value) || !isObject(value['metadata'])) return undefined;
  const { managedFields: patched, ...metadata } = value['metadata'];
  return patched === managedFields ? { ...value, metadata } : undefined;
}

function* textDocument(patched: Patched): Steps<TextDocument> {
  const text = patched.text();
  yield;
  const document = yield* TextDocument.reading(Buffer.from(text));
  yield;
  return document;
}

/** What a patch made must still be an object of the kind: read again, with what strict decoding has to say. */
function* decodePatched(
  versionedKind: VersionedKind,
  request: AuthenticatedRequest,
  options: PatchOptions,
  patched: Patched,
  current: KubeObject,
  extra: readonly string[],
  readsText: boolean,
): Steps<KubeObject> {
  const strict = options.fieldValidation !== 'Ignore';
  const quoted = (message: string): Error =>
    invalid({ group: '', kind: '' }, '', [invalidField(FieldPath.root('patch'), patched.text(), message)]);
  let object: KubeObject;
  let strictErrors: readonly string[];
  try {
    ({ object, strictErrors } = yield* decodeOrRestore(versionedKind, patched, current, strict, readsText));
  } catch (error) {
    if (error instanceof DecodeError) throw quoted(error.message);
    // an unknown kind
    if (error instanceof ApiError && error.cause instanceof DecodeError) throw quoted(error.cause.message);
    throw error;
  }
  if (!readsText) strictErrors = strictErrors.toSorted();
  // Upstream decodes that text, so the order of its complaints is the text's.
  yield;
  if (strictErrors.length > 1 && readsText) ({ strictErrors } = versionedKind.decode('json', yield* textDocument(patched), true));
  yield;
  const all = [...extra, ...strictErrors];
  if (all.length > 0) {
    if (options.fieldValidation === 'Strict') throw quoted(`strict decoding error: ${all.join(', ')}`);
    warnOfStrictErrors(request, all);
  }
  yield;
  versionedKind.applyDefaults(object);
  yield;
  keepEmptyOwners(versionedKind, object);
  return object;
}
