import type { Readable } from 'node:stream';

/** The whole body of a request; undefined when it is larger than `limit`. Rejects when the client breaks off. */
export function collectBody(stream: Readable, limit: number, contentLength: string | string[] | undefined): Promise<Buffer | undefined> {
  if (typeof contentLength === 'string' && Number(contentLength) > limit) {
    stream.resume();
    return Promise.resolve(undefined);
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) {
        chunks.length = 0;
        resolve(undefined);
      } else {
        chunks.push(chunk);
      }
    });
    stream.once('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, Math.min(size, limit))));
    stream.once('error', reject);
    stream.once('aborted', () => reject(new Error('the client broke off while sending the body')));
  });
}
