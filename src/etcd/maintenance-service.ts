// Upstream: go.etcd.io/etcd/server/v3/etcdserver/api/v3rpc/{maintenance.go,member.go}
import { crc32 } from 'node:zlib';
import { setImmediate as turn } from 'node:timers/promises';
import { ProtoReader } from '../base/grpc/protobuf.ts';
import type { GrpcMethod, ServerStream } from '../base/grpc/server.ts';
import { GrpcError, statusCode } from '../base/grpc/status.ts';
import { compacted, futureRevision } from './errors.ts';
import { keyBytes, readInts } from './requests.ts';
import type { Identity, Responses } from './responses.ts';
import type { EtcdStore } from './store.ts';

/** The release of etcd whose requests are served; clients look at it to know what they may ask for. */
export const etcdVersion = '3.7.0';
export const storageVersion = '3.7.0';

export interface Member {
  readonly name: string;
  readonly peerUrls: readonly string[];
  readonly clientUrls: readonly string[];
}

export interface MaintenanceOptions {
  readonly store: EtcdStore;
  readonly responses: Responses;
  readonly identity: Identity;
  readonly member: Member;
  readonly quotaBytes: number;
  readonly sendSnapshot: (stream: ServerStream) => Promise<void>;
}

const alarmAction = Object.freeze({ get: 0, activate: 1, deactivate: 2 });
const noSpace = 1;

export function maintenanceMethods(options: MaintenanceOptions): Record<string, GrpcMethod> {
  const { store, responses, identity, member } = options;
  /** A full disk is the one alarm that there is: it goes when the disk takes writes again. */
  const hasNoSpace = async (): Promise<boolean> => {
    try {
      await store.storage.health();
      return false;
    } catch (error) {
      return hasCode(error, 'ENOSPC');
    }
  };
  const status = async (): Promise<Buffer> => {
    const { diskBytes } = store.storage.statistics;
    const isFull = await hasNoSpace();
    return responses.message(store.revision, (writer) => {
      writer
        .string(2, etcdVersion)
        .int(3, diskBytes)
        .bigInt(4, identity.memberId)
        .int(5, store.revision)
        .int(6, identity.term)
        .int(7, store.revision);
      if (isFull) writer.string(8, `memberID:${identity.memberId} alarm:NOSPACE`);
      writer
        .int(9, diskBytes)
        .string(11, storageVersion)
        .int(12, options.quotaBytes)
        .message(13, () => undefined);
    });
  };
  const alarm = async (message: Buffer): Promise<Buffer> => {
    const [, action = alarmAction.get] = readInts(new ProtoReader(message));
    if (action === alarmAction.activate) throw new GrpcError(statusCode.unimplemented, 'alarms cannot be activated by a request');
    const isFull = await hasNoSpace();
    return responses.message(store.revision, (writer) => {
      if (isFull && action === alarmAction.get) writer.message(2, (one) => one.bigInt(1, identity.memberId).int(2, noSpace));
    });
  };
  const memberList = (): Buffer =>
    responses.message(0, (writer) =>
      writer.message(2, (one) => {
        one.bigInt(1, identity.memberId).string(2, member.name);
        for (const url of member.peerUrls) one.string(3, url);
        for (const url of member.clientUrls) one.string(4, url);
      }),
    );
  return {
    '/etcdserverpb.Maintenance/Status': { unary: status },
    '/etcdserverpb.Maintenance/Alarm': { unary: alarm },
    // Space is given back by compactions, there is nothing to be gained here.
    '/etcdserverpb.Maintenance/Defragment': { unary: () => Buffer.alloc(0) },
    '/etcdserverpb.Maintenance/Hash': {
      unary: async () => {
        const { hash } = await hashAt(store, store.revision);
        return responses.message(store.revision, (writer) => writer.int(2, hash));
      },
    },
    '/etcdserverpb.Maintenance/HashKV': {
      unary: async (message) => {
        const [, revision = 0] = readInts(new ProtoReader(message));
        const { hash, compactRevision, hashRevision } = await hashAt(store, revision > 0 ? revision : store.revision);
        return responses.message(store.revision, (writer) => writer.int(2, hash).int(3, compactRevision).int(4, hashRevision));
      },
    },
    '/etcdserverpb.Maintenance/Snapshot': { stream: options.sendSnapshot },
    '/etcdserverpb.Cluster/MemberList': { unary: memberList },
  };
}

function hasCode(error: unknown, code: string): boolean {
  for (let at = error; at instanceof Error; at = at.cause) if ((at as NodeJS.ErrnoException).code === code) return true;
  return false;
}

/** A checksum of all keys at a revision. It tells two copies of this store apart, and cannot be compared with that of another program. */
async function hashAt(store: EtcdStore, revision: number): Promise<{ hash: number; compactRevision: number; hashRevision: number }> {
  const { compactRevision } = store.storage;
  if (revision > store.revision) throw futureRevision();
  if (revision < compactRevision) throw compacted();
  const state = (await store.storage.stateAt(revision, '')).snapshot();
  const numbers = Buffer.alloc(16);
  let hash = 0;
  let bytes = 0;
  for (const [key, { value, modRevision, createRevision }] of state.entries()) {
    numbers.writeDoubleLE(modRevision);
    numbers.writeDoubleLE(createRevision, 8);
    hash = crc32(value, crc32(numbers, crc32(keyBytes(key), hash)));
    bytes += key.length + value.length + 100;
    if (bytes > 1 << 22) {
      bytes = 0;
      await turn();
    }
  }
  return { hash, compactRevision: compactRevision > 1 ? compactRevision : -1, hashRevision: revision };
}
