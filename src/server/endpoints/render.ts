// Upstream: k8s.io/apiserver/pkg/endpoints/handlers/response.go
import { ownBytes } from '../../base/own-bytes.ts';
import type { Steps } from '../../base/steps.ts';
import { allSteps, stepByStep } from '../../base/steps.ts';
import { largeBytes, nextTurn } from '../../base/turns.ts';
import { deepCopy } from '../../machinery/deep-copy.ts';
import type { ApiError } from '../../machinery/errors.ts';
import { unacceptableForm } from '../../machinery/errors.ts';
import type { ObjectMeta } from '../../machinery/object-meta.ts';
import { decodeTableOptions } from '../../machinery/options.ts';
import type { TableClock } from '../../table/table-clock.ts';
import { clockAt } from '../../table/table-clock.ts';
import type { Table, TableRequest } from '../../table/table.ts';
import { tableOf } from '../../table/table.ts';
import type { Request } from '../http/request.ts';
import type { OutgoingHeaders, Response } from '../http/response.ts';
import { encodeObject, metaType } from '../object/codecs.ts';
import type { OutputForm } from '../http/media-types.ts';
import { contentTypes } from '../http/media-types.ts';
import type { KubeObject } from '../registry/definition.ts';
import type { StoredEntry } from '../registry/entry.ts';
import { fromStorage, toStorage } from '../registry/resource.ts';
import type { Endpoint } from './endpoint.ts';

const headersByMedia: Readonly<Record<string, Readonly<OutgoingHeaders>>> = Object.fromEntries(
  Object.entries(contentTypes).map(([media, type]) => [media, Object.freeze({ 'content-type': type })]),
);

export function bodyHeaders(form: Pick<OutputForm, 'media'>): Readonly<OutgoingHeaders> {
  return headersByMedia[form.media] as OutgoingHeaders;
}

/** One stored object as the client asked for it. Others get their turn while a large one is made. */
export function entryResponse(
  endpoint: Endpoint,
  request: Request,
  form: OutputForm,
  entry: StoredEntry,
  status = 200,
): Response | Promise<Response> {
  const headers = bodyHeaders(form);
  const known = form.as === 'object' ? knownBytes(endpoint, form, entry) : undefined;
  if (known !== undefined) return { status, headers, body: known };
  const rendered = rendering(endpoint, request, form, entry);
  if (entry.value.length < largeBytes) return { status, headers, body: allSteps(rendered) };
  return inTurns(rendered).then((body) => ({ status, headers, body }));
}

/** A turn that begins where requests arrive has others behind it: the first step is in the next one. */
async function inTurns<T>(steps: Steps<T>): Promise<T> {
  await nextTurn();
  return stepByStep(steps);
}

/** The bytes of an object in its own type, where they need not be made: JSON of the stored shape is copied, other forms are kept while hot. */
function knownBytes(endpoint: Endpoint, form: OutputForm, entry: StoredEntry): Buffer | undefined {
  if (form.media === 'json' && !form.pretty && sameShape(endpoint)) {
    const prefix = jsonPrefix(endpoint);
    const length = entry.jsonLength(prefix);
    const bytes = Buffer.allocUnsafe(length + 1);
    entry.writeJson(bytes, 0, prefix);
    bytes[length] = 0x0a;
    return bytes;
  }
  return isKept(form) ? endpoint.context.encodings.find(entry, encodingOf(endpoint, form)) : undefined;
}

function* rendering(endpoint: Endpoint, request: Request, form: OutputForm, entry: StoredEntry): Steps<Buffer> {
  const object = versioned(endpoint, entry);
  yield;
  if (form.as !== 'object') return renderObject(endpoint, request, form, object);
  const bytes = yield* endpoint.versionedKind.encoding(form.media, object, form.pretty);
  if (isKept(form)) endpoint.context.encodings.keep(entry, encodingOf(endpoint, form), ownBytes(bytes));
  return bytes;
}

function isKept({ pretty, media }: OutputForm): boolean {
  return !pretty && media !== 'yaml' && media !== 'cbor';
}

function encodingOf({ versionedKind }: Endpoint, { media }: OutputForm): string {
  return `${versionedKind.apiVersion} ${media}`;
}

/** The object at the endpoint's version, parsed. */
export function versioned({ resource, versionedKind }: Endpoint, entry: StoredEntry): KubeObject {
  return fromStorage(resource, versionedKind, resource.store.parse(entry));
}

/** Stored bytes serve this version as they are, but for kind and apiVersion. */
export function sameShape({ resource, versionedKind }: Endpoint): boolean {
  if (versionedKind === resource.storage) return true;
  const { conversions } = resource.definition;
  return (
    conversions?.[`${versionedKind.group}/${versionedKind.version}`] === undefined && conversions?.[versionedKind.version] === undefined
  );
}

/** What replaces the stored kind and apiVersion; undefined: nothing does. */
export function jsonPrefix({ resource, versionedKind }: Endpoint): Buffer | undefined {
  if (versionedKind === resource.storage) return undefined;
  const { profile, kind, apiVersion } = versionedKind;
  return Buffer.from(profile.json.head(kind, apiVersion));
}

/** An object that is not stored (responses of subresources, objects of a dry run in another form). */
function renderObject(endpoint: Endpoint, request: Request, form: OutputForm, object: KubeObject): Buffer {
  const { versionedKind, context } = endpoint;
  switch (form.as) {
    case 'object':
      return versionedKind.encode(form.media, object, form.pretty);
    case 'metadata':
      if (form.partial === 'PartialObjectMetadataList' && !versionedKind.profile.isTyped)
        // A quirk kept: an object without a Go type could be a list, until it is looked into.
        throw new Error('content is not a list');
      if (form.partial === 'PartialObjectMetadataList')
        throw notThatForm(`${form.partial}, but the requested object is not a list`, endpoint, versionedKind.kind);
      return encodeObject(
        context.codecs,
        form.media,
        partialMetadata(endpoint, object, form),
        metaType(context.codecs, 'PartialObjectMetadata', form.metaVersion),
        form.pretty,
      );
    case 'table': {
      const options = decodeTableOptions(request.query);
      const table = tableFor(endpoint, form, [object], {
        listMeta: { resourceVersion: object.metadata.resourceVersion ?? '' },
        includeObject: options.includeObject,
        noHeaders: false,
      });
      return encodeObject(context.codecs, form.media, table, metaType(context.codecs, 'Table', form.metaVersion), form.pretty);
    }
  }
}

/** 406 for metadata of a list where one object is, and the other way round. Names upstream's own type, as upstream does. */
export function notThatForm(what: string, { resource, versionedKind }: Endpoint, kind: string): ApiError {
  const type = versionedKind.profile.goTypeOf(resource.group, kind, kind !== versionedKind.kind);
  return unacceptableForm(`you requested ${what} (${type})`);
}

/** Cells show what is stored, whatever version the objects of the rows are at. */
export function tableFor(
  endpoint: Endpoint,
  { metaVersion }: Pick<OutputForm, 'metaVersion'>,
  objects: readonly KubeObject[],
  about: Pick<TableRequest<KubeObject>, 'listMeta' | 'includeObject' | 'noHeaders' | 'isList' | 'listed'>,
  clock: TableClock = clockAt(endpoint.context.clock.now()),
): Table {
  const { context, resource, versionedKind } = endpoint;
  const { columns, rowConditions, rowOrder } = resource.definition;
  return tableOf({
    ...about,
    columns,
    rowConditions,
    objects: rowOrder === undefined ? objects : objects.toSorted(rowOrder),
    rowMetadata: (object) => partialMetadata(endpoint, object, { metaVersion }),
    ...(!sameShape(endpoint) && { cellSource: (object: KubeObject) => toStorage(resource, versionedKind, deepCopy(object)) }),
    descriptions: context.descriptions,
    metaVersion,
    clock,
  });
}

export function partialMetadata(
  { resource }: Pick<Endpoint, 'resource'>,
  { metadata }: KubeObject,
  { metaVersion }: Pick<OutputForm, 'metaVersion'>,
): KubeObject {
  const { fieldAnnotations } = resource.definition;
  const shown = fieldAnnotations === undefined ? metadata : withoutAnnotations(metadata, fieldAnnotations);
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${metaVersion}`, metadata: shown };
}

/** What precedes stored `metadata` in the JSON of PartialObjectMetadata; undefined: those bytes are not what is shown. */
export function partialMetadataHead(endpoint: Endpoint, { media, metaVersion }: OutputForm): string | undefined {
  // Stored fields of custom resources are in alphabetical order.
  const isStored = endpoint.versionedKind.profile.isTyped && endpoint.resource.definition.fieldAnnotations === undefined;
  if (media !== 'json' || !isStored || !sameShape(endpoint)) return undefined;
  return `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/${metaVersion}","metadata":`;
}

function withoutAnnotations({ annotations, ...rest }: ObjectMeta, hidden: readonly string[]): ObjectMeta {
  const shown = Object.entries(annotations ?? {}).filter(([name]) => !hidden.includes(name));
  return shown.length === 0 ? rest : { ...rest, annotations: Object.fromEntries(shown) };
}
