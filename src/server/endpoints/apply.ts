// Upstream: k8s.io/apiserver/pkg/endpoints/handlers/patch.go#applyPatcher
import type { Steps } from '../../base/steps.ts';
import { allSteps, stepByStep } from '../../base/steps.ts';
import { largeBytes } from '../../base/turns.ts';
import { DecodeError } from '../../machinery/codec/decode-error.ts';
import { writeSorted } from '../../machinery/codec/json/write.ts';
import { badRequest, conflict } from '../../machinery/errors.ts';
import type { PatchOptions, PatchType } from '../../machinery/options.ts';
import { describeObject } from '../../patch/field-manager.ts';
import type { JsonObject } from '../../patch/json/json-object.ts';
import type { AuthenticatedRequest } from '../request/stages.ts';
import type { Response } from '../http/response.ts';
import type { OutputForm } from '../http/media-types.ts';
import type { WriteContext } from '../registry/context.ts';
import type { KubeObject, SubresourceUpdate } from '../registry/definition.ts';
import { ensureNamespace } from '../registry/rules.ts';
import type { VersionedKind } from '../object/versioned-kind.ts';
import { checkObjectAmount } from './body-amount.ts';
import type { Endpoint } from './endpoint.ts';
import { cborApplyPatch } from './patch-mechanism.ts';
import { entryResponse } from './render.ts';
import { storeUpdate } from './store-update.ts';
import { warnOfStrictErrors } from './strict-warnings.ts';
import { checkName, readingYamlBody } from './write.ts';

/** What is to be applied, as it was sent. */
export interface Configuration {
  readonly body: Buffer;
  readonly type: PatchType;
}

/** Server-side apply: what the configuration says becomes so, and its manager owns it. Creates what is not there. */
export async function serverSideApply(
  endpoint: Endpoint,
  request: AuthenticatedRequest,
  form: OutputForm,
  configuration: Configuration,
  options: PatchOptions,
  write: WriteContext,
  subresourceUpdate: SubresourceUpdate | undefined,
): Promise<Response> {
  const { resource, versionedKind, context } = endpoint;
  const info = request.info;
  const { config, strictErrors } = await decodeConfiguration(endpoint, request, configuration, options);
  await write.turn?.();
  const manager = context.fieldManagers.of(resource, versionedKind, write.subresource);
  const { entry, created } = await storeUpdate(
    endpoint,
    request,
    write,
    { ...options },
    {
      trackFields: false,
      // A subresource is part of what is there: applying it creates nothing.
      forceAllowCreate: write.subresource === '',
      ...(subresourceUpdate !== undefined && { subresourceUpdate }),
      async change(live, turn) {
        const apply = {
          live: live as JsonObject | undefined,
          config,
          manager: options.fieldManager,
          force: options.force ?? false,
          isLarge: turn !== undefined,
        };
        const applied = await context.fieldManagers.use(resource, () => manager.applying({ ...apply, now: write.now }), turn);
        if (turn !== undefined) checkObjectAmount(applied.object, versionedKind.profile.isTyped);
        await turn?.();
        reportStrictErrors(request, options, strictErrors);
        const decoding = decodingApplied(endpoint, applied.object, config);
        const object = turn === undefined ? allSteps(decoding) : await stepByStep(decoding);
        const { uid } = object.metadata;
        if (uid && live === undefined) {
          throw conflict(
            resource.groupResource,
            info.name,
            `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
          );
        }
        ensureNamespace(object.metadata, info.namespace, resource.namespaced);
        checkName(object, info);
        return object;
      },
    },
  );
  await write.turn?.();
  return entryResponse(endpoint, request, form, entry, created ? 201 : 200);
}

export async function decodeConfiguration(
  { context }: Endpoint,
  request: AuthenticatedRequest,
  { body, type }: Configuration,
  options: PatchOptions,
): Promise<{ config: JsonObject; strictErrors: readonly string[] }> {
  try {
    if (type === cborApplyPatch) {
      // A map that has a key twice is no CBOR at all: there is nothing to be strict about.
      const { object } = context.codecs.cbor.decodeUnstructured(body);
      request.audit?.sentPatch(() => writeSorted(object));
      return { config: object, strictErrors: [] };
    }
    const strict = options.fieldValidation !== 'Ignore';
    const source = body.length < largeBytes ? body : await stepByStep(readingYamlBody(body));
    const { object, strictErrors } = context.codecs.yaml.decodeUnstructured(source, strict ? 'strict' : 'ignore');
    // JSON is YAML too, and recorded as it is.
    request.audit?.sentPatch(() => (isJson(body) ? body.toString() : writeSorted(object)));
    return { config: object, strictErrors };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw badRequest(type === cborApplyPatch ? `error decoding patch: ${error.message}` : unreadable(body, error.message), {
      cause: error,
    });
  }
}

/** What is no YAML is found while it is made JSON, unless it looks like JSON; the rest while that JSON is read. */
function unreadable(body: Buffer, message: string): string {
  if (notJson.test(message))
    return isJson(body) ? `error decoding patch: error converting YAML to JSON: ${message}` : `error encoding patch: ${message}`;
  return `error decoding patch: ${message.startsWith('json: ') ? `error unmarshaling JSON: while decoding JSON: ${message}` : message}`;
}

const notJson = /^(?:yaml: |json: unsupported value|unsupported map key)/;

function inYaml(error: string): string {
  return error.startsWith('yaml: ') ? `error converting YAML to JSON: ${error}` : error;
}

function isJson(body: Buffer): boolean {
  return /^\s*\{/.test(body.toString('utf8', 0, 64));
}

export function reportStrictErrors(request: AuthenticatedRequest, options: PatchOptions, errors: readonly string[]): void {
  if (errors.length === 0) return;
  if (options.fieldValidation === 'Strict') throw badRequest(`error strict decoding patch: ${errors.map(inYaml).join(', ')}`);
  warnOfStrictErrors(request, errors);
}

/** The merged object, read by its type again: nulls, spellings and defaults as any other body. */
function* decodingApplied({ versionedKind }: Endpoint, merged: JsonObject, config: JsonObject): Steps<KubeObject> {
  const object = yield* decodingMerged(versionedKind, merged, config);
  yield;
  versionedKind.applyDefaults(object);
  return object;
}

/** What cannot be read gives 500 and no reason, as by upstream: a plain Error. */
function* decodingMerged(versionedKind: VersionedKind, merged: JsonObject, config: JsonObject): Steps<KubeObject> {
  try {
    return yield* versionedKind.decodingMerged(merged);
  } catch (error) {
    if (!(error instanceof DecodeError) || !versionedKind.profile.isTyped) throw error;
    const { group, version, kind } = versionedKind;
    const why = `unable to convert unstructured object to ${group}/${version}, Kind=${kind}: ${error.message}`;
    throw new Error(`failed to convert new object (${describeObject(config)}) to proper version: ${why}`, { cause: error });
  }
}
