// Upstream: go.etcd.io/etcd/server/v3/etcdserver/api/v3rpc/lease.go
import type { Clock } from '../base/clock.ts';
import type { GrpcMethod } from '../base/grpc/server.ts';
import { storeError } from './errors.ts';
import { keyBytes, readLeaseRequest } from './requests.ts';
import type { Responses } from './responses.ts';
import type { EtcdStore } from './store.ts';

export function leaseMethods(store: EtcdStore, responses: Responses, clock: Clock): Record<string, GrpcMethod> {
  const { leases } = store;
  const leaseList = (): Buffer =>
    responses.message(store.revision, (writer) => {
      for (const { id } of leases.list()) writer.message(2, (status) => status.bigInt(1, id));
    });
  const timeToLive = async (message: Buffer): Promise<Buffer> => {
    const { id, other: withKeys } = readLeaseRequest(message, 1);
    const lease = leases.get(id);
    const keys = withKeys === 0 ? [] : await store.keysOf(id);
    return responses.message(store.revision, (writer) => {
      writer.bigInt(2, id);
      if (lease === undefined) writer.int(3, -1);
      else writer.int(3, Math.max(0, Math.floor((lease.expiresAt - clock.now()) / 1000))).int(4, lease.ttlSeconds);
      for (const key of keys) writer.bytes(5, keyBytes(key));
    });
  };
  return {
    '/etcdserverpb.Lease/LeaseGrant': {
      unary: async (message) => {
        const { id: wanted, other: ttl } = readLeaseRequest(message, 2);
        const { id, ttlSeconds } = await leases.grant(wanted, ttl).catch((error: unknown) => {
          throw storeError(error);
        });
        return responses.message(store.revision, (writer) => writer.bigInt(2, id).int(3, ttlSeconds));
      },
    },
    '/etcdserverpb.Lease/LeaseRevoke': {
      unary: async (message) => {
        await leases.revoke(readLeaseRequest(message, 1).id).catch((error: unknown) => {
          throw storeError(error);
        });
        return responses.message(store.revision);
      },
    },
    '/etcdserverpb.Lease/LeaseKeepAlive': {
      stream: async (stream) => {
        for await (const batch of stream) {
          for (const message of batch) {
            const { id } = readLeaseRequest(message, 1);
            const seconds = leases.keepAlive(id) ?? 0;
            await stream.send(responses.message(store.revision, (writer) => writer.bigInt(2, id).int(3, seconds)));
          }
        }
      },
    },
    '/etcdserverpb.Lease/LeaseTimeToLive': { unary: timeToLive },
    '/etcdserverpb.Lease/LeaseLeases': { unary: leaseList },
  };
}
