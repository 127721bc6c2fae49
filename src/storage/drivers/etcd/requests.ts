// Upstream: go.etcd.io/etcd/api/v3/etcdserverpb/rpc.proto
import { ProtoWriter } from '../../../base/grpc/protobuf.ts';

export interface RangeRequest {
  readonly key: Buffer;
  readonly rangeEnd?: Buffer | undefined;
  readonly limit?: number | undefined;
  readonly revision?: number | undefined;
  readonly keysOnly?: boolean;
  readonly countOnly?: boolean;
}

/** Only what this driver compares: the revision or the version of one key. */
export type Compare =
  | { readonly key: Buffer; readonly target: 'modRevision'; readonly equals: number }
  | { readonly key: Buffer; readonly target: 'version'; readonly equals: number };

export type TxnOperation =
  | { readonly type: 'range'; readonly range: RangeRequest }
  | { readonly type: 'put'; readonly key: Buffer; readonly value: Buffer; readonly lease?: bigint | undefined; readonly prevKv?: boolean }
  | { readonly type: 'delete'; readonly key: Buffer; readonly prevKv?: boolean };

export interface TxnRequest {
  readonly compare: readonly Compare[];
  readonly success: readonly TxnOperation[];
  readonly failure: readonly TxnOperation[];
}

export interface WatchCreateRequest {
  readonly key: Buffer;
  readonly rangeEnd: Buffer;
  readonly startRevision: number;
  readonly progressNotify: boolean;
  readonly prevKv: boolean;
}

const compareTargets = Object.freeze({ version: { target: 0, field: 4 }, modRevision: { target: 2, field: 6 } });

function writeRange(writer: ProtoWriter, request: RangeRequest): void {
  writer.bytes(1, request.key);
  if (request.rangeEnd !== undefined) writer.bytes(2, request.rangeEnd);
  writer
    .int(3, request.limit ?? 0)
    .int(4, request.revision ?? 0)
    .bool(8, request.keysOnly ?? false)
    .bool(9, request.countOnly ?? false);
}

function writeOperation(writer: ProtoWriter, operation: TxnOperation): void {
  switch (operation.type) {
    case 'range':
      writer.message(1, (nested) => writeRange(nested, operation.range));
      break;
    case 'put':
      writer.message(2, (nested) =>
        nested
          .bytes(1, operation.key)
          .bytes(2, operation.value)
          .bigInt(3, operation.lease ?? 0n)
          .bool(4, operation.prevKv ?? false),
      );
      break;
    case 'delete':
      writer.message(3, (nested) => nested.bytes(1, operation.key).bool(3, operation.prevKv ?? false));
      break;
  }
}

export function encodeRange(request: RangeRequest): Buffer {
  const writer = new ProtoWriter();
  writeRange(writer, request);
  return writer.finish();
}

export function encodeTxn(request: TxnRequest): Buffer {
  const size = request.success.reduce(
    (sum, operation) => sum + 64 + (operation.type === 'put' ? operation.key.length + operation.value.length : 0),
    256,
  );
  const writer = new ProtoWriter(size);
  for (const compare of request.compare) {
    const { target, field } = compareTargets[compare.target];
    writer.message(1, (nested) => nested.int(2, target).bytes(3, compare.key).presentInt(field, compare.equals));
  }
  for (const operation of request.success) writer.message(2, (nested) => writeOperation(nested, operation));
  for (const operation of request.failure) writer.message(3, (nested) => writeOperation(nested, operation));
  return writer.finish();
}

export function encodeCompaction(revision: number): Buffer {
  return new ProtoWriter().int(1, revision).finish();
}

export function encodeLeaseGrant(ttlSeconds: number): Buffer {
  return new ProtoWriter().int(1, ttlSeconds).finish();
}

export function encodeLeaseTimeToLive(id: bigint): Buffer {
  return new ProtoWriter().bigInt(1, id).bool(2, true).finish();
}

/**
 * Fragments are not wanted: a server that cuts a large response into fragments takes quadratic time for it
 * (100,000 small events: minutes), and there is no limit here that would need them.
 */
export function encodeWatchCreate(request: WatchCreateRequest): Buffer {
  return new ProtoWriter()
    .message(1, (create) =>
      create
        .bytes(1, request.key)
        .bytes(2, request.rangeEnd)
        .int(3, request.startRevision)
        .bool(4, request.progressNotify)
        .bool(6, request.prevKv),
    )
    .finish();
}

export function encodeWatchProgress(): Buffer {
  return new ProtoWriter().message(3, () => undefined).finish();
}
