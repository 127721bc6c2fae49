// A list is never built as one object or one string: cached bytes are copied into chunks, and chunks go to the socket as it takes them.
import { Pace } from '../../base/pace.ts';
import type { ListMeta } from '../../machinery/object-meta.ts';
import type { Request } from '../http/request.ts';
import { Chunk } from '../http/chunk.ts';
import type { Response } from '../http/response.ts';
import { indentJson } from '../../machinery/codec/json/write.ts';
import { metaType } from '../object/codecs.ts';
import type { OutputForm } from '../http/media-types.ts';
import { builtInProfile } from '../object/profile.ts';
import type { StoredEntry } from '../registry/entry.ts';
import type { Endpoint } from './endpoint.ts';
import type { Page } from './list.ts';
import type { Body, Filled } from './list-body.ts';
import { concatenated, filled, newChunk } from './list-body.ts';
import { cborBody, yamlBody } from './list-in-other-media.ts';
import type { RunItems } from './list-runs.ts';
import { runsOf } from './list-runs.ts';
import type { ProtobufItems } from './protobuf-list.ts';
import { protobufFrame, protobufItems } from './protobuf-list.ts';
import { bodyHeaders, jsonPrefix, notThatForm, partialMetadata, partialMetadataHead, sameShape, versioned } from './render.ts';
import type { TableRow } from './table-rows.ts';
import { appendRow, tableRows, wholeTable } from './table-rows.ts';

export async function listResponse(endpoint: Endpoint, request: Request, form: OutputForm, found: Page): Promise<Response> {
  const headers = bodyHeaders(form);
  const page = form.as === 'object' || found.metadata.shardInfo === undefined ? found : withoutShardInfo(found);
  if (form.partial === 'PartialObjectMetadata') {
    throw notThatForm(`${form.partial}, but the requested object is a list`, endpoint, endpoint.versionedKind.listKind);
  }
  if (form.as === 'table') return { status: 200, headers, body: await tableBody(endpoint, request, form, page) };
  if (form.media === 'protobuf') return { status: 200, headers, body: await protobufBody(endpoint, form, page) };
  if (form.media === 'json') {
    return { status: 200, headers, body: await (form.pretty ? prettyBody : jsonBody)(endpoint, form, page) };
  }
  return { status: 200, headers, body: await (form.media === 'yaml' ? yamlBody : cborBody)(endpoint, form, page) };
}

/** Tables and lists of metadata do not say that they are a part: a quirk kept. */
function withoutShardInfo({ items, metadata: { shardInfo: _, ...metadata } }: Page): Page {
  return { items, metadata };
}

async function jsonBody(endpoint: Endpoint, form: OutputForm, page: Page): Promise<Body> {
  const { head, tail } = jsonFrame(endpoint, form, page.metadata);
  // Stored bytes are copied by the chunk in no time; what is decoded and written anew is not.
  const isCopied = copiesBytes(endpoint, form);
  const items = (isCopied ? runsOf(endpoint.context.listRuns, page, jsonRuns(endpoint)) : page.items)[Symbol.iterator]();
  let next = items.next();
  // A list of metadata that has nothing in it has no list either: a quirk kept.
  if (next.done && form.as === 'metadata') return Buffer.from(`${head.slice(0, -1)}null}\n`);
  const chunk = newChunk(endpoint);
  const append = itemWriter(endpoint, form, chunk);
  const pace = isCopied ? undefined : new Pace(endpoint.context.slices);
  chunk.text(head);
  let isFirst = true;
  /** of a run; it begins with a comma, which the first item of the list has not */
  let copied = 1;
  const fill = (): Filled => {
    while (!next.done) {
      if (pace?.isDue) return pace.rest();
      if (Buffer.isBuffer(next.value)) {
        copied = chunk.part(next.value, copied);
        if (copied < next.value.length) return 'full';
      } else {
        if (!isFirst) chunk.byte(comma);
        append(next.value);
      }
      isFirst = false;
      copied = 0;
      next = items.next();
      if (chunk.full) return 'full';
    }
    chunk.text(tail);
    return 'done';
  };
  return filled(endpoint, chunk, fill);
}

/** Items are indented one by one. */
async function prettyBody(endpoint: Endpoint, form: OutputForm, page: Page): Promise<Body> {
  const { head, tail } = jsonFrame(endpoint, form, page.metadata);
  const items = page.items[Symbol.iterator]();
  let next = items.next();
  if (next.done) return Buffer.from(indentJson(form.as === 'metadata' ? `${head.slice(0, -1)}null}` : head + tail.trimEnd()));
  const [before, after] = indentJson(`${head}null${tail.trimEnd()}`).split(onlyNull) as [string, string];
  const chunk = newChunk(endpoint);
  const pace = new Pace(endpoint.context.slices);
  chunk.text(before);
  let separator = `[${itemIndent}`;
  const fill = (): Filled => {
    while (!next.done) {
      if (pace.isDue) return pace.rest();
      const item = new Chunk(endpoint.context.chunks, Infinity);
      itemWriter(endpoint, form, item)(next.value);
      chunk.text(separator);
      chunk.text(indentJson(item.finish().toString()).replaceAll('\n', itemIndent));
      separator = `,${itemIndent}`;
      next = items.next();
      if (chunk.full) return 'full';
    }
    chunk.text(`\n  ]${after}`);
    return 'done';
  };
  return filled(endpoint, chunk, fill);
}

const itemIndent = '\n    ';
const onlyNull = `[${itemIndent}null\n  ]`;

/** Items are the stored bytes. */
export function copiesBytes(endpoint: Endpoint, form: OutputForm): boolean {
  return form.as === 'object' && sameShape(endpoint);
}

/** Puts one object of a JSON list into the chunk. */
function itemWriter(endpoint: Endpoint, form: OutputForm, chunk: Chunk): (entry: StoredEntry) => void {
  const { versionedKind, context } = endpoint;
  if (copiesBytes(endpoint, form)) {
    const prefix = itemPrefix(endpoint);
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

/** Items of a built-in list carry no kind and apiVersion; those of custom resources do. */
function itemPrefix(endpoint: Endpoint): Buffer | undefined {
  return endpoint.versionedKind.profile.json.namesItems ? jsonPrefix(endpoint) : openBrace;
}

function jsonRuns(endpoint: Endpoint): RunItems {
  return { encoding: `${endpoint.versionedKind.apiVersion} JSON`, separator: comma, bytes: jsonItem(endpoint) };
}

/** An object as an item of a JSON list, where stored bytes are copied. */
export function jsonItem(endpoint: Endpoint): (entry: StoredEntry) => Buffer {
  const prefix = itemPrefix(endpoint);
  return (entry) => entry.json(prefix);
}

const comma = 0x2c;
/** `,"resourceVersion":"` and a number */
const maxVersionLength = 64;
const openBrace = Buffer.from('{');

export function jsonFrame({ versionedKind }: Endpoint, form: OutputForm, metadata: ListMeta): { head: string; tail: string } {
  const { profile, listKind, apiVersion } = versionedKind;
  if (form.as === 'metadata')
    return builtInProfile.json.listFrame('PartialObjectMetadataList', `meta.k8s.io/${form.metaVersion}`, metadata);
  return profile.json.listFrame(listKind, apiVersion, metadata);
}

/** Lengths come first in protobuf: all items are rendered (from the EncodingCache, mostly) before the first byte is sent. */
async function protobufBody(endpoint: Endpoint, form: OutputForm, page: Page): Promise<Body> {
  const source = protobufItems(endpoint, form);
  const items: Buffer[] = [];
  let length = 0;
  const pace = new Pace(endpoint.context.slices);
  const listed = form.as === 'object' ? runsOf(endpoint.context.listRuns, page, protobufRuns(endpoint, source)) : page.items;
  for (const item of listed) {
    const known = Buffer.isBuffer(item) ? item : source.find(item);
    const framed = known ?? source.make(item as StoredEntry);
    if (known === undefined) source.keep(item as StoredEntry, framed);
    length += framed.length;
    items.push(framed);
    // What is known takes less time than a look at the clock.
    if ((known === undefined || known === item || items.length % 64 === 0) && pace.isDue) await pace.rest();
  }
  const { before, after } = protobufFrame(endpoint, form, page.metadata, length);
  return concatenated(endpoint, newChunk(endpoint), [before, ...items, after]);
}

function protobufRuns({ versionedKind }: Endpoint, items: ProtobufItems): RunItems {
  const bytes = (entry: StoredEntry): Buffer => items.find(entry) ?? items.make(entry);
  return { encoding: `${versionedKind.apiVersion} protobuf`, separator: undefined, bytes };
}

async function tableBody(endpoint: Endpoint, request: Request, form: OutputForm, page: Page): Promise<Body> {
  const entries = [...page.items];
  const isKept = form.media === 'json' && !form.pretty && endpoint.resource.definition.rowOrder === undefined;
  if (!isKept || entries.length === 0) return wholeTable(endpoint, request, form, { ...page, items: entries });
  const { head, rows, tail, clock } = await tableRows(endpoint, request, form, page.metadata, entries);
  const chunk = newChunk(endpoint);
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
