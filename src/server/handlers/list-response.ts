// A list is never built as one object or one string: cached bytes are copied into chunks, and chunks go to the socket as it takes them.
import { decodeTableOptions } from '../../machinery/options.ts';
import { frameListItem, listAround } from '../../machinery/codec/protobuf/list.ts';
import type { ListMeta } from '../../machinery/object-meta.ts';
import type { Request } from '../http/request.ts';
import type { BodySink, Response, StreamBody } from '../http/response.ts';
import { indentJson } from '../../machinery/codec/json/write.ts';
import { encodeObject, metaType } from '../negotiation/codecs.ts';
import type { OutputForm } from '../negotiation/media-types.ts';
import type { StoredEntry } from '../registry/entry.ts';
import type { Endpoint } from './endpoint.ts';
import type { Page } from './list.ts';
import { bodyHeaders, jsonPrefix, partialMetadata, sameShape, tableFor, versioned } from './render.ts';

type Body = Buffer | StreamBody;

const chunkSize = 128 * 1024;

export function listResponse(endpoint: Endpoint, request: Request, form: OutputForm, page: Page): Response {
  const headers = bodyHeaders(form);
  if (form.as === 'table') return { status: 200, headers, body: tableBody(endpoint, request, form, page) };
  if (form.media === 'protobuf') return { status: 200, headers, body: protobufBody(endpoint, form, page) };
  if (form.media === 'json') {
    const body = jsonBody(endpoint, form, page);
    return { status: 200, headers, body: form.pretty && Buffer.isBuffer(body) ? Buffer.from(indentJson(body.toString().trimEnd())) : body };
  }
  return { status: 200, headers, body: wholeBody(endpoint, form, page) };
}

function jsonBody(endpoint: Endpoint, form: OutputForm, page: Page): Body {
  const { head, tail } = jsonFrame(endpoint, form, page.metadata);
  const pieces = jsonItems(endpoint, form, page.items);
  const chunk = new Chunk(form.pretty ? Infinity : chunkSize);
  chunk.text(head);
  let first = true;
  const fill = (): boolean => {
    for (let next = pieces.next(); !next.done; next = pieces.next()) {
      if (!first) chunk.text(',');
      first = false;
      chunk.piece(next.value);
      if (chunk.full) return false;
    }
    chunk.text(tail);
    return true;
  };
  if (fill()) return chunk.take();
  return async (sink: BodySink) => {
    for (let done = false; !sink.closed; done = fill()) {
      if (!sink.write(chunk.take())) await sink.drained();
      if (done) return;
    }
  };
}

/** Something that can write itself into a buffer: a cached object's bytes without an intermediate copy. */
interface Piece {
  readonly length: number;
  write(target: Buffer, offset: number): number;
}

function* jsonItems(endpoint: Endpoint, form: OutputForm, items: Iterable<StoredEntry>): Generator<Piece> {
  const { representation, context } = endpoint;
  if (form.as === 'object' && sameShape(endpoint)) {
    // Items of a built-in list carry no kind and apiVersion; those of custom resources do.
    const prefix = representation.unstructured ? jsonPrefix(endpoint) : openBrace;
    for (const entry of items)
      yield { length: entry.jsonLength(prefix), write: (target, offset) => entry.writeJson(target, offset, prefix) };
    return;
  }
  const metadataType = metaType(context.codecs, 'PartialObjectMetadata', form.metaVersion);
  for (const entry of items) {
    const object = versioned(endpoint, entry);
    if (form.as === 'metadata') {
      yield bytesPiece(Buffer.from(context.codecs.json.encode(partialMetadata(object, form), metadataType)));
    } else {
      const { kind: _, apiVersion: __, ...bare } = object;
      yield bytesPiece(Buffer.from(context.codecs.json.encode(bare, representation.type)));
    }
  }
}

const openBrace = Buffer.from('{');

function bytesPiece(bytes: Buffer): Piece {
  return { length: bytes.length, write: (target, offset) => offset + bytes.copy(target, offset) };
}

function jsonFrame(endpoint: Endpoint, form: OutputForm, metadata: ListMeta): { head: string; tail: string } {
  const { representation } = endpoint;
  const { resourceVersion, continue: next, remainingItemCount } = metadata;
  const meta = JSON.stringify(
    representation.unstructured && form.as === 'object'
      ? { continue: next ?? '', ...(remainingItemCount !== undefined && { remainingItemCount }), resourceVersion }
      : { resourceVersion, continue: next, remainingItemCount },
  );
  if (form.as === 'metadata') {
    return {
      head: `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/${form.metaVersion}","metadata":${meta},"items":[`,
      tail: ']}\n',
    };
  }
  const kind = JSON.stringify(representation.listKind);
  const apiVersion = JSON.stringify(representation.apiVersion);
  return representation.unstructured
    ? { head: `{"apiVersion":${apiVersion},"items":[`, tail: `],"kind":${kind},"metadata":${meta}}\n` }
    : { head: `{"kind":${kind},"apiVersion":${apiVersion},"metadata":${meta},"items":[`, tail: ']}\n' };
}

/** Lengths come first in protobuf: all items are rendered (from the form cache, mostly) before the first byte is sent. */
function protobufBody(endpoint: Endpoint, form: OutputForm, page: Page): Body {
  const { representation, context } = endpoint;
  const { protobuf } = context.codecs;
  const metadataType = metaType(context.codecs, 'PartialObjectMetadata', form.metaVersion);
  const items: Buffer[] = [];
  let length = 0;
  const item = (entry: StoredEntry): Buffer =>
    form.as === 'metadata'
      ? frameListItem(protobuf.encode(partialMetadata(versioned(endpoint, entry), form), metadataType))
      : context.forms.get(entry, `${representation.apiVersion} protobuf item`, () =>
          frameListItem(protobuf.encode(versioned(endpoint, entry), representation.type)),
        );
  for (const entry of page.items) {
    const framed = item(entry);
    length += framed.length;
    items.push(framed);
  }
  const typeMeta =
    form.as === 'metadata'
      ? { kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${form.metaVersion}` }
      : { kind: representation.listKind, apiVersion: representation.apiVersion };
  const { before, after } = listAround(typeMeta, protobuf.encode(page.metadata, metaType(context.codecs, 'ListMeta')), length);
  return concatenated([before, ...items, after]);
}

function concatenated(parts: readonly Buffer[]): Body {
  let size = 0;
  for (const part of parts) size += part.length;
  if (size <= chunkSize) return Buffer.concat(parts, size);
  return async (sink: BodySink) => {
    const chunk = new Chunk(chunkSize);
    for (const part of parts) {
      chunk.piece(bytesPiece(part));
      if (!chunk.full) continue;
      if (sink.closed) return;
      if (!sink.write(chunk.take())) await sink.drained();
    }
    sink.write(chunk.take());
  };
}

function tableBody(endpoint: Endpoint, request: Request, form: OutputForm, page: Page): Buffer {
  const { context } = endpoint;
  const options = decodeTableOptions(request.query);
  const objects: ReturnType<typeof versioned>[] = [];
  for (const entry of page.items) objects.push(versioned(endpoint, entry));
  const table = tableFor(endpoint, form, objects, {
    listMeta: page.metadata,
    includeObject: options.includeObject,
    noHeaders: false,
  });
  return encodeObject(context.codecs, form.media, table, metaType(context.codecs, 'Table', form.metaVersion), form.pretty);
}

/** YAML and CBOR: rare, and not worth a streaming writer. */
function wholeBody(endpoint: Endpoint, form: OutputForm, page: Page): Buffer {
  const { representation, context } = endpoint;
  const items: unknown[] = [];
  for (const entry of page.items) {
    const object = versioned(endpoint, entry);
    if (form.as === 'metadata') items.push(partialMetadata(object, form));
    else if (representation.unstructured) items.push(object);
    else {
      const { kind: _, apiVersion: __, ...bare } = object;
      items.push(bare);
    }
  }
  if (form.as === 'metadata') {
    const list = { kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${form.metaVersion}`, metadata: page.metadata, items };
    return encodeObject(context.codecs, form.media, list, metaType(context.codecs, 'PartialObjectMetadataList', form.metaVersion), false);
  }
  const list = { kind: representation.listKind, apiVersion: representation.apiVersion, metadata: page.metadata, items };
  const type = representation.unstructured ? undefined : context.codecs.schema.listTypeOf(representation);
  if (type === undefined)
    return form.media === 'yaml' ? Buffer.from(context.codecs.yaml.encodeUnstructured(list)) : context.codecs.cbor.encodeUnstructured(list);
  return encodeObject(context.codecs, form.media, list, type, false);
}

/** A growing buffer that is handed over when it is full enough. */
class Chunk {
  readonly #limit: number;
  #buffer: Buffer;
  #used = 0;

  constructor(limit: number) {
    this.#limit = limit;
    this.#buffer = Buffer.allocUnsafe(16 * 1024);
  }

  get full(): boolean {
    return this.#used >= this.#limit;
  }

  text(text: string): void {
    this.#reserve(text.length * 3);
    this.#used += this.#buffer.write(text, this.#used);
  }

  piece(piece: Piece): void {
    this.#reserve(piece.length);
    this.#used = piece.write(this.#buffer, this.#used);
  }

  /** What was written; a new buffer takes its place, of the size that the last one needed. */
  take(): Buffer {
    const taken = this.#buffer.subarray(0, this.#used);
    this.#buffer = Buffer.allocUnsafe(this.#buffer.length);
    this.#used = 0;
    return taken;
  }

  #reserve(bytes: number): void {
    const needed = this.#used + bytes;
    if (needed <= this.#buffer.length) return;
    const grown = Buffer.allocUnsafe(Math.max(needed, Math.min(this.#buffer.length * 2, 2 * chunkSize)));
    this.#buffer.copy(grown, 0, 0, this.#used);
    this.#buffer = grown;
  }
}
