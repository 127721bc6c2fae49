/* etcd's requests and responses as plain objects, over our gRPC channel: for tests that ask any etcd. */
import protobuf from 'protobufjs';
import { Channel } from '../../src/base/grpc/channel.ts';
import type { GrpcStream } from '../../src/base/grpc/call.ts';

const definitions = `syntax = "proto3";
message KeyValue { bytes key = 1; int64 create_revision = 2; int64 mod_revision = 3; int64 version = 4; bytes value = 5; int64 lease = 6; }
message Event { int32 type = 1; KeyValue kv = 2; KeyValue prev_kv = 3; }
message Header { uint64 cluster_id = 1; uint64 member_id = 2; int64 revision = 3; uint64 raft_term = 4; }
message RangeRequest { bytes key = 1; bytes range_end = 2; int64 limit = 3; int64 revision = 4; int32 sort_order = 5; int32 sort_target = 6;
  bool serializable = 7; bool keys_only = 8; bool count_only = 9; int64 min_mod_revision = 10; int64 max_mod_revision = 11;
  int64 min_create_revision = 12; int64 max_create_revision = 13; }
message RangeResponse { Header header = 1; repeated KeyValue kvs = 2; bool more = 3; int64 count = 4; }
message RangeStreamResponse { RangeResponse range_response = 1; }
message PutRequest { bytes key = 1; bytes value = 2; int64 lease = 3; bool prev_kv = 4; bool ignore_value = 5; bool ignore_lease = 6; }
message PutResponse { Header header = 1; KeyValue prev_kv = 2; }
message DeleteRangeRequest { bytes key = 1; bytes range_end = 2; bool prev_kv = 3; }
message DeleteRangeResponse { Header header = 1; int64 deleted = 2; repeated KeyValue prev_kvs = 3; }
message RequestOp { oneof request { RangeRequest range = 1; PutRequest put = 2; DeleteRangeRequest delete_range = 3; TxnRequest txn = 4; } }
message ResponseOp { oneof response { RangeResponse range = 1; PutResponse put = 2; DeleteRangeResponse delete_range = 3; TxnResponse txn = 4; } }
message Compare { int32 result = 1; int32 target = 2; bytes key = 3;
  oneof target_union { int64 version = 4; int64 create_revision = 5; int64 mod_revision = 6; bytes value = 7; int64 lease = 8; } bytes range_end = 64; }
message TxnRequest { repeated Compare compare = 1; repeated RequestOp success = 2; repeated RequestOp failure = 3; }
message TxnResponse { Header header = 1; bool succeeded = 2; repeated ResponseOp responses = 3; }
message CompactionRequest { int64 revision = 1; bool physical = 2; }
message CompactionResponse { Header header = 1; }
message LeaseGrantRequest { int64 TTL = 1; int64 ID = 2; }
message LeaseGrantResponse { Header header = 1; int64 ID = 2; int64 TTL = 3; string error = 4; }
message LeaseRevokeRequest { int64 ID = 1; }
message LeaseRevokeResponse { Header header = 1; }
message LeaseTimeToLiveRequest { int64 ID = 1; bool keys = 2; }
message LeaseTimeToLiveResponse { Header header = 1; int64 ID = 2; int64 TTL = 3; int64 grantedTTL = 4; repeated bytes keys = 5; }
message LeaseLeasesRequest { }
message LeaseStatus { int64 ID = 1; }
message LeaseLeasesResponse { Header header = 1; repeated LeaseStatus leases = 2; }
message LeaseKeepAliveRequest { int64 ID = 1; }
message LeaseKeepAliveResponse { Header header = 1; int64 ID = 2; int64 TTL = 3; }
message WatchCreate { bytes key = 1; bytes range_end = 2; int64 start_revision = 3; bool progress_notify = 4; repeated int32 filters = 5;
  bool prev_kv = 6; int64 watch_id = 7; bool fragment = 8; }
message WatchCancel { int64 watch_id = 1; }
message WatchProgress { }
message WatchRequest { oneof request { WatchCreate create = 1; WatchCancel cancel = 2; WatchProgress progress = 3; } }
message WatchResponse { Header header = 1; int64 watch_id = 2; bool created = 3; bool canceled = 4; int64 compact_revision = 5;
  string cancel_reason = 6; bool fragment = 7; repeated Event events = 11; }
message StatusRequest { }
message StatusResponse { Header header = 1; string version = 2; int64 dbSize = 3; uint64 leader = 4; repeated string errors = 8; }
message AlarmRequest { int32 action = 1; uint64 memberID = 2; int32 alarm = 3; }
message AlarmMember { uint64 memberID = 1; int32 alarm = 2; }
message AlarmResponse { Header header = 1; repeated AlarmMember alarms = 2; }
message MemberListRequest { }
message Member { uint64 ID = 1; string name = 2; repeated string peerURLs = 3; repeated string clientURLs = 4; }
message MemberListResponse { Header header = 1; repeated Member members = 2; }
message HashKVRequest { int64 revision = 1; }
message HashKVResponse { Header header = 1; uint32 hash = 2; int64 compact_revision = 3; int64 hash_revision = 4; }
message SnapshotRequest { }
message SnapshotResponse { Header header = 1; uint64 remaining_bytes = 2; bytes blob = 3; string version = 4; }
`;

const { root } = protobuf.parse(definitions, { keepCase: true });

/** Methods of one request and one response, by name: the service, and the stem of its messages where that is not the name. */
const services: Readonly<Record<string, string>> = {
  Range: 'KV',
  Put: 'KV',
  DeleteRange: 'KV',
  Txn: 'KV',
  Compact: 'KV',
  LeaseGrant: 'Lease',
  LeaseRevoke: 'Lease',
  LeaseTimeToLive: 'Lease',
  LeaseLeases: 'Lease',
  Status: 'Maintenance',
  Alarm: 'Maintenance',
  HashKV: 'Maintenance',
  MemberList: 'Cluster',
};
const stems: Readonly<Record<string, string>> = { Compact: 'Compaction' };

export type Plain = Record<string, unknown>;

export function encode(type: string, value: Plain): Buffer {
  const message = root.lookupType(type);
  return Buffer.from(message.encode(message.fromObject(value)).finish());
}

/** Bytes as text of one character per byte, 64-bit numbers as text. */
export function decode(type: string, bytes: Buffer): Plain {
  const message = root.lookupType(type);
  const plain = message.toObject(message.decode(bytes), { longs: String, defaults: false }) as Plain;
  return readable(plain) as Plain;
}

function readable(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1');
  if (Array.isArray(value)) return value.map(readable);
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, readable(one)]));
  return value;
}

export const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

export class EtcdApi implements Disposable {
  readonly #channel: Channel;

  constructor(endpoint: string) {
    this.#channel = new Channel({ endpoints: [endpoint], maxReceiveBytes: 1 << 30 });
  }

  async call(method: string, request: Plain = {}): Promise<Plain> {
    const stem = stems[method] ?? method;
    const path = `/etcdserverpb.${services[method]}/${method}`;
    return decode(`${stem}Response`, await this.#channel.unary(path, encode(`${stem}Request`, request), { timeoutMs: 20_000 }));
  }

  raw(path: string, message = Buffer.alloc(0)): Promise<Buffer> {
    return this.#channel.unary(path, message, { timeoutMs: 20_000 });
  }

  async openStream(path: string): Promise<GrpcStream> {
    return this.#channel.stream(path, { connectTimeoutMs: 20_000 });
  }

  async watch(): Promise<EtcdWatch> {
    return new EtcdWatch(await this.openStream('/etcdserverpb.Watch/Watch'));
  }

  [Symbol.dispose](): void {
    this.#channel[Symbol.dispose]();
  }
}

/** A stream of watches; responses are kept until they are taken. */
export class EtcdWatch implements Disposable {
  readonly #stream: GrpcStream;
  readonly #responses: Plain[] = [];
  #wake: (() => void) | undefined;
  error: unknown;

  constructor(stream: GrpcStream) {
    this.#stream = stream;
    void this.#read();
  }

  send(request: Plain): Promise<void> {
    return this.#stream.send(encode('WatchRequest', request));
  }

  async next(): Promise<Plain> {
    while (this.#responses.length === 0) {
      if (this.error !== undefined) throw this.error;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    return this.#responses.shift()!;
  }

  [Symbol.dispose](): void {
    this.#stream.cancel();
  }

  async #read(): Promise<void> {
    try {
      for await (const batch of this.#stream) {
        for (const message of batch) this.#responses.push(decode('WatchResponse', message));
        this.#wake?.();
      }
      this.error = new Error('the stream has ended');
    } catch (error) {
      this.error = error;
    }
    this.#wake?.();
  }
}
