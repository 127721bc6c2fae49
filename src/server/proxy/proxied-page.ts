// Upstream: k8s.io/apimachinery/pkg/util/proxy/transport.go#rewriteResponse
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createDeflateRaw, createGunzip, createGzip, createInflateRaw } from 'node:zlib';
import type { Response, StreamBody } from '../http/response.ts';
import { WritableSink } from '../http/sink.ts';
import { LinkRewriter } from './html-links.ts';
import type { ProxiedPlace } from './proxied-url.ts';
import { proxiedUrl } from './proxied-url.ts';

interface Encoding {
  readonly decode: () => Transform;
  readonly encode: () => Transform;
}

const encodings: Readonly<Record<string, Encoding | 'none'>> = {
  '': 'none',
  gzip: { decode: createGunzip, encode: createGzip },
  deflate: { decode: createInflateRaw, encode: createDeflateRaw },
};

/**
 * Pages have their links lead through the proxy; everything else, and what is in an encoding that is not known, stays. Upstream holds the
 * whole page; here it passes in parts, so that a page of any size, or one that is small only while it is compressed, needs little room.
 */
export function proxiedPage(response: Response, place: ProxiedPlace): Response {
  const { headers, body } = response;
  const [type = ''] = String(headers['content-type'] ?? '').split(';');
  const encoding = encodings[String(headers['content-encoding'] ?? '')];
  if (type.trim() !== 'text/html' || encoding === undefined || typeof body !== 'function') return response;
  const { 'content-length': _length, ...others } = headers;
  const stages = (): Transform[] => (encoding === 'none' ? [rewriting(place)] : [encoding.decode(), rewriting(place), encoding.encode()]);
  return { ...response, headers: others, body: pipedThrough(stages, body) };
}

/** Tags are ASCII, so the bytes of a page are taken for characters, and only links are read as text. */
function rewriting(place: ProxiedPlace): Transform {
  const rewriter = new LinkRewriter((link) => {
    const text = Buffer.from(link, 'latin1').toString();
    return Buffer.from(proxiedUrl(text, place)).toString('latin1');
  });
  return new Transform({
    transform: (part: Buffer, _encoding, done) => done(null, Buffer.from(rewriter.write(part.toString('latin1')), 'latin1')),
    flush: (done) => done(null, Buffer.from(rewriter.end(), 'latin1')),
  });
}

/** A body that passes through transforms, at the pace of who reads it. */
function pipedThrough(stages: () => readonly Transform[], body: StreamBody): StreamBody {
  return async (sink) => {
    const [first, ...others] = stages() as [Transform, ...Transform[]];
    sink.onClose(() => first.destroy());
    const passed = pipeline([
      first,
      ...others,
      async (parts: AsyncIterable<Buffer>) => {
        for await (const part of parts) if (!sink.write(part)) await sink.drained();
      },
    ]);
    const fed = body(new WritableSink(first)).then(
      () => first.end(),
      (error: unknown) => first.destroy(error as Error),
    );
    try {
      await Promise.all([passed, fed]);
    } catch (error) {
      if (!sink.closed) throw error;
    }
  };
}
