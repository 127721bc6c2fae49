import { Pace } from '../../base/pace.ts';
import { Chunk } from '../http/chunk.ts';
import type { BodySink, StreamBody } from '../http/response.ts';
import type { Endpoint } from './endpoint.ts';

export type Body = Buffer | StreamBody;

/** Why filling has stopped; a promise: others are to have their turn first. */
export type Filled = 'full' | 'done' | Promise<void>;

async function fillUp(fill: () => Filled): Promise<'full' | 'done'> {
  for (;;) {
    const filled = fill();
    if (typeof filled === 'string') return filled;
    await filled;
  }
}

/** bytes that TLS and the socket take in a millisecond, about */
const sentPerMs = 512 << 10;

/** One buffer when it is small, else chunk after chunk as fast as the client reads, and as others have had their turn. */
export async function filled({ context }: Endpoint, chunk: Chunk, fill: () => Filled): Promise<Body> {
  const first = await fillUp(fill);
  if (first === 'done') return chunk.isSmall ? chunk.finish() : onlyChunk(chunk);
  return async (sink: BodySink) => {
    const pace = new Pace(context.slices);
    for (let filled: 'full' | 'done' = 'full'; !sink.closed; filled = await fillUp(fill)) {
      await sendChunk(chunk, sink, pace);
      if (filled === 'done') return;
      if (pace.isDue) await pace.rest();
    }
  };
}

/** Sent from where it lies: a copy of it is garbage of a size that has the whole heap looked at. */
function onlyChunk(chunk: Chunk): StreamBody {
  return (sink) => {
    const { bytes, release } = chunk.hand();
    sink.write(bytes, release);
    return Promise.resolve();
  };
}

/** What the chunk holds goes to the client. Resolves when more may be sent. */
export async function sendChunk(chunk: Chunk, sink: BodySink, pace: Pace): Promise<void> {
  const { bytes, release } = chunk.hand();
  // It is encrypted and given to the socket at the end of this turn.
  pace.owe(bytes.length / sentPerMs);
  if (!sink.write(bytes, release)) await sink.drained();
}

export function newChunk({ context }: Endpoint): Chunk {
  return new Chunk(context.chunks, (context.chunks.size * 7) / 8);
}

export function concatenated(endpoint: Endpoint, chunk: Chunk, parts: readonly Buffer[]): Promise<Body> {
  let at = 0;
  let copied = 0;
  const fill = (): Filled => {
    for (; at < parts.length; at++) {
      const part = parts[at] as Buffer;
      copied = chunk.part(part, copied);
      if (copied < part.length) return 'full';
      copied = 0;
    }
    return 'done';
  };
  return filled(endpoint, chunk, fill);
}
