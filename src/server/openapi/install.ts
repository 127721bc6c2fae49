// Upstream: kube-openapi/pkg/handler3/handler.go, kube-openapi/pkg/handler/handler.go
import { gzip } from 'node:zlib';
import { promisify } from 'node:util';
import type { Request } from '../http/request.ts';
import type { Handler, OutgoingHeaders, Response } from '../http/response.ts';
import { accepts, parseAccept } from '../http/media-types.ts';
import type { PathMux } from '../http/path-mux.ts';
import type { DocumentForm, DocumentStore } from './document-store.ts';

const compress = promisify(gzip);

export interface OpenApiOptions {
  /** documents by group version, for OpenAPI 3 */
  readonly v3: DocumentStore;
  /** one document, `v2`, for OpenAPI 2 */
  readonly v2: DocumentStore;
  readonly now: () => Date;
}

/** `/openapi/v2`, `/openapi/v3` and a document for each group version. Documents are made when somebody asks. */
export function installOpenApi(mux: PathMux, { v3, v2, now }: OpenApiOptions): void {
  mux.handle('/openapi/v3', () => index(v3, now));
  mux.handle('/openapi/v3/', () => ({ status: 404, headers: {} }));
  mux.handlePrefix('/openapi/v3/', (request) => document(request, v3, now));
  mux.handle('/openapi/v2', whole(v2));
}

async function index(store: DocumentStore, now: () => Date): Promise<Response> {
  const paths: Record<string, { serverRelativeURL: string }> = {};
  for (const name of store.names) {
    const hash = await store.hash(name);
    if (hash !== undefined) paths[name] = { serverRelativeURL: `/openapi/v3/${name}?hash=${hash.text}` };
  }
  return {
    status: 200,
    // A quirk kept: the list says that it is plain text.
    headers: { 'accept-ranges': 'bytes', 'content-type': 'text/plain; charset=utf-8', 'last-modified': now().toUTCString() },
    body: Buffer.from(JSON.stringify({ paths })),
  };
}

async function document(request: Request, store: DocumentStore, now: () => Date): Promise<Response> {
  const name = request.path.slice('/openapi/v3/'.length);
  const hash = await store.hash(name);
  if (hash === undefined) return { status: 404, headers: {} };
  const form = negotiate(request, 'v3');
  if (form === undefined) return { status: 406, headers: { vary: 'Accept' } };
  const etag = `"${hash.text}"`;
  const headers: OutgoingHeaders = { 'content-type': contentTypeOf(form, 'v3'), etag, vary: 'Accept' };
  const asked = request.query.get('hash') ?? '';
  if (asked !== '' && asked !== hash.text) {
    return { status: 301, headers: { ...headers, location: `/openapi/v3/${name}?hash=${hash.text}` } };
  }
  if (asked !== '') {
    headers['cache-control'] = 'public, immutable';
    headers['expires'] = expiry(now());
  }
  return content(request, store, name, form, headers, hash.since);
}

function whole(store: DocumentStore): Handler {
  return async (request) => {
    const vary = ['Accept-Encoding', 'Accept'];
    const form = negotiate(request, 'v2');
    const hash = await store.hash('v2');
    if (form === undefined || hash === undefined) return { status: 406, headers: { vary } };
    const headers: OutgoingHeaders = { 'content-type': contentTypeOf(form, 'v2'), etag: `"${hash.text}"`, vary };
    const response = await content(request, store, 'v2', form, headers, hash.since);
    if (!Buffer.isBuffer(response.body) || !acceptsGzip(request)) return response;
    return { ...response, headers: { ...response.headers, 'content-encoding': 'gzip' }, body: await compress(response.body) };
  };
}

async function content(
  request: Request,
  store: DocumentStore,
  name: string,
  form: DocumentForm,
  headers: OutgoingHeaders,
  since: Date,
): Promise<Response> {
  if (notModified(request, headers['etag'] as string)) {
    const { 'content-type': _, ...rest } = headers;
    return { status: 304, headers: rest };
  }
  const body = await store.bytes(name, form);
  if (body === undefined) return { status: 404, headers: {} };
  return { status: 200, headers: { 'accept-ranges': 'bytes', ...headers, 'last-modified': since.toUTCString() }, body };
}

function notModified(request: Request, etag: string): boolean {
  const tags = (request.header('if-none-match') ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}

/** A year from now, in the original's way of writing it. */
function expiry(now: Date): string {
  const then = new Date(now);
  then.setUTCFullYear(then.getUTCFullYear() + 1);
  return then.toUTCString().replace('GMT', 'UTC');
}

type Version = 'v2' | 'v3';

function contentTypeOf(form: DocumentForm, version: Version): string {
  return form === 'json' ? 'application/json' : `application/com.github.proto-openapi.spec.${version}.v1.0+protobuf`;
}

function negotiate(request: Request, version: Version): DocumentForm | undefined {
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
