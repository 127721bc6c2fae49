import { ApiError, badRequest, failure, requestEntityTooLarge } from '../../machinery/errors.ts';
import type { PathMux } from '../http/path-mux.ts';
import type { Request } from '../http/request.ts';
import type { BodySink, Response, StreamBody } from '../http/response.ts';

const folder = '/wheelhouse/v1';
/** an id is much shorter */
const mostBytes = 4096;
const mostStalledMs = 60_000;

export interface SnapshotActions {
  /** Returns the id of a snapshot of this moment. */
  takeNamed(): string;
  /** Resolves to the revision of the store when everything has followed. */
  restoreNamed(id: string): Promise<number>;
  reset(): Promise<number>;
}

/** `POST /wheelhouse/v1/{snapshot,restore,reset}`: tests in any language take the server back between them. */
export function installSnapshots(mux: PathMux, actions: SnapshotActions): void {
  const post = (name: string, act: (request: Request) => object | Promise<object>): void =>
    mux.handleUnlisted(`${folder}/${name}`, async (request) => {
      requireMethod(request, 'POST');
      return json(await act(request));
    });
  const at = (revision: number): object => ({ resourceVersion: String(revision) });
  post('snapshot', () => ({ id: actions.takeNamed() }));
  post('restore', async (request) => at(await actions.restoreNamed(await readId(request))));
  post('reset', async () => at(await actions.reset()));
}

/** `GET /wheelhouse/v1/backup`: a whole backup of this moment, while everything goes on. */
export function installBackup(mux: PathMux, pieces: () => AsyncIterable<Buffer>): void {
  mux.handleUnlisted(`${folder}/backup`, (request) => {
    requireMethod(request, 'GET');
    // Now, and not when the client begins to read: the state is that of the request.
    const bytes = pieces();
    const body: StreamBody = async (sink) => {
      for await (const piece of bytes) {
        if (sink.closed) return;
        if (!sink.write(piece)) await drainedInTime(sink);
      }
    };
    return { status: 200, headers: { 'content-type': 'application/octet-stream', 'x-content-type-options': 'nosniff' }, body };
  });
}

/** What a backup shows is in memory until it has been read. */
async function drainedInTime(sink: BodySink): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('the client of a backup does not read it')), mostStalledMs);
  try {
    await Promise.race([sink.drained(), promise]);
  } finally {
    clearTimeout(timer);
  }
}

function requireMethod({ method, path }: Request, only: string): void {
  if (method === only) return;
  throw new ApiError(failure(405, 'MethodNotAllowed', `${path} supports ${only} and not ${method}`));
}

async function readId(request: Request): Promise<string> {
  const body = await request.source.readBody(mostBytes);
  if (body === undefined) throw requestEntityTooLarge(`the body is larger than ${mostBytes} bytes`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString());
  } catch (cause) {
    throw badRequest('the body is not JSON; it should be {"id": "..."}, with the id of a snapshot', { cause });
  }
  const id = typeof parsed === 'object' && parsed !== null && 'id' in parsed ? parsed.id : undefined;
  if (typeof id !== 'string' || id === '') throw badRequest('the body has no id of a snapshot; it should be {"id": "..."}');
  return id;
}

function json(object: object): Response {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(`${JSON.stringify(object)}\n`) };
}
