// Upstream: go.etcd.io/etcd/api/v3/etcdserverpb/rpc.proto, go.etcd.io/etcd/api/v3/mvccpb/kv.proto
import { ProtoWriter } from '../base/grpc/protobuf.ts';
import type { KeyValue } from '../storage/storage.ts';
import { keyBytes } from './requests.ts';
import { leaseOf, valueOf } from './stored-value.ts';

/** Who responds: in the header of every response. */
export interface Identity {
  readonly clusterId: bigint;
  readonly memberId: bigint;
  /** there are no elections here: the same for ever */
  readonly term: number;
}

export interface RangeResponse {
  /** the store's revision */
  readonly revision: number;
  readonly kvs: readonly KeyValue[];
  readonly more: boolean;
  readonly count: number;
  readonly keysOnly: boolean;
  /** keys alone do not come with their leases, unless they had to be read for being sorted by value; a quirk of upstream */
  readonly withLease: boolean;
}

export interface PutResponse {
  readonly revision: number;
  readonly previous: KeyValue | undefined;
}

export interface DeleteRangeResponse {
  readonly revision: number;
  readonly deleted: number;
  readonly previous: readonly KeyValue[];
}

export type ResponseOperation =
  | { readonly type: 'range'; readonly response: RangeResponse }
  | { readonly type: 'put'; readonly response: PutResponse }
  | { readonly type: 'delete'; readonly response: DeleteRangeResponse }
  | { readonly type: 'txn'; readonly response: TxnResponse };

export interface TxnResponse {
  /** 0 in nested ones: their header is empty */
  readonly revision: number;
  readonly succeeded: boolean;
  readonly responses: readonly ResponseOperation[];
}

type WriteHeader = (writer: ProtoWriter, revision: number) => void;

export function headerOf({ clusterId, memberId, term }: Identity): WriteHeader {
  return (writer, revision) =>
    void writer.message(1, (header) => header.bigInt(1, clusterId).bigInt(2, memberId).int(3, revision).int(4, term));
}

/** Inside transactions only the revision is there. */
const innerHeader: WriteHeader = (writer, revision) => void writer.message(1, (header) => header.int(3, revision));

export function writeKeyValue(writer: ProtoWriter, kv: KeyValue, keysOnly = false, withLease = true): void {
  writer.bytes(1, keyBytes(kv.key)).int(2, kv.createRevision).int(3, kv.modRevision).int(4, kv.version);
  if (!keysOnly) writer.bytes(5, valueOf(kv));
  if (withLease) writer.bigInt(6, leaseOf(kv));
}

function writeRange(writer: ProtoWriter, response: RangeResponse, header: WriteHeader): void {
  header(writer, response.revision);
  for (const kv of response.kvs) writer.message(2, (nested) => writeKeyValue(nested, kv, response.keysOnly, response.withLease));
  writer.bool(3, response.more).int(4, response.count);
}

function writePut(writer: ProtoWriter, { revision, previous }: PutResponse, header: WriteHeader): void {
  header(writer, revision);
  if (previous !== undefined) writer.message(2, (nested) => writeKeyValue(nested, previous));
}

function writeDelete(writer: ProtoWriter, { revision, deleted, previous }: DeleteRangeResponse, header: WriteHeader): void {
  header(writer, revision);
  writer.int(2, deleted);
  for (const kv of previous) writer.message(3, (nested) => writeKeyValue(nested, kv));
}

function writeTxn(writer: ProtoWriter, { revision, succeeded, responses }: TxnResponse, header: WriteHeader): void {
  header(writer, revision);
  writer.bool(2, succeeded);
  for (const operation of responses) {
    writer.message(3, (one) => {
      if (operation.type === 'range') one.message(1, (nested) => writeRange(nested, operation.response, innerHeader));
      else if (operation.type === 'put') one.message(2, (nested) => writePut(nested, operation.response, innerHeader));
      else if (operation.type === 'delete') one.message(3, (nested) => writeDelete(nested, operation.response, innerHeader));
      else one.message(4, (nested) => writeTxn(nested, operation.response, innerHeader));
    });
  }
}

export class Responses {
  readonly #header: WriteHeader;

  constructor(identity: Identity) {
    this.#header = headerOf(identity);
  }

  /** Only a header, and what `write` adds to it. */
  message(revision: number, write: (writer: ProtoWriter) => void = () => undefined): Buffer {
    const writer = new ProtoWriter();
    this.#header(writer, revision);
    write(writer);
    return writer.finish();
  }

  put(response: PutResponse): Buffer {
    const writer = new ProtoWriter();
    writePut(writer, response, this.#header);
    return writer.finish();
  }

  deleteRange(response: DeleteRangeResponse): Buffer {
    const writer = new ProtoWriter();
    writeDelete(writer, response, this.#header);
    return writer.finish();
  }

  txn(response: TxnResponse): Buffer {
    const writer = new ProtoWriter();
    writeTxn(writer, response, this.#header);
    return writer.finish();
  }
}

/** A field 2 with the key and value, as responses to ranges have them. */
export function writeRangeItem(writer: ProtoWriter, kv: KeyValue, { keysOnly, withLease }: RangeResponse): void {
  writer.message(2, (nested) => writeKeyValue(nested, kv, keysOnly, withLease));
}
