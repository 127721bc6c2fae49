// A list is never built as one object or one string: cached bytes are copied into chunks, and chunks go to the socket as it takes them.
import { ownBytes } from '../../base/own-bytes.ts';
import { Pace } from '../../base/pace.ts';
import { frameListItem, listAround } from '../../machinery/codec/protobuf/list.ts';
import type { ListMeta } from '../../machinery/object-meta.ts';
import type { Request } from '../http/request.ts';
import { Chunk } from '../http/chunk.ts';
import type { BodySink, Response, StreamBody } from '../http/response.ts';
import { indentJson } from '../../machinery/codec/json/write.ts';
import { encodeObject, metaType } from '../object/codecs.ts';
import type { OutputForm } from '../http/media-types.ts';
import { builtInProfile } from '../object/profile.ts';
import type { StoredEntry } from '../registry/entry.ts';
import type { Endpoint } from './endpoint.ts';
import type { Page } from './list.ts';
import { bodyHeaders, jsonPrefix, notThatForm, partialMetadata, partialMetadataHead, sameShape, versioned } from './render.ts';
import type { TableRow } from './table-rows.ts';
import { appendRow, tableRows, wholeTable } from './table-rows.ts';

type Body = Buffer | StreamBody;

export async function listResponse(endpoint: Endpoint, request: Request, form: OutputForm, found: Page): Promise<Response> {
  const headers = bodyHeaders(form);
  const page = form.as === 'object' || found.metadata.shardInfo === undefined ? found : withoutShardInfo(found);
  if (form.partial === 'PartialObjectMetadata') {
    throw notThatForm(`${form.partial}, but the requested object is a list`, endpoint, endpoint.versionedKind.listKind);
  }
  if (form.as === 'table') return { status: 200, headers, body: await tableBody(endpoint, request, form, page) };
  if (form.media === 'protobuf') return { status: 200, headers, body: await protobufBody(endpoint, form, page) };
  if (form.media === 'json') {
    const body = await jsonBody(endpoint, form, page);
    return { status: 200, headers, body: form.pretty && Buffer.isBuffer(body) ? Buffer.from(indentJson(body.toString().trimEnd())) : body };
  }
  return { status: 200, headers, body: await (form.media === 'yaml' ? yamlBody : cborBody)(endpoint, form, page) };
}

/** Tables and lists of metadata do not say that they are a part: a quirk kept. */
function withoutShardInfo({ items, metadata: { shardInfo: _, ...metadata } }: Page): Page {
  return { items, metadata };
}

async function jsonBody(endpoint: Endpoint, form: OutputForm, page: Page): Promise<Body> {
  const { head, tail } = jsonFrame(endpoint, form, page.metadata);
  const items = page.items[Symbol.iterator]();
  let next = items.next();
  // A list of metadata that has nothing in it has no list either: a quirk kept.
  if (next.done && form.as === 'metadata') return Buffer.from(`${head.slice(0, -1)}null}\n`);
  const chunk = newChunk(endpoint, form);
  const append = itemWriter(endpoint, form, chunk);
  // Stored bytes are copied by the chunk in no time; what is decoded and written anew is not.
  const pace = copiesBytes(endpoint, form) ? undefined : new Pace(endpoint.context.slices);
  chunk.text(head);
  let first = true;
  const fill = (): Filled => {
    while (!next.done) {
      if (pace?.isDue) return pace.rest();
      if (!first) chunk.byte(comma);
      first = false;
      append(next.value);
      next = items.next();
      if (chunk.full) return 'full';
    }
    chunk.text(tail);
    return 'done';
  };
  return filled(endpoint, chunk, fill);
}

function copiesBytes(endpoint: Endpoint, form: OutputForm): boolean {
  return form.as === 'object' && sameShape(endpoint);
}

/** Why filling has stopped; a promise: others are to have their turn first. */
type Filled = 'full' | 'done' | Promise<void>;

async function fillUp(fill: () => Filled): Promise<'full' | 'done'> {
  for (;;) {
    const filled = fill();
    if (typeof filled === 'string') return filled;
    await filled;
  }
}

/** bytes that TLS and the socket take in a millisecond, about */
const sentPerMs = 512 << 10;

/** One buffer when everything fits, else chunk after chunk as fast as the client reads, and as others have had their turn. */
async function filled({ context }: Endpoint, chunk: Chunk, fill: () => Filled): Promise<Body> {
  if ((await fillUp(fill)) === 'done') return chunk.finish();
  return async (sink: BodySink) => {
    const pace = new Pace(context.slices);
    for (let filled: 'full' | 'done' = 'full'; !sink.closed; filled = await fillUp(fill)) {
      const { bytes, release } = chunk.hand();
      // It is encrypted and given to the socket at the end of this turn.
      pace.owe(bytes.length / sentPerMs);
      if (!sink.write(bytes, release)) await sink.drained();
      if (filled === 'done') return;
      if (pace.isDue) await pace.rest();
    }
  };
}

function newChunk({ context }: Endpoint, form: OutputForm): Chunk {
  return new Chunk(context.chunks, form.pretty ? Infinity : (context.chunks.size * 7) / 8);
}

/** Puts one object of a JSON list into the chunk. */
function itemWriter(endpoint: Endpoint, form: OutputForm, chunk: Chunk): (entry: StoredEntry) => void {
  const { versionedKind, context } = endpoint;
  if (copiesBytes(endpoint, form)) {
    // Items of a built-in list carry no kind and apiVersion; those of custom resources do.
    const prefix = versionedKind.profile.json.namesItems ? jsonPrefix(endpoint) : openBrace;
    const prefixLength = prefix?.length ?? 0;
    return (entry) =>
      chunk.space(entry.value.length + prefixLength + maxVersionLength, (target, offset) => entry.writeJson(target, offset, prefix));
  }
  if (form.as === 'metadata') {
    const head = partialMetadataHead(endpoint, form);
    if (head !== undefined) return (entry) => chunk.bytes(entry.metadataJson(head, '}', Buffer.allocUnsafe));
    const type = metaType(context.codecs, 'PartialObjectMetadata', form.metaVersion);
    return (entry) =>
      chunk.bytes(Buffer.from(context.codecs.json.encode(partialMetadata(endpoint, versioned(endpoint, entry), form), type)));
  }
  return (entry) => {
    const { kind: _, apiVersion: __, ...bare } = versioned(endpoint, entry);
    chunk.bytes(Buffer.from(context.codecs.json.encode(bare, versionedKind.type)));
  };
}

const comma = 0x2c;
/** `,"resourceVersion":"` and a number */
const maxVersionLength = 64;
const openBrace = Buffer.from('{');

function jsonFrame({ versionedKind }: Endpoint, form: OutputForm, metadata: ListMeta): { head: string; tail: string } {
  const { profile, listKind, apiVersion } = versionedKind;
  if (form.as === 'metadata')
    return builtInProfile.json.listFrame('PartialObjectMetadataList', `meta.k8s.io/${form.metaVersion}`, metadata);
  return profile.json.listFrame(listKind, apiVersion, metadata);
}

/** Lengths come first in protobuf: all items are rendered (from the EncodingCache, mostly) before the first byte is sent. */
async function protobufBody(endpoint: Endpoint, form: OutputForm, page: Page): Promise<Body> {
  const { versionedKind, context } = endpoint;
  const { protobuf } = context.codecs;
  const metadataType = metaType(context.codecs, 'PartialObjectMetadata', form.metaVersion);
  // Made once: the text is looked up for every item.
  const encoding = `${versionedKind.apiVersion} protobuf item`;
  const makeItem = (entry: StoredEntry): Buffer => {
    if (form.as === 'metadata')
      return frameListItem(protobuf.encode(partialMetadata(endpoint, versioned(endpoint, entry), form), metadataType));
    const framed = ownBytes(frameListItem(protobuf.encode(versioned(endpoint, entry), versionedKind.type)));
    context.encodings.keep(entry, encoding, framed);
    return framed;
  };
  const items: Buffer[] = [];
  let length = 0;
  const pace = new Pace(endpoint.context.slices);
  for (const entry of page.items) {
    const known = form.as === 'metadata' ? undefined : context.encodings.find<Buffer>(entry, encoding);
    const framed = known ?? makeItem(entry);
    length += framed.length;
    items.push(framed);
    // What is known takes less time than a look at the clock.
    if ((known === undefined || items.length % 64 === 0) && pace.isDue) await pace.rest();
  }
  const typeMeta =
    form.as === 'metadata'
      ? { kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${form.metaVersion}` }
      : { kind: versionedKind.listKind, apiVersion: versionedKind.apiVersion };
  const { before, after } = listAround(typeMeta, protobuf.encode(page.metadata, metaType(context.codecs, 'ListMeta')), length);
  return concatenated(endpoint, newChunk(endpoint, form), [before, ...items, after]);
}

function concatenated(endpoint: Endpoint, chunk: Chunk, parts: readonly Buffer[]): Promise<Body> {
  let at = 0;
  const fill = (): Filled => {
    while (at < parts.length) {
      chunk.bytes(parts[at++] as Buffer);
      if (chunk.full && at < parts.length) return 'full';
    }
    return 'done';
  };
  return filled(endpoint, chunk, fill);
}

async function tableBody(endpoint: Endpoint, request: Request, form: OutputForm, page: Page): Promise<Body> {
  const entries = [...page.items];
  const isKept = form.media === 'json' && !form.pretty && endpoint.resource.definition.rowOrder === undefined;
  if (!isKept || entries.length === 0) return wholeTable(endpoint, request, form, { ...page, items: entries });
  const { head, rows, tail, clock } = await tableRows(endpoint, request, form, page.metadata, entries);
  const chunk = newChunk(endpoint, form);
  chunk.bytes(head);
  let at = 0;
  const fill = (): Filled => {
    while (at < rows.length) {
      if (at > 0) chunk.byte(comma);
      appendRow(chunk, rows[at++] as TableRow, clock);
      if (chunk.full) return 'full';
    }
    chunk.bytes(tail);
    return 'done';
  };
  return filled(endpoint, chunk, fill);
}

/** CBOR: rare, and not worth a streaming writer. */
async function cborBody(endpoint: Endpoint, form: OutputForm, page: Page): Promise<Buffer> {
  const items: unknown[] = [];
  const pace = new Pace(endpoint.context.slices);
  for (const entry of page.items) {
    if (pace.isDue) await pace.rest();
    items.push(listedItem(endpoint, form, entry));
  }
  return listEncoder(endpoint, form, page.metadata)(items);
}

function listedItem(endpoint: Endpoint, form: OutputForm, entry: StoredEntry): unknown {
  const object = versioned(endpoint, entry);
  if (form.as === 'metadata') return partialMetadata(endpoint, object, form);
  if (endpoint.versionedKind.profile.json.namesItems) return object;
  const { kind: _, apiVersion: __, ...bare } = object;
  return bare;
}

type ListEncoder = (items: readonly unknown[]) => Buffer;

function listEncoder({ versionedKind, context: { codecs } }: Endpoint, form: OutputForm, metadata: ListMeta): ListEncoder {
  if (form.as === 'metadata') {
    const type = metaType(codecs, 'PartialObjectMetadataList', form.metaVersion);
    const head = { kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${form.metaVersion}`, metadata };
    return (items) => {
      const list = { ...head, items };
      return encodeObject(codecs, form.media, list, type, false);
    };
  }
  const head = { kind: versionedKind.listKind, apiVersion: versionedKind.apiVersion, metadata };
  const type = versionedKind.profile.isTyped ? codecs.schema.listTypeOf(versionedKind) : undefined;
  if (type !== undefined)
    return (items) => {
      const list = { ...head, items };
      return encodeObject(codecs, form.media, list, type, false);
    };
  if (form.media === 'yaml') return (items) => Buffer.from(codecs.yaml.encodeUnstructured({ ...head, items }));
  return (items) => codecs.cbor.encodeUnstructured({ ...head, items }, 'shuffled');
}

const mostItemsAtOnce = 20;
const mostBytesAtOnce = 32 << 10;
const noItemsLine = '\nitems: []\n';
const itemsLine = '\nitems:\n';

/** An item of a list reads the same whatever stands before it, so they are written a few at a time: others get their turn in between. */
async function yamlBody(endpoint: Endpoint, form: OutputForm, page: Page): Promise<Body> {
  const encode = listEncoder(endpoint, form, page.metadata);
  const frame = encode([]);
  const at = frame.indexOf(noItemsLine);
  const entries = page.items[Symbol.iterator]();
  let next = entries.next();
  if (next.done || at < 0) return encode([...page.items].map((entry) => listedItem(endpoint, form, entry)));
  const tail = frame.subarray(at + noItemsLine.length);
  const chunk = newChunk(endpoint, form);
  const pace = new Pace(endpoint.context.slices);
  chunk.bytes(frame.subarray(0, at));
  chunk.text(itemsLine);
  const fill = (): Filled => {
    while (!next.done) {
      if (pace.isDue) return pace.rest();
      const items: unknown[] = [];
      for (let bytes = 0; !next.done && items.length < mostItemsAtOnce && bytes < mostBytesAtOnce; next = entries.next()) {
        bytes += next.value.value.length;
        items.push(listedItem(endpoint, form, next.value));
      }
      const part = encode(items);
      chunk.bytes(part.subarray(at + itemsLine.length, part.length - tail.length));
      if (chunk.full) return 'full';
    }
    chunk.bytes(tail);
    return 'done';
  };
  return filled(endpoint, chunk, fill);
}
