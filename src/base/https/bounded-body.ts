import type { Readable } from 'node:stream';

/** A server sent more than it is allowed to. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError';

  constructor(limit: number) {
    super(`response body is larger than ${limit} bytes`);
  }
}

/** More than any response that is read as a whole is expected to have: reviews, keys, discovery and OpenAPI documents of other servers. */
export const mostAnswerBytes = 64 * 1024 * 1024;

/** Everything that comes; the stream is destroyed when that is more than the limit. Throws BodyTooLargeError. */
export async function readBounded(stream: Readable, limit = mostAnswerBytes): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += (chunk as Buffer).length;
    // leaving the loop destroys the stream
    if (size > limit) throw new BodyTooLargeError(limit);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks, size);
}
