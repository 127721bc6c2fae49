// Upstream: k8s.io/kube-openapi/pkg/handler3/handler.go, k8s.io/kube-openapi/pkg/handler/handler.go
import type { Request } from '../http/request.ts';
import type { Encoding } from '../../openapi/document-entry.ts';
import type { BodySink, Handler, OutgoingHeaders, Response } from '../http/response.ts';
import { Chunk, ChunkPool } from '../http/chunk.ts';
import { accepts, parseAccept } from '../http/media-types.ts';
import type { PathMux } from '../http/path-mux.ts';
import type { Bytes, ServedDocument } from './document.ts';
import type { DocumentStore } from './document-store.ts';

/** What is longer is sent in several writes, as the client takes it: from few buffers, which are used again. */
const sentAtOnce = 1 << 20;
const chunkBytes = 128 << 10;
const keptChunks = 8;

export interface OpenApiOptions {
  /** documents by group version, for OpenAPI 3 */
  readonly v3: DocumentStore;
  /** one document, `v2`, for OpenAPI 2 */
  readonly v2: DocumentStore;
  readonly now: () => Date;
}

/** `/openapi/v2`, `/openapi/v3` and a document for each group version. Documents are made on request. */
export function installOpenApi(mux: PathMux, { v3, v2, now }: OpenApiOptions): void {
  const chunks = new ChunkPool(chunkBytes, keptChunks);
  mux.handle('/openapi/v3', () => index(v3, now));
  mux.handle('/openapi/v3/', () => ({ status: 404, headers: {} }));
  mux.handlePrefix('/openapi/v3/', (request) => document(request, v3, chunks, now));
  mux.handle('/openapi/v2', whole(v2, chunks));
}

async function index(store: DocumentStore, now: () => Date): Promise<Response> {
  const paths: Record<string, { serverRelativeURL: string }> = {};
  for (const name of store.names) {
    const version = await store.version(name);
    if (version !== undefined) paths[name] = { serverRelativeURL: `/openapi/v3/${name}?hash=${version.hash}` };
  }
  return {
    status: 200,
    // A quirk kept: the list says that it is plain text.
    headers: { 'accept-ranges': 'bytes', 'content-type': 'text/plain; charset=utf-8', 'last-modified': now().toUTCString() },
    body: Buffer.from(JSON.stringify({ paths })),
  };
}

async function document(request: Request, store: DocumentStore, chunks: ChunkPool, now: () => Date): Promise<Response> {
  const name = request.path.slice('/openapi/v3/'.length);
  const found = await store.document(name);
  if (found === undefined) return { status: 404, headers: {} };
  const encoding = negotiate(request, 'v3');
  if (encoding === undefined) return { status: 406, headers: { vary: 'Accept' } };
  const { hash } = found.document;
  const headers: OutgoingHeaders = { 'content-type': contentTypeOf(encoding, 'v3'), etag: `"${hash}"`, vary: 'Accept' };
  const asked = request.query.get('hash') ?? '';
  if (asked !== '' && asked !== hash) {
    return { status: 301, headers: { ...headers, location: `/openapi/v3/${name}?hash=${hash}` } };
  }
  if (asked !== '') {
    headers['cache-control'] = 'public, immutable';
    headers['expires'] = expiry(now());
  }
  return content(request, found.document.hash, headers, found.since, chunks, () => found.document.plain(encoding));
}

function whole(store: DocumentStore, chunks: ChunkPool): Handler {
  return async (request) => {
    const vary = ['Accept-Encoding', 'Accept'];
    const encoding = negotiate(request, 'v2');
    if (encoding === undefined) return { status: 406, headers: { vary } };
    const found = await store.document('v2');
    if (found === undefined) return { status: 404, headers: {} };
    const { document: made, since } = found;
    const headers: OutgoingHeaders = { 'content-type': contentTypeOf(encoding, 'v2'), etag: `"${made.hash}"`, vary };
    if (!acceptsGzip(request)) return content(request, made.hash, headers, since, chunks, () => made.plain(encoding));
    return content(request, made.hash, { ...headers, 'content-encoding': 'gzip' }, since, chunks, () => made.gzip(encoding));
  };
}

async function content(
  request: Request,
  hash: ServedDocument['hash'],
  headers: OutgoingHeaders,
  since: Date,
  chunks: ChunkPool,
  bytes: () => Promise<Bytes>,
): Promise<Response> {
  if (notModified(request, `"${hash}"`)) {
    const { 'content-type': _, 'content-encoding': __, ...rest } = headers;
    return { status: 304, headers: rest };
  }
  const { blocks, length } = await bytes();
  const all = { 'accept-ranges': 'bytes', ...headers, 'last-modified': since.toUTCString() };
  if (length <= sentAtOnce) return { status: 200, headers: all, body: Buffer.concat(blocks.flat()) };
  return {
    status: 200,
    headers: { ...all, 'content-length': String(length) },
    body: (sink) => send(blocks, new Chunk(chunks, (chunkBytes * 7) / 8), sink),
  };
}

/** As fast as the client takes them. */
async function send(blocks: Bytes['blocks'], chunk: Chunk, sink: BodySink): Promise<void> {
  for (const block of blocks) {
    for (const bytes of block) {
      chunk.bytes(bytes);
      if (!chunk.full) continue;
      if (!sendChunk(chunk, sink)) await sink.drained();
      if (sink.closed) return;
    }
  }
  sendChunk(chunk, sink);
}

function sendChunk(chunk: Chunk, sink: BodySink): boolean {
  const { bytes, release } = chunk.hand();
  return sink.write(bytes, release);
}

function notModified(request: Request, etag: string): boolean {
  const tags = (request.header('if-none-match') ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}

/** A year from now, in upstream's way of writing it. */
function expiry(now: Date): string {
  const then = new Date(now);
  then.setUTCFullYear(then.getUTCFullYear() + 1);
  return then.toUTCString().replace('GMT', 'UTC');
}

type Version = 'v2' | 'v3';

function contentTypeOf(encoding: Encoding, version: Version): string {
  return encoding === 'json' ? 'application/json' : `application/com.github.proto-openapi.spec.${version}.v1.0+protobuf`;
}

function negotiate(request: Request, version: Version): Encoding | undefined {
  const accept = request.header('accept');
  if (accept === undefined || accept === '') return 'json';
  // The second spelling is an older one that clients still use.
  const protobuf = [contentTypeOf('protobuf', version), `application/com.github.proto-openapi.spec.${version}@v1.0+protobuf`];
  for (const clause of parseAccept(accept)) {
    if (accepts(clause, 'application/json')) return 'json';
    if (protobuf.some((type) => accepts(clause, type))) return 'protobuf';
  }
  return undefined;
}

function acceptsGzip(request: Request): boolean {
  return (request.header('accept-encoding') ?? '').split(',').some((one) => /^\s*(gzip|\*)\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/.test(one));
}
