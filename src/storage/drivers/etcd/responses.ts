// Upstream: go.etcd.io/etcd/api/v3/etcdserverpb/rpc.proto, go.etcd.io/etcd/api/v3/mvccpb/kv.proto
import { ProtoReader } from '../../../base/grpc/protobuf.ts';
import type { KeyValue } from '../../storage.ts';

/** Bytes of a key to the key as callers know it. */
export type KeyDecoder = (bytes: Buffer) => string;

export interface RangeResponse {
  readonly revision: number;
  readonly kvs: KeyValue[];
  readonly more: boolean;
  readonly count: number;
}

export interface TxnResponse {
  readonly revision: number;
  readonly succeeded: boolean;
  /** per operation: the key's value before a put or delete (when asked for), or the one that a range found */
  readonly values: (KeyValue | undefined)[];
}

export interface WatchEvent {
  readonly deleted: boolean;
  readonly kv: KeyValue;
  readonly previous: KeyValue | undefined;
}

export interface WatchResponse {
  readonly revision: number;
  readonly created: boolean;
  readonly canceled: boolean;
  readonly compactRevision: number;
  readonly cancelReason: string;
  readonly events: WatchEvent[];
}

export interface StatusResponse {
  readonly version: string;
  readonly databaseSize: number;
  readonly leader: bigint;
  readonly memberId: bigint;
  readonly errors: readonly string[];
}

const emptyValue: Buffer = Buffer.alloc(0);

/** Of the header only the revision matters. */
function readHeader(reader: ProtoReader): number {
  let revision = 0;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 3) revision = reader.int();
    else reader.skip();
  }
  return revision;
}

/** The member that responded. */
function readMemberId(reader: ProtoReader): bigint {
  let id = 0n;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 2) id = BigInt.asUintN(64, reader.bigInt());
    else reader.skip();
  }
  return id;
}

/** The value is a view of the response: copy it to keep it for long. */
function readKeyValue(reader: ProtoReader, decodeKey: KeyDecoder): KeyValue {
  let key = '';
  let value = emptyValue;
  let modRevision = 0;
  let createRevision = 0;
  let version = 0;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) key = decodeKey(reader.bytes());
    else if (field === 2) createRevision = reader.int();
    else if (field === 3) modRevision = reader.int();
    else if (field === 4) version = reader.int();
    else if (field === 5) value = reader.bytes();
    else reader.skip();
  }
  return { key, value, modRevision, createRevision, version };
}

function readRange(reader: ProtoReader, decodeKey: KeyDecoder): RangeResponse {
  const kvs: KeyValue[] = [];
  let revision = 0;
  let more = false;
  let count = 0;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 2) kvs.push(readKeyValue(reader.message(), decodeKey));
    else if (field === 1) revision = readHeader(reader.message());
    else if (field === 3) more = reader.bool();
    else if (field === 4) count = reader.int();
    else reader.skip();
  }
  return { revision, kvs, more, count };
}

/** ResponseOp: the previous or found value sits in field 2 of range and put responses, in field 3 of delete responses. */
function readResponseOperation(reader: ProtoReader, decodeKey: KeyDecoder): KeyValue | undefined {
  let value: KeyValue | undefined;
  for (let kind = reader.next(); kind !== 0; kind = reader.next()) {
    const answer = reader.message();
    const valueField = kind === 3 ? 3 : 2;
    for (let field = answer.next(); field !== 0; field = answer.next()) {
      if (field === valueField) value ??= readKeyValue(answer.message(), decodeKey);
      else answer.skip();
    }
  }
  return value;
}

function readEvent(reader: ProtoReader, decodeKey: KeyDecoder): WatchEvent {
  let deleted = false;
  let kv: KeyValue = { key: '', value: emptyValue, modRevision: 0, createRevision: 0, version: 0 };
  let previous: KeyValue | undefined;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) deleted = reader.int() === 1;
    else if (field === 2) kv = readKeyValue(reader.message(), decodeKey);
    else if (field === 3) previous = readKeyValue(reader.message(), decodeKey);
    else reader.skip();
  }
  return { deleted, kv, previous };
}

export function decodeRange(message: Buffer, decodeKey: KeyDecoder): RangeResponse {
  return readRange(new ProtoReader(message), decodeKey);
}

export function decodeTxn(message: Buffer, decodeKey: KeyDecoder): TxnResponse {
  const reader = new ProtoReader(message);
  const values: (KeyValue | undefined)[] = [];
  let revision = 0;
  let succeeded = false;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) revision = readHeader(reader.message());
    else if (field === 2) succeeded = reader.bool();
    else if (field === 3) values.push(readResponseOperation(reader.message(), decodeKey));
    else reader.skip();
  }
  return { revision, succeeded, values };
}

export function decodeWatch(message: Buffer, decodeKey: KeyDecoder): WatchResponse {
  const reader = new ProtoReader(message);
  const response = {
    revision: 0,
    created: false,
    canceled: false,
    compactRevision: 0,
    cancelReason: '',
    events: [] as WatchEvent[],
  };
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) response.revision = readHeader(reader.message());
    else if (field === 3) response.created = reader.bool();
    else if (field === 4) response.canceled = reader.bool();
    else if (field === 5) response.compactRevision = reader.int();
    else if (field === 6) response.cancelReason = reader.string();
    else if (field === 11) response.events.push(readEvent(reader.message(), decodeKey));
    else reader.skip();
  }
  return response;
}

export function decodeLeaseGrant(message: Buffer): { id: bigint; error: string } {
  const reader = new ProtoReader(message);
  let id = 0n;
  let error = '';
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 2) id = reader.bigInt();
    else if (field === 4) error = reader.string();
    else reader.skip();
  }
  return { id, error };
}

/** Ids of all leases. */
export function decodeLeases(message: Buffer): bigint[] {
  const reader = new ProtoReader(message);
  const leases: bigint[] = [];
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field !== 2) {
      reader.skip();
      continue;
    }
    const lease = reader.message();
    for (let part = lease.next(); part !== 0; part = lease.next()) {
      if (part === 1) leases.push(lease.bigInt());
      else lease.skip();
    }
  }
  return leases;
}

export interface LeaseTimeToLive {
  /** less than 0: it is over */
  readonly secondsLeft: number;
  /** that it ends */
  readonly keys: readonly string[];
}

export function decodeLeaseTimeToLive(message: Buffer, decodeKey: KeyDecoder): LeaseTimeToLive {
  const reader = new ProtoReader(message);
  const keys: string[] = [];
  let secondsLeft = 0;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 3) secondsLeft = reader.int();
    else if (field === 5) keys.push(decodeKey(reader.bytes()));
    else reader.skip();
  }
  return { secondsLeft, keys };
}

export function decodeStatus(message: Buffer): StatusResponse {
  const reader = new ProtoReader(message);
  const errors: string[] = [];
  const response = { version: '', databaseSize: 0, leader: 0n, memberId: 0n, errors };
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) response.memberId = readMemberId(reader.message());
    else if (field === 2) response.version = reader.string();
    else if (field === 3) response.databaseSize = reader.int();
    else if (field === 4) response.leader = BigInt.asUintN(64, reader.bigInt());
    else if (field === 8) errors.push(reader.string());
    else reader.skip();
  }
  return response;
}

/** One chunk of a streamed range: the keys of all chunks in order, the rest of the fields in the last one. */
export function decodeRangeChunk(message: Buffer, decodeKey: KeyDecoder): RangeResponse {
  const reader = new ProtoReader(message);
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) return readRange(reader.message(), decodeKey);
    reader.skip();
  }
  return { revision: 0, kvs: [], more: false, count: 0 };
}
