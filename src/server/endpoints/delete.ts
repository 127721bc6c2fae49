// Upstream: k8s.io/apiserver/pkg/endpoints/handlers/delete.go
import type { Steps } from '../../base/steps.ts';
import { allSteps, stepByStep } from '../../base/steps.ts';
import { largeBytes } from '../../base/turns.ts';
import { DecodeError } from '../../machinery/codec/decode-error.ts';
import { badRequest } from '../../machinery/errors.ts';
import { parseGroupVersion, unexpectedGroupVersionMessage } from '../../machinery/group-version.ts';

import { checkDeleteOptions, decodeDeleteOptions } from '../../machinery/options.ts';
import type { AdmissionAttributes } from '../admission/admission.ts';
import type { AuthenticatedRequest } from '../request/stages.ts';
import type { Response } from '../http/response.ts';
import { decodeObject, encodeObject, metaType } from '../object/codecs.ts';
import type { OutputForm } from '../http/media-types.ts';
import { negotiateInput, negotiateOutput } from '../http/media-types.ts';
import type { KubeObject } from '../registry/definition.ts';
import { forVersion } from '../registry/definition.ts';
import type { DeleteOptions, DeleteResult } from '../registry/delete.ts';
import { deleteObject } from '../registry/delete.ts';
import type { Endpoint } from './endpoint.ts';
import { requireKey } from './object-key.ts';
import { bodyHeaders, entryResponse } from './render.ts';
import { unsafeDelete } from './unsafe-delete.ts';
import type { WriteOptions } from './write.ts';
import { admissionAttributes, readBody, readingYamlBody, statedKind, writeContext, yamlKind } from './write.ts';

export async function remove(endpoint: Endpoint, request: AuthenticatedRequest): Promise<Response> {
  const { resource, versionedKind } = endpoint;
  const info = request.info;
  const form = negotiateOutput(request, versionedKind.mediaTypes);
  const options = await deleteOptions(endpoint, request);
  if (options.ignoreStoreReadErrorWithClusterBreakingPotential && endpoint.context.features.enabled('AllowUnsafeMalformedObjectDeletion')) {
    request.audit?.annotate('apiserver.k8s.io/unsafe-delete-ignore-read-error', '');
    await unsafeDelete(endpoint, request, options);
    const details = { name: info.name, kind: versionedKind.kind };
    return statusResponse(endpoint, form, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details, code: 200 }, 200);
  }
  request.span?.event('About to delete object from database');
  const { entry, deleted } = await deleteOne(endpoint, request, info.namespace, info.name, options);
  request.span?.event('Object deleted from database');
  const status = !deleted && options.orphanDependents === false ? 202 : 200;
  if (deleted && !forVersion(resource.strategy.returnDeletedObject ?? false, versionedKind.version)) {
    const { group, plural } = resource.names;
    return statusResponse(
      endpoint,
      form,
      {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Success',
        details: { name: entry.fields['metadata.name'] ?? '', ...(group !== '' && { group }), kind: plural, uid: entry.uid },
      },
      status,
    );
  }
  return entryResponse(endpoint, request, form, entry, status);
}

export function deleteOne(
  endpoint: Endpoint,
  request: AuthenticatedRequest,
  namespace: string,
  name: string,
  options: DeleteOptions,
): Promise<DeleteResult> {
  const { resource, context } = endpoint;
  requireKey(resource, namespace, name);
  const writeOptions: WriteOptions = { dryRun: options.dryRun ?? [], fieldManager: '', fieldValidation: '' };
  const inCollection = request.info.verb === 'deletecollection';
  const write = { ...writeContext(endpoint, request, writeOptions, namespace, name), inCollection };
  const given = options as Readonly<Record<string, unknown>>;
  return deleteObject(resource, name, options, write, async (parse) => {
    let old: KubeObject | undefined;
    const attributes: AdmissionAttributes = {
      ...admissionAttributes(endpoint, request, 'DELETE', write, undefined, undefined, given),
      // Of a collection admission sees each object, but none of their names: a quirk kept.
      ...(inCollection && { name: '' }),
      get old() {
        return (old ??= parse());
      },
    };
    await context.admission.mutate(attributes);
    await context.admission.validate(attributes);
  });
}

/** From the body when there is one, then the query is ignored; from the query otherwise. */
export async function deleteOptions({ context }: Endpoint, request: AuthenticatedRequest): Promise<DeleteOptions> {
  const body = await readBody(context, request);
  if (body.length === 0) return { ...decodeDeleteOptions(request.query) };
  const decoding = decodingOptionsBody(context, request, body);
  const options = body.length < largeBytes ? allSteps(decoding) : await stepByStep(decoding);
  request.audit?.sent(undefined, () => recordedOptions(context, options));
  if (!context.features.enabled('AllowUnsafeMalformedObjectDeletion')) delete options.ignoreStoreReadErrorWithClusterBreakingPotential;
  checkDeleteOptions(options);
  return options;
}

/** A quirk kept: the audit log names the version that options have inside of upstream, whatever was sent. */
function recordedOptions({ codecs }: Endpoint['context'], options: DeleteOptions): string {
  const object = { ...options, kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/__internal' };
  return encodeObject(codecs, 'json', object, metaType(codecs, 'DeleteOptions'), false).toString();
}

/** Options are of any version that can be read as one. */
function checkOptionsKind({ kind, apiVersion = '' }: { kind?: unknown; apiVersion?: unknown }): void {
  const stated = String(apiVersion);
  const groupVersion = parseGroupVersion(stated);
  if (groupVersion === undefined) throw badRequest(unexpectedGroupVersionMessage(stated));
  if (kind === undefined || kind === '' || kind === 'DeleteOptions') return;
  const { group, version } = groupVersion.version === '' ? { group: 'meta.k8s.io', version: 'v1' } : groupVersion;
  const shown = JSON.stringify(group === '' ? version : `${group}/${version}`);
  throw badRequest(`no kind ${JSON.stringify(kind)} is registered for version ${shown} in scheme "pkg/runtime/scheme.go:111"`);
}

function* decodingOptionsBody({ codecs }: Endpoint['context'], request: AuthenticatedRequest, body: Buffer): Steps<DeleteOptions> {
  const media = negotiateInput(request.header('content-type'), codecs.served.documents.plain);
  const type = metaType(codecs, 'DeleteOptions');
  try {
    const source = media === 'yaml' ? yield* readingYamlBody(body) : body;
    yield;
    const { object } = decodeObject(codecs, media, source, type, false);
    checkOptionsKind(object);
    return object as DeleteOptions;
  } catch (error) {
    if (error instanceof DecodeError) {
      const stated = media === 'json' ? statedKind(body) : media === 'yaml' ? yield* yamlKind(body) : undefined;
      throw badRequest(typeof stated === 'string' ? `couldn't get version/kind; json parse error: ${stated}` : error.message, {
        cause: error,
      });
    }
    throw error;
  }
}

export function statusResponse({ context }: Pick<Endpoint, 'context'>, form: OutputForm, status: object, code: number): Response {
  const { codecs } = context;
  const plain = form.as === 'object' ? form : { ...form, as: 'object' as const };
  return {
    status: code,
    headers: bodyHeaders(plain),
    body: encodeObject(codecs, plain.media, status, metaType(codecs, 'Status'), plain.pretty),
  };
}
