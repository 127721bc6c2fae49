import type { Readable } from 'node:stream';

const firstSize = 16 << 10;
const nothing = Buffer.alloc(0);
const brokeOff = 'the client broke off while sending the body';

/** The whole body of a request; undefined when it is larger than `limit`. Rejects when the client breaks off. */
export function collectBody(stream: Readable, limit: number, contentLength: string | string[] | undefined): Promise<Buffer | undefined> {
  if (typeof contentLength === 'string' && Number(contentLength) > limit) {
    stream.resume();
    return Promise.resolve(undefined);
  }
  // Node lets a stream end unread where its end comes without a byte; who waits for that event now would wait for ever.
  if (stream.readableEnded) return Promise.resolve(nothing);
  return new Promise((resolve, reject) => {
    if (stream.destroyed) return reject(new Error(brokeOff));
    // Most bodies come in one piece. Those that do not are copied together: a client may send millions of pieces of one byte.
    let bytes: Buffer = nothing;
    let size = 0;
    stream.on('data', (piece: Buffer) => {
      if (isComplete) return;
      const start = size;
      size += piece.length;
      if (size > limit) {
        bytes = nothing;
        resolve(undefined);
      } else if (start === 0) {
        bytes = piece;
      } else {
        if (size > bytes.length) bytes = grown(bytes, start, Math.min(limit, Math.max(size, 2 * bytes.length, firstSize)));
        piece.copy(bytes, start);
      }
    });
    let isComplete = false;
    stream.on('end', () => {
      isComplete = true;
      resolve(bytes.subarray(0, size));
    });
    // Every stream closes; to make an error costs more than many requests.
    const brokenOff = (cause?: Error): void => {
      if (isComplete) return;
      isComplete = true;
      reject(new Error(brokeOff, { cause }));
    };
    stream.on('error', brokenOff);
    stream.on('close', () => brokenOff());
  });
}

function grown(bytes: Buffer, used: number, size: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(size);
  bytes.copy(larger, 0, 0, used);
  return larger;
}
