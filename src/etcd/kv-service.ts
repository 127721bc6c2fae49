// Upstream: go.etcd.io/etcd/server/v3/etcdserver/api/v3rpc/key.go, go.etcd.io/etcd/server/v3/etcdserver/v3_server.go#rangeStream
import { setImmediate as turn } from 'node:timers/promises';
import { ProtoReader, ProtoWriter } from '../base/grpc/protobuf.ts';
import type { GrpcMessage, GrpcMethod, ServerStream } from '../base/grpc/server.ts';
import { GrpcError, statusCode } from '../base/grpc/status.ts';
import type { KeyValue } from '../storage/storage.ts';
import { tooLarge } from './errors.ts';
import { hasDefaultOrder, hasRevisionFilters } from './range.ts';
import { readDeleteRange, readInts, readPut, readRange, readTxn } from './requests.ts';
import type { RangeResponse, Responses } from './responses.ts';
import { writeRangeItem } from './responses.ts';
import type { EtcdStore } from './store.ts';

/** Responses are written in pieces of about this size, and others are served in between. */
const pieceBytes = 1 << 20;

export function kvMethods(store: EtcdStore, responses: Responses, maxRequestBytes: number): Record<string, GrpcMethod> {
  /** Writes are limited to what goes into a log entry; the reader of messages allows for some more, as upstream. */
  const bounded = (message: Buffer): ProtoReader => {
    if (message.length > maxRequestBytes) throw tooLarge();
    return new ProtoReader(message);
  };
  return {
    '/etcdserverpb.KV/Range': {
      unary: async (message) => {
        const response = await store.range(readRange(new ProtoReader(message)));
        return wholeRange(response, responses);
      },
    },
    '/etcdserverpb.KV/RangeStream': { stream: (stream) => streamRange(stream, store, responses) },
    '/etcdserverpb.KV/Put': { unary: async (message) => responses.put(await store.put(readPut(bounded(message)))) },
    '/etcdserverpb.KV/DeleteRange': {
      unary: async (message) => responses.deleteRange(await store.deleteRange(readDeleteRange(bounded(message)))),
    },
    '/etcdserverpb.KV/Txn': { unary: async (message) => responses.txn(await store.txn(readTxn(bounded(message)))) },
    '/etcdserverpb.KV/Compact': {
      unary: async (message) => {
        await store.compact(readInts(new ProtoReader(message))[1] ?? 0);
        return responses.message(store.revision);
      },
    },
  };
}

async function wholeRange(response: RangeResponse, responses: Responses): Promise<GrpcMessage> {
  const pieces: Buffer[] = [];
  for await (const piece of pieceByPiece(response)) pieces.push(piece);
  return [...pieces, responses.message(response.revision, (writer) => writer.bool(3, response.more).int(4, response.count))];
}

/** The keys and values of a response, encoded. */
async function* pieceByPiece(response: RangeResponse): AsyncGenerator<Buffer, void, undefined> {
  const { kvs } = response;
  for (let i = 0; i < kvs.length;) {
    const writer = new ProtoWriter(i === 0 ? 4096 : pieceBytes);
    let bytes = 0;
    for (; i < kvs.length && bytes < pieceBytes; i++) {
      const kv: KeyValue = kvs[i]!;
      bytes += kv.key.length + (response.keysOnly ? 0 : kv.value.length) + 32;
      writeRangeItem(writer, kv, response);
    }
    yield writer.finish();
    if (i < kvs.length) await turn();
  }
}

/** The same response in messages that neither side has to hold all at once; header and counts are in the last one. */
async function streamRange(stream: ServerStream, store: EtcdStore, responses: Responses): Promise<void> {
  for await (const batch of stream) {
    for (const message of batch) {
      const request = readRange(new ProtoReader(message));
      if (!hasDefaultOrder(request)) throw unsupported('custom sort orders');
      if (hasRevisionFilters(request)) throw unsupported('revision filters');
      const response = await store.range(request);
      let waiting: Buffer | undefined;
      for await (const piece of pieceByPiece(response)) {
        if (waiting !== undefined) await stream.send(chunk([waiting]));
        waiting = piece;
      }
      const end = responses.message(response.revision, (writer) => writer.bool(3, response.more).int(4, response.count));
      await stream.send(chunk(waiting === undefined ? [end] : [waiting, end]));
      return;
    }
  }
}

/** A RangeStreamResponse around parts of a RangeResponse. */
function chunk(parts: readonly Buffer[]): Buffer {
  return new ProtoWriter().presentBytes(1, Buffer.concat(parts)).finish();
}

function unsupported(what: string): GrpcError {
  return new GrpcError(statusCode.unimplemented, `RangeStream does not support ${what}`);
}
