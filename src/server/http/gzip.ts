// Upstream: k8s.io/apiserver/pkg/endpoints/handlers/responsewriters/writers.go
import { createGzip, gzip } from 'node:zlib';
import { promisify } from 'node:util';
import { once } from 'node:events';
import type { Request } from './request.ts';
import type { BodySink, Response, StreamBody } from './response.ts';

/** shorter bodies are not compressed */
export const gzipThreshold = 128 * 1024;
const options = { level: 1 };
const compress = promisify(gzip);

/** Large responses are compressed for clients that say they can read that. Streams of a list count as large; watches never come here. */
export function compressed(request: Request, response: Response): Response | Promise<Response> {
  const { body } = response;
  if (body === undefined || !readsGzip(request)) return response;
  const headers = gzipHeaders(response.headers);
  if (!Buffer.isBuffer(body)) return { ...response, headers, body: compressedStream(body) };
  if (body.length < gzipThreshold) return response;
  return compress(body, options).then((small) => ({ ...response, headers, body: small }));
}

export function readsGzip(request: Request): boolean {
  return request.header('accept-encoding')?.includes('gzip') ?? false;
}

export function gzipHeaders(headers: Response['headers']): Response['headers'] {
  return { ...headers, 'content-encoding': 'gzip', vary: 'Accept-Encoding' };
}

function compressedStream(body: StreamBody): StreamBody {
  return async (sink) => {
    const zip = createGzip(options);
    const forward = (async () => {
      for await (const chunk of zip as AsyncIterable<Buffer>) {
        if (!sink.write(chunk)) await sink.drained();
      }
    })();
    const inner: BodySink = {
      write: (chunk, flushed) => zip.write(chunk, flushed),
      drained: async () => {
        if (!zip.writableNeedDrain) return;
        const over = new AbortController();
        await Promise.race([once(zip, 'drain', over), once(zip, 'close', over)]).finally(() => over.abort());
      },
      get pending() {
        return zip.writableLength;
      },
      get closed() {
        return sink.closed;
      },
      onClose: (callback) => sink.onClose(callback),
    };
    try {
      await body(inner);
      zip.end();
      await forward;
    } finally {
      zip.destroy();
      // Why it ended is known; that the compression ended with it is no news.
      await Promise.allSettled([forward]);
    }
  };
}
