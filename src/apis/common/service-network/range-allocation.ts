// Upstream: k8s.io/kubernetes/pkg/registry/core/service/allocator/storage/storage.go
import type { RangeAllocation } from '../../../schema/types/core-v1.ts';
import type { Operation, Storage } from '../../../storage/storage.ts';
import type { PortRange } from './port-bitmap.ts';
import { PortBitmap, formatPortRange } from './port-bitmap.ts';

/** Node ports that are taken, as they are stored, at a revision (0: nothing is stored yet). */
export interface StoredPorts {
  readonly ports: PortBitmap;
  readonly revision: number;
}

/** The key of the node ports below the prefix of all keys. */
export function nodePortsKey(storagePrefix: string): string {
  return `${storagePrefix}/ranges/servicenodeports`;
}

/** Throws when what is stored belongs to another range: the administrator must repair that, as with upstream. */
export async function readPorts(storage: Storage, key: string, range: PortRange): Promise<StoredPorts> {
  const { kv } = await storage.get(key);
  if (kv === undefined) return { ports: new PortBitmap(range), revision: 0 };
  const stored = JSON.parse(kv.value.toString()) as RangeAllocation;
  if (stored.range !== formatPortRange(range)) throw new Error('the provided range does not match the current range');
  return { ports: new PortBitmap(range, stored.data ?? ''), revision: kv.modRevision };
}

export function writePorts(key: string, { ports, revision }: StoredPorts): Operation {
  const allocation: RangeAllocation = {
    kind: 'RangeAllocation',
    apiVersion: 'v1',
    metadata: {},
    range: formatPortRange(ports.range),
    data: ports.toData(),
  };
  return { type: 'put', key, value: Buffer.from(JSON.stringify(allocation)), expect: revision };
}
