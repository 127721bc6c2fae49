// Upstream: go.etcd.io/etcd/server/v3/storage/schema/{bucket.go,meta.go,cindex.go}, go.etcd.io/etcd/server/v3/storage/mvcc/revision.go
import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { ProtoWriter } from '../base/grpc/protobuf.ts';
import type { ServerStream } from '../base/grpc/server.ts';
import type { KeyValue } from '../storage/storage.ts';
import type { BoltBucket, BoltEntry } from './bolt-file.ts';
import { BoltFile } from './bolt-file.ts';
import { storageVersion } from './maintenance-service.ts';
import { writeKeyValue } from './responses.ts';
import type { EtcdStore } from './store.ts';

const messageBytes = 256 * 1024;
const keysAtOnce = 2000;

/** Sends the store as a database of etcd's, compacted at its revision, which `etcdutl snapshot restore` makes a member of. */
export async function sendSnapshot(stream: ServerStream, store: EtcdStore, term: number): Promise<void> {
  const file = new BoltFile(await bucketsOf(store, term));
  const hash = createHash('sha256');
  let left = file.size;
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  const flush = async (): Promise<void> => {
    const blob = Buffer.concat(waiting);
    hash.update(blob);
    left -= blob.length;
    waiting = [];
    waitingBytes = 0;
    await stream.send(message(left, blob));
  };
  for await (const page of file.bytes()) {
    waiting.push(page);
    waitingBytes += page.length;
    if (waitingBytes >= messageBytes) await flush();
  }
  if (waitingBytes > 0) await flush();
  await stream.send(message(0, hash.digest()));
}

function message(remaining: number, blob: Buffer): Buffer {
  return new ProtoWriter(blob.length + 64).int(2, remaining).bytes(3, blob).string(4, storageVersion).finish();
}

async function bucketsOf(store: EtcdStore, term: number): Promise<BoltBucket[]> {
  const { revision } = store;
  const state = (await store.storage.stateAt(undefined, '')).snapshot();
  const leases = store.leases.list().sort((a, b) => (a.id < b.id ? -1 : 1));
  const meta: readonly (readonly [string, Buffer])[] = [
    ['confState', Buffer.from('{"voters":[],"auto_leave":false}')],
    ['consistent_index', bigEndian(BigInt(revision))],
    ['finishedCompactRev', revisionKey(revision, 0)],
    ['scheduledCompactRev', revisionKey(revision, 0)],
    ['storageVersion', Buffer.from(storageVersion)],
    ['term', bigEndian(BigInt(term))],
  ];
  return [
    { name: 'key', entries: await keyEntries([...state.entries()].map(([, kv]) => kv)) },
    { name: 'lease', entries: leases.map(({ id, ttlSeconds }) => leaseEntry(id, ttlSeconds)) },
    { name: 'meta', entries: meta.map(([name, value]) => entry(Buffer.from(name), value)) },
    ...['alarm', 'auth', 'authRoles', 'authUsers', 'cluster', 'members', 'members_removed'].map((name) => ({ name, entries: [] })),
  ];
}

/** By revision; keys of one revision have numbers besides, in the order of the keys. */
async function keyEntries(kvs: KeyValue[]): Promise<BoltEntry[]> {
  kvs.sort((a, b) => a.modRevision - b.modRevision);
  const entries: BoltEntry[] = [];
  let sub = 0;
  for (const [i, kv] of kvs.entries()) {
    sub = kvs[i - 1]?.modRevision === kv.modRevision ? sub + 1 : 0;
    const value = (): Buffer => {
      const writer = new ProtoWriter(kv.value.length + kv.key.length + 64);
      writeKeyValue(writer, kv);
      return writer.finish();
    };
    entries.push({ key: revisionKey(kv.modRevision, sub), valueLength: value().length, value });
    if (i % keysAtOnce === keysAtOnce - 1) await turn();
  }
  return entries;
}

function leaseEntry(id: bigint, ttlSeconds: number): BoltEntry {
  return entry(bigEndian(id), new ProtoWriter().bigInt(1, id).int(2, ttlSeconds).finish());
}

function entry(key: Buffer, value: Buffer): BoltEntry {
  return { key, valueLength: value.length, value: () => value };
}

function revisionKey(main: number, sub: number): Buffer {
  return Buffer.concat([bigEndian(BigInt(main)), Buffer.from('_'), bigEndian(BigInt(sub))]);
}

function bigEndian(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt.asUintN(64, value));
  return bytes;
}
