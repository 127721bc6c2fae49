// Upstream: apimachinery/pkg/util/proxy/transport.go (rewriteResponse)
import { promisify } from 'node:util';
import { deflateRaw, gunzip, gzip, inflateRaw } from 'node:zlib';
import type { BodySink, Response, StreamBody } from '../http/response.ts';
import { rewriteLinks } from './html-links.ts';
import type { ProxiedPlace } from './proxied-url.ts';
import { proxiedUrl } from './proxied-url.ts';

interface Encoding {
  readonly decode: (bytes: Buffer) => Promise<Buffer>;
  readonly encode: (bytes: Buffer) => Promise<Buffer>;
}

const same = (bytes: Buffer): Promise<Buffer> => Promise.resolve(bytes);
const encodings: Readonly<Record<string, Encoding>> = {
  '': { decode: same, encode: same },
  gzip: { decode: promisify(gunzip), encode: promisify(gzip) },
  deflate: { decode: promisify(inflateRaw), encode: promisify(deflateRaw) },
};

/** Pages have their links lead through the proxy; everything else, and what is in an encoding that is not known, stays. */
export async function proxiedPage(response: Response, place: ProxiedPlace): Promise<Response> {
  const { headers, body } = response;
  const [type = ''] = String(headers['content-type'] ?? '').split(';');
  const encoding = encodings[String(headers['content-encoding'] ?? '')];
  if (type.trim() !== 'text/html' || encoding === undefined || typeof body !== 'function') return response;
  const { 'content-length': _length, ...others } = headers;
  const page = (await encoding.decode(await collect(body))).toString();
  const rewritten = rewriteLinks(page, (link) => proxiedUrl(link, place));
  return { ...response, headers: others, body: await encoding.encode(Buffer.from(rewritten)) };
}

async function collect(body: StreamBody): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const sink: BodySink = {
    write: (chunk) => chunks.push(chunk) > 0,
    drained: () => Promise.resolve(),
    pending: 0,
    closed: false,
    onClose: () => {},
  };
  await body(sink);
  return Buffer.concat(chunks);
}
