import type { InProcessCaller } from '../controlplane/in-process-call.ts';
import { chunksOf } from '../controlplane/in-process-call.ts';

/** As the global `fetch`; of an address only path and query count. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** A `fetch` that goes straight into the server of this process. */
export function inProcessFetch(caller: InProcessCaller): Fetch {
  return async (input, init) => {
    const isPath = typeof input === 'string' && input.startsWith('/');
    const request = new Request(isPath ? new URL(input, 'https://localhost') : input, init);
    const { signal } = request;
    signal.throwIfAborted();
    const { pathname, search } = new URL(request.url);
    const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer());
    const headers = Object.fromEntries(request.headers);
    const response = await caller.call({ method: request.method, target: pathname + search, headers, body, signal });
    if (response.upgrade !== undefined) throw new TypeError('fetch cannot upgrade a connection; use a client over the network');
    signal.throwIfAborted();
    return new Response(response.body === undefined ? null : streamOf(chunksOf(response, signal)), {
      status: response.status,
      headers: Object.entries(response.headers).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one])),
    });
  };
}

function streamOf(chunks: AsyncGenerator<Buffer>): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await chunks.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
