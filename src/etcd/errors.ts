// Upstream: go.etcd.io/etcd/api/v3/v3rpc/rpctypes/error.go
import { GrpcError, statusCode } from '../base/grpc/status.ts';
import { CompactedError, FutureRevisionError, StorageUnavailableError } from '../storage/storage.ts';

export const emptyKey = (): GrpcError => new GrpcError(statusCode.invalidArgument, 'etcdserver: key is not provided');
export const keyNotFound = (): GrpcError => new GrpcError(statusCode.invalidArgument, 'etcdserver: key not found');
export const valueProvided = (): GrpcError => new GrpcError(statusCode.invalidArgument, 'etcdserver: value is provided');
export const leaseProvided = (): GrpcError => new GrpcError(statusCode.invalidArgument, 'etcdserver: lease is provided');
export const tooManyOperations = (): GrpcError =>
  new GrpcError(statusCode.invalidArgument, 'etcdserver: too many operations in txn request');
export const duplicateKey = (): GrpcError => new GrpcError(statusCode.invalidArgument, 'etcdserver: duplicate key given in txn request');
export const invalidSortOption = (): GrpcError => new GrpcError(statusCode.invalidArgument, 'etcdserver: invalid sort option');
export const tooLarge = (): GrpcError => new GrpcError(statusCode.invalidArgument, 'etcdserver: request is too large');
export const compacted = (): GrpcError => new GrpcError(statusCode.outOfRange, 'etcdserver: mvcc: required revision has been compacted');
export const futureRevision = (): GrpcError =>
  new GrpcError(statusCode.outOfRange, 'etcdserver: mvcc: required revision is a future revision');
export const leaseNotFound = (): GrpcError => new GrpcError(statusCode.notFound, 'etcdserver: requested lease not found');
export const leaseExists = (): GrpcError => new GrpcError(statusCode.failedPrecondition, 'etcdserver: lease already exists');
export const leaseTooLong = (): GrpcError => new GrpcError(statusCode.outOfRange, 'etcdserver: too large lease TTL');
export const watchCanceled = (): GrpcError => new GrpcError(statusCode.cancelled, 'etcdserver: watch canceled');

/** What clients see of an error of the store. */
export function storeError(error: unknown): unknown {
  if (error instanceof CompactedError) return compacted();
  if (error instanceof FutureRevisionError) return futureRevision();
  if (error instanceof StorageUnavailableError)
    return new GrpcError(statusCode.unavailable, `etcdserver: ${error.message}`, { cause: error });
  return error;
}
