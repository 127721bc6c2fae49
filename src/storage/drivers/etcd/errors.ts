// Upstream: go.etcd.io/etcd/api/v3/v3rpc/rpctypes/error.go
import { GrpcError, statusCode } from '../../../base/grpc/status.ts';
import { StorageUnavailableError, ValueTooLargeError } from '../../storage.ts';

const compactedText = 'etcdserver: mvcc: required revision has been compacted';
const futureText = 'etcdserver: mvcc: required revision is a future revision';
const noLeaderText = 'etcdserver: no leader';
const tooManyRequestsText = 'etcdserver: too many requests';
const tooLargeText = 'etcdserver: request is too large';
const cannotSendText = 'trying to send message larger than max';
/** what etcd's own errors begin with */
const ownWords = 'etcdserver: ';
const leaseNotFoundText = 'etcdserver: requested lease not found';

export function isCompacted(error: unknown): boolean {
  return error instanceof GrpcError && error.details === compactedText;
}

export function isFutureRevision(error: unknown): boolean {
  return error instanceof GrpcError && error.details === futureText;
}

export function isLeaseNotFound(error: unknown): boolean {
  return error instanceof GrpcError && error.details === leaseNotFoundText;
}

/** A read may be asked again wherever the next endpoint is. */
export function mayRetryRead(error: unknown): boolean {
  return error instanceof GrpcError && (error.code === statusCode.unavailable || error.details === tooManyRequestsText);
}

/**
 * A write may be sent again only when it certainly was not taken: it never left, the server refused it before reading it, or the
 * member had no leader to hand it to (members check that first, for requests that demand a leader).
 */
export function mayRetryWrite(error: unknown): boolean {
  if (!(error instanceof GrpcError)) return false;
  return (
    (error.code === statusCode.unavailable && (error.unprocessed || error.details === noLeaderText)) ||
    error.details === tooManyRequestsText
  );
}

/** Codes after which a write may have happened all the same. */
const uncertainCodes: ReadonlySet<number> = new Set([
  statusCode.cancelled,
  statusCode.unknown,
  statusCode.deadlineExceeded,
  statusCode.internal,
  statusCode.unavailable,
  statusCode.dataLoss,
]);

/** What callers of the driver see of a failed call; an aborted signal shows as its own reason. */
export function storageError(error: unknown, options: { write: boolean; signal?: AbortSignal | undefined }): unknown {
  if (!(error instanceof GrpcError)) return error;
  if (error.code === statusCode.cancelled && options.signal?.aborted && (!options.write || error.unprocessed)) return options.signal.reason;
  if (error.details === tooLargeText) return new ValueTooLargeError(error.details, { cause: error });
  if (error.code === statusCode.resourceExhausted && error.details.startsWith(cannotSendText)) {
    return new ValueTooLargeError(`rpc error: code = ResourceExhausted desc = ${error.details}`, { cause: error });
  }
  const outcomeUnknown = options.write && uncertainCodes.has(error.code) && !mayRetryWrite(error) && !error.unprocessed;
  return new StorageUnavailableError(error.details, { outcomeUnknown, saidByStore: error.details.startsWith(ownWords), cause: error });
}
