// Upstream: k8s.io/kubernetes/pkg/controlplane/reconcilers/lease.go
import type { KubeObject } from '../../machinery/kube-object.ts';
import type { Endpoints } from '../../schema/types/core-v1.ts';
import type { Storage } from '../../storage/storage.ts';

export interface ServerLeasesOptions {
  readonly storage: Storage;
  /** `/registry` */
  readonly storagePrefix: string;
  /** an Endpoints object as it is stored */
  readonly encode: (object: KubeObject) => Buffer;
}

/** outlives one missed renewal by half */
const ttlSeconds = 15;

/** Which servers live: a key per address that its server keeps from expiring. Upstream's servers on the same store read and write them too. */
export class ServerLeases {
  readonly #options: ServerLeasesOptions;
  readonly #prefix: string;

  constructor(options: ServerLeasesOptions) {
    this.#options = options;
    this.#prefix = `${options.storagePrefix}/masterleases/`;
  }

  /** The addresses of servers that live. */
  async list(): Promise<string[]> {
    const { items } = await this.#options.storage.list(this.#prefix);
    return items.flatMap(({ value, error }) => {
      if (error !== undefined) throw error;
      const { subsets } = JSON.parse(value.toString()) as Endpoints;
      const ip = subsets?.[0]?.addresses?.[0]?.ip;
      return ip ? [ip] : [];
    });
  }

  async renew(ip: string): Promise<void> {
    const { storage, encode } = this.#options;
    const key = this.#prefix + ip;
    let { kv } = await storage.get(key);
    for (;;) {
      const generation = kv === undefined || kv.error !== undefined ? 0 : generationOf(kv.value);
      const object: KubeObject = {
        kind: 'Endpoints',
        apiVersion: 'v1',
        metadata: { generation: generation + 1 },
        subsets: [{ addresses: [{ ip }] }],
      };
      const result = await storage.transact([{ type: 'put', key, value: encode(object), expect: kv?.modRevision ?? 0, ttlSeconds }]);
      if (result.succeeded) return;
      kv = result.values[0];
    }
  }

  /** Resolves with whether there was one. */
  async remove(ip: string): Promise<boolean> {
    const { values } = await this.#options.storage.transact([{ type: 'delete', key: this.#prefix + ip }]);
    return values[0] !== undefined;
  }
}

function generationOf(value: Buffer): number {
  return Number((JSON.parse(value.toString()) as KubeObject).metadata.generation ?? 0);
}
