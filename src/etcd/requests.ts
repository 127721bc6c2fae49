// Upstream: go.etcd.io/etcd/api/v3/etcdserverpb/rpc.proto
import { ProtoReader } from '../base/grpc/protobuf.ts';
import { emptyKey, invalidSortOption, keyNotFound, tooManyOperations } from './errors.ts';

/**
 * Keys are bytes for clients and strings in the store: one character per byte, so that both have the same order.
 * An end of a range is absent for a single key and '\0' for everything from a key on.
 */
export interface RangeRequest {
  key: string;
  rangeEnd: string;
  limit: number;
  revision: number;
  sortOrder: number;
  sortTarget: number;
  keysOnly: boolean;
  countOnly: boolean;
  minModRevision: number;
  maxModRevision: number;
  minCreateRevision: number;
  maxCreateRevision: number;
}

export interface PutRequest {
  key: string;
  value: Buffer;
  lease: bigint;
  prevKv: boolean;
  ignoreValue: boolean;
  ignoreLease: boolean;
}

export interface DeleteRangeRequest {
  key: string;
  rangeEnd: string;
  prevKv: boolean;
}

export const compareTarget = Object.freeze({ version: 0, create: 1, mod: 2, value: 3, lease: 4 });

export interface Compare {
  result: number;
  target: number;
  key: string;
  rangeEnd: string;
  number: number;
  lease: bigint;
  value: Buffer;
}

export type RequestOperation =
  | { readonly type: 'range'; readonly request: RangeRequest }
  | { readonly type: 'put'; readonly request: PutRequest }
  | { readonly type: 'delete'; readonly request: DeleteRangeRequest }
  | { readonly type: 'txn'; readonly request: TxnRequest };

export interface TxnRequest {
  readonly compare: readonly Compare[];
  readonly success: readonly RequestOperation[];
  readonly failure: readonly RequestOperation[];
}

export interface WatchCreateRequest {
  key: string;
  rangeEnd: string;
  startRevision: number;
  progressNotify: boolean;
  noPut: boolean;
  noDelete: boolean;
  prevKv: boolean;
  watchId: number;
  fragment: boolean;
}

export type WatchRequest =
  | { readonly type: 'create'; readonly request: WatchCreateRequest }
  | { readonly type: 'cancel'; readonly watchId: number }
  | { readonly type: 'progress' };

const noBytes = Buffer.alloc(0);

const keyFrom = (reader: ProtoReader): string => reader.bytes().toString('latin1');

export function keyBytes(key: string): Buffer {
  return Buffer.from(key, 'latin1');
}

export function readRange(reader: ProtoReader): RangeRequest {
  const request: RangeRequest = {
    key: '',
    rangeEnd: '',
    limit: 0,
    revision: 0,
    sortOrder: 0,
    sortTarget: 0,
    keysOnly: false,
    countOnly: false,
    minModRevision: 0,
    maxModRevision: 0,
    minCreateRevision: 0,
    maxCreateRevision: 0,
  };
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) request.key = keyFrom(reader);
    else if (field === 2) request.rangeEnd = keyFrom(reader);
    else if (field === 3) request.limit = reader.int();
    else if (field === 4) request.revision = reader.int();
    else if (field === 5) request.sortOrder = reader.int();
    else if (field === 6) request.sortTarget = reader.int();
    else if (field === 8) request.keysOnly = reader.bool();
    else if (field === 9) request.countOnly = reader.bool();
    else if (field === 10) request.minModRevision = reader.int();
    else if (field === 11) request.maxModRevision = reader.int();
    else if (field === 12) request.minCreateRevision = reader.int();
    else if (field === 13) request.maxCreateRevision = reader.int();
    else reader.skip();
  }
  return request;
}

export function readPut(reader: ProtoReader): PutRequest {
  const request: PutRequest = { key: '', value: noBytes, lease: 0n, prevKv: false, ignoreValue: false, ignoreLease: false };
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) request.key = keyFrom(reader);
    else if (field === 2) request.value = reader.bytes();
    else if (field === 3) request.lease = reader.bigInt();
    else if (field === 4) request.prevKv = reader.bool();
    else if (field === 5) request.ignoreValue = reader.bool();
    else if (field === 6) request.ignoreLease = reader.bool();
    else reader.skip();
  }
  return request;
}

export function readDeleteRange(reader: ProtoReader): DeleteRangeRequest {
  const request: DeleteRangeRequest = { key: '', rangeEnd: '', prevKv: false };
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) request.key = keyFrom(reader);
    else if (field === 2) request.rangeEnd = keyFrom(reader);
    else if (field === 3) request.prevKv = reader.bool();
    else reader.skip();
  }
  return request;
}

function readCompare(reader: ProtoReader): Compare {
  const compare: Compare = { result: 0, target: 0, key: '', rangeEnd: '', number: 0, lease: 0n, value: noBytes };
  // What is compared with counts only when it is that of the target, as for upstream.
  const numbers = [0, 0, 0];
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) compare.result = reader.int();
    else if (field === 2) compare.target = reader.int();
    else if (field === 3) compare.key = keyFrom(reader);
    else if (field >= 4 && field <= 6) numbers[field - 4] = reader.int();
    else if (field === 7) compare.value = reader.bytes();
    else if (field === 8) compare.lease = reader.bigInt();
    else if (field === 64) compare.rangeEnd = keyFrom(reader);
    else reader.skip();
  }
  compare.number = numbers[compare.target] ?? 0;
  return compare;
}

/** Each level leaves fewer operations to the one inside it, so that deeper ones are refused anyway. */
const deepest = 128;

function readOperation(reader: ProtoReader, depth: number): RequestOperation {
  let operation: RequestOperation | undefined;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) operation = { type: 'range', request: readRange(reader.message()) };
    else if (field === 2) operation = { type: 'put', request: readPut(reader.message()) };
    else if (field === 3) operation = { type: 'delete', request: readDeleteRange(reader.message()) };
    else if (field === 4) operation = { type: 'txn', request: readTxn(reader.message(), depth + 1) };
    else reader.skip();
  }
  // Upstream reports an operation without a request in these words.
  if (operation === undefined) throw keyNotFound();
  return operation;
}

export function readTxn(reader: ProtoReader, depth = 0): TxnRequest {
  if (depth > deepest) throw tooManyOperations();
  const compare: Compare[] = [];
  const success: RequestOperation[] = [];
  const failure: RequestOperation[] = [];
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) compare.push(readCompare(reader.message()));
    else if (field === 2) success.push(readOperation(reader.message(), depth));
    else if (field === 3) failure.push(readOperation(reader.message(), depth));
    else reader.skip();
  }
  return { compare, success, failure };
}

function readWatchCreate(reader: ProtoReader): WatchCreateRequest {
  const request: WatchCreateRequest = {
    key: '',
    rangeEnd: '',
    startRevision: 0,
    progressNotify: false,
    noPut: false,
    noDelete: false,
    prevKv: false,
    watchId: 0,
    fragment: false,
  };
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) request.key = keyFrom(reader);
    else if (field === 2) request.rangeEnd = keyFrom(reader);
    else if (field === 3) request.startRevision = reader.int();
    else if (field === 4) request.progressNotify = reader.bool();
    else if (field === 5) {
      for (const filter of reader.ints()) {
        request.noPut ||= filter === 0;
        request.noDelete ||= filter === 1;
      }
    } else if (field === 6) request.prevKv = reader.bool();
    else if (field === 7) request.watchId = reader.int();
    else if (field === 8) request.fragment = reader.bool();
    else reader.skip();
  }
  return request;
}

/** undefined: a request of no type that is known, which is ignored. */
export function readWatch(message: Buffer): WatchRequest | undefined {
  const reader = new ProtoReader(message);
  let request: WatchRequest | undefined;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) request = { type: 'create', request: readWatchCreate(reader.message()) };
    else if (field === 2) request = { type: 'cancel', watchId: readInts(reader.message())[1] ?? 0 };
    else if (field === 3) {
      reader.skip();
      request = { type: 'progress' };
    } else reader.skip();
  }
  return request;
}

/** A message of numbers, by field. */
export function readInts(reader: ProtoReader): readonly (number | undefined)[] {
  const values: (number | undefined)[] = [];
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field < 20) values[field] = reader.int();
    else reader.skip();
  }
  return values;
}

/** A lease's identity in field 1, and what else field 2 holds. */
export function readLeaseRequest(message: Buffer, idField: 1 | 2): { id: bigint; other: number } {
  const reader = new ProtoReader(message);
  let id = 0n;
  let other = 0;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === idField) id = reader.bigInt();
    else if (field === 3 - idField) other = reader.int();
    else reader.skip();
  }
  return { id, other };
}

/** An absent end: only the key; '\0': everything from the key on. */
export function rangeOf(key: string, rangeEnd: string): { from: string; to: string | undefined } {
  if (rangeEnd === '') return { from: key, to: `${key}\0` };
  return { from: key, to: rangeEnd === '\0' ? undefined : rangeEnd };
}

export function checkRange(request: RangeRequest): void {
  if (request.key === '') throw emptyKey();
  if (request.sortOrder < 0 || request.sortOrder > 2 || request.sortTarget < 0 || request.sortTarget > 4) throw invalidSortOption();
}
