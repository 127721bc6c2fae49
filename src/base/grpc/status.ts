/** gRPC's status codes by name. */
export const statusCode = Object.freeze({
  ok: 0,
  cancelled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  alreadyExists: 6,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  aborted: 10,
  outOfRange: 11,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  dataLoss: 15,
  unauthenticated: 16,
});

/** The codes as gRPC's Go implementation prints them, by number. */
const codeNames: readonly string[] = Object.freeze([
  'OK',
  'Canceled',
  'Unknown',
  'InvalidArgument',
  'DeadlineExceeded',
  'NotFound',
  'AlreadyExists',
  'PermissionDenied',
  'ResourceExhausted',
  'FailedPrecondition',
  'Aborted',
  'OutOfRange',
  'Unimplemented',
  'Internal',
  'Unavailable',
  'DataLoss',
  'Unauthenticated',
]);

export function codeName(code: number): string {
  return codeNames[code] ?? `Code(${code})`;
}

/** A call that did not end with status OK. `message` is what Go clients print, `details` the bare text of the server. */
export class GrpcError extends Error {
  readonly code: number;
  readonly details: string;
  /** true when the server cannot have seen the request: nothing was sent, or the peer refused the stream unprocessed */
  readonly unprocessed: boolean;

  constructor(code: number, details: string, options: { unprocessed?: boolean; cause?: unknown } = {}) {
    super(`rpc error: code = ${codeName(code)} desc = ${details}`, { cause: options.cause });
    this.name = 'GrpcError';
    this.code = code;
    this.details = details;
    this.unprocessed = options.unprocessed ?? false;
  }
}

/** The error that `grpc-status` and `grpc-message` report; undefined for status OK. */
export function statusFrom(status: string, message: string): GrpcError | undefined {
  const code = /^\d+$/.test(status) ? Number(status) : statusCode.unknown;
  return code === statusCode.ok ? undefined : new GrpcError(code, percentDecode(message));
}

const httpStatusCodes: Readonly<Record<number, number>> = Object.freeze({
  400: statusCode.internal,
  401: statusCode.unauthenticated,
  403: statusCode.permissionDenied,
  404: statusCode.unimplemented,
  429: statusCode.unavailable,
  502: statusCode.unavailable,
  503: statusCode.unavailable,
  504: statusCode.unavailable,
});

/** What a response that is not gRPC at all means: something else listens there, or a proxy responded. */
export function httpStatusError(httpStatus: number): GrpcError {
  return new GrpcError(
    httpStatusCodes[httpStatus] ?? statusCode.unknown,
    `unexpected HTTP status code received from server: ${httpStatus}`,
  );
}

/** Undoes gRPC's percent-encoding of UTF-8 text; what is not a valid escape stays as it is. */
export function percentDecode(text: string): string {
  if (!text.includes('%')) return text;
  const source = Buffer.from(text, 'latin1');
  const out = Buffer.allocUnsafe(source.length);
  let length = 0;
  for (let i = 0; i < source.length; i++) {
    const byte = source[i] as number;
    const escape = byte === 0x25 ? source.toString('latin1', i + 1, i + 3) : '';
    if (/^[0-9a-fA-F]{2}$/.test(escape)) {
      out[length++] = Number.parseInt(escape, 16);
      i += 2;
    } else {
      out[length++] = byte;
    }
  }
  return out.toString('utf8', 0, length);
}

/** UTF-8 text as `grpc-message` has it: printable ASCII, the rest and `%` escaped. */
export function percentEncode(text: string): string {
  if (/^[ -$&-~]*$/.test(text)) return text;
  let out = '';
  for (const byte of Buffer.from(text)) {
    const plain = byte >= 0x20 && byte <= 0x7e && byte !== 0x25;
    out += plain ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return out;
}
