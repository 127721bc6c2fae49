import { constants } from 'node:http2';
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { FrameReader, framePrefix } from './framing.ts';
import { ProtoError } from './protobuf.ts';
import { GrpcError, percentEncode, statusCode } from './status.ts';

/** One message, in one piece or in several that follow each other. */
export type GrpcMessage = Buffer | readonly Buffer[];

/** Both directions of a streaming call, as the server sees them. */
export interface ServerStream extends AsyncIterable<readonly Buffer[]> {
  /** Resolves when the message is handed to the connection, which waits for a client that reads slowly. */
  send(message: GrpcMessage): Promise<void>;
  /** aborts when the call has ended, from whichever side */
  readonly signal: AbortSignal;
}

export type UnaryHandler = (message: Buffer) => GrpcMessage | Promise<GrpcMessage>;
export type StreamHandler = (stream: ServerStream) => Promise<void>;
export type GrpcMethod = { readonly unary: UnaryHandler } | { readonly stream: StreamHandler };

export interface GrpcService {
  /** by path: `/package.Service/Method` */
  readonly methods: ReadonlyMap<string, GrpcMethod>;
  readonly maxReceiveBytes: number;
  /** an error that is no GrpcError: a mistake of ours, or a store that fails */
  readonly onError: (path: string, error: Error) => void;
  /** no more calls are taken: they are refused with `unavailable` */
  readonly isStopping: () => boolean;
}

const responseHeaders = Object.freeze({ ':status': 200, 'content-type': 'application/grpc' });

export function isGrpc(headers: IncomingHttpHeaders): boolean {
  return headers['content-type']?.startsWith('application/grpc') ?? false;
}

/** Serves one HTTP/2 stream as a gRPC call. */
export function serveCall(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, service: GrpcService): void {
  // The end of the stream is all that matters of it, and `close` reports that.
  stream.on('error', () => {});
  const path = headers[':path'] ?? '';
  const method = service.methods.get(path);
  const encoding = headers['grpc-encoding'];
  if (service.isStopping()) reject(stream, new GrpcError(statusCode.unavailable, 'the server is stopping'));
  else if (method === undefined) reject(stream, unknownMethod(path, service.methods));
  else if (encoding !== undefined && encoding !== 'identity') {
    reject(stream, new GrpcError(statusCode.unimplemented, `grpc: Decompressor is not installed for grpc-encoding "${String(encoding)}"`));
  } else if ('unary' in method) serveUnary(stream, path, method.unary, service);
  else void serveStream(stream, path, method.stream, service);
}

function unknownMethod(path: string, methods: ReadonlyMap<string, GrpcMethod>): GrpcError {
  const slash = path.lastIndexOf('/');
  const service = path.slice(1, Math.max(1, slash));
  const known = [...methods.keys()].some((other) => other.startsWith(`/${service}/`));
  const text = known ? `unknown method ${path.slice(slash + 1)} for service ${service}` : `unknown service ${service}`;
  return new GrpcError(statusCode.unimplemented, text);
}

function serveUnary(stream: ServerHttp2Stream, path: string, handler: UnaryHandler, service: GrpcService): void {
  const reader = new FrameReader(service.maxReceiveBytes);
  const notOne = (): GrpcError => new GrpcError(statusCode.internal, 'a unary call has exactly one message');
  let message: Buffer | undefined;
  stream.on('data', (chunk: Buffer) => {
    try {
      for (const one of reader.push(chunk)) {
        // Said at once: a client may go on and on.
        if (message !== undefined) throw notOne();
        message = one;
      }
    } catch (error) {
      stream.removeAllListeners('data');
      reject(stream, asGrpcError(error, path, service));
    }
  });
  stream.once('end', () => {
    if (stream.headersSent || isOver(stream)) return;
    if (message === undefined || !reader.idle) {
      reject(stream, notOne());
      return;
    }
    void respond(stream, path, message, handler, service);
  });
}

async function respond(
  stream: ServerHttp2Stream,
  path: string,
  message: Buffer,
  handler: UnaryHandler,
  service: GrpcService,
): Promise<void> {
  try {
    const answer = await handler(message);
    if (isOver(stream)) return;
    startResponse(stream, () => undefined);
    await write(stream, answer);
    stream.end();
  } catch (error) {
    reject(stream, asGrpcError(error, path, service));
  }
}

async function serveStream(stream: ServerHttp2Stream, path: string, handler: StreamHandler, service: GrpcService): Promise<void> {
  const ended = new AbortController();
  stream.once('close', () => ended.abort());
  let failure: GrpcError | undefined;
  const send = async (message: GrpcMessage): Promise<void> => {
    if (stream.destroyed) throw new GrpcError(statusCode.cancelled, 'context canceled');
    await write(stream, message);
  };
  if (isOver(stream)) return;
  startResponse(stream, () => failure);
  try {
    await handler({ send, signal: ended.signal, [Symbol.asyncIterator]: () => received(stream, service.maxReceiveBytes) });
  } catch (error) {
    if (!stream.destroyed) failure = asGrpcError(error, path, service);
  }
  if (!stream.destroyed) stream.end();
}

async function* received(stream: ServerHttp2Stream, maxBytes: number): AsyncGenerator<readonly Buffer[], void, undefined> {
  const reader = new FrameReader(maxBytes);
  try {
    // The response goes on when the client has said everything, so the stream must outlive the iteration.
    for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      const batch = reader.push(chunk);
      if (batch.length > 0) yield batch;
    }
  } catch (error) {
    if (!stream.destroyed || error instanceof GrpcError) throw error;
  }
}

/** The client has reset it, though it may not have been taken down yet: a response would throw. */
function isOver(stream: ServerHttp2Stream): boolean {
  return stream.destroyed || stream.closed;
}

function startResponse(stream: ServerHttp2Stream, failure: () => GrpcError | undefined): void {
  stream.respond(responseHeaders, { waitForTrailers: true });
  stream.once('wantTrailers', () => stream.sendTrailers(statusHeaders(failure())));
}

/** Only the status, instead of headers, messages and trailers; what has begun is cut off. */
function reject(stream: ServerHttp2Stream, error: GrpcError): void {
  if (isOver(stream)) return;
  if (stream.headersSent) stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  else stream.respond({ ...responseHeaders, ...statusHeaders(error) }, { endStream: true });
}

function statusHeaders(error: GrpcError | undefined): Record<string, string> {
  if (error === undefined) return { 'grpc-status': '0' };
  return { 'grpc-status': String(error.code), 'grpc-message': percentEncode(error.details) };
}

function asGrpcError(error: unknown, path: string, service: GrpcService): GrpcError {
  if (error instanceof GrpcError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ProtoError) return new GrpcError(statusCode.internal, `grpc: error unmarshalling request: ${message}`);
  service.onError(path, error instanceof Error ? error : new Error(message));
  return new GrpcError(statusCode.unknown, message);
}

async function write(stream: ServerHttp2Stream, message: GrpcMessage): Promise<void> {
  const pieces = Buffer.isBuffer(message) ? [message] : message;
  let length = 0;
  for (const piece of pieces) length += piece.length;
  const first = pieces[0] ?? Buffer.alloc(0);
  await writePiece(stream, Buffer.concat([framePrefix(length), first]));
  for (const piece of pieces.slice(1)) await writePiece(stream, piece);
}

function writePiece(stream: ServerHttp2Stream, bytes: Buffer): Promise<void> | undefined {
  if (stream.write(bytes)) return undefined;
  return new Promise((resolve, reject_) => {
    const done = (): void => {
      stream.off('drain', done);
      stream.off('close', done);
      if (stream.destroyed) reject_(new GrpcError(statusCode.cancelled, 'context canceled'));
      else resolve();
    };
    stream.on('drain', done);
    stream.on('close', done);
  });
}
