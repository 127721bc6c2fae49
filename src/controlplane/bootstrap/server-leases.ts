// Upstream: k8s.io/kubernetes/pkg/controlplane/reconcilers/lease.go, k8s.io/apiserver/pkg/reconcilers/peer_endpoint_lease.go
import type { KubeObject } from '../../machinery/kube-object.ts';
import type { Endpoints } from '../../schema/types/core-v1.ts';
import type { ObjectReader } from '../../server/registry/object-reader.ts';
import type { Storage } from '../../storage/storage.ts';

export interface ServerLeasesOptions {
  /** the main store, whichever that of endpoints is */
  readonly leaseStorage: Storage;
  /** `/registry` */
  readonly storagePrefix: string;
  readonly reader: ObjectReader;
}

/** outlives one missed renewal by half */
const ttlSeconds = 15;

/** What a lease says of its server. */
export interface LeaseContent {
  readonly labels?: Readonly<Record<string, string>>;
  readonly subset: NonNullable<Endpoints['subsets']>[number];
}

/** Which servers live: a key each that its server keeps from expiring. Upstream's servers on the same store read and write them too. */
export class ServerLeases {
  readonly #options: ServerLeasesOptions;
  readonly #prefix: string;

  constructor(options: ServerLeasesOptions, folder: 'masterleases' | 'peerserverleases') {
    this.#options = options;
    this.#prefix = `${options.storagePrefix}/${folder}/`;
  }

  /** The addresses of servers that live. */
  async list(): Promise<string[]> {
    const { items } = await this.#options.leaseStorage.list(this.#prefix);
    return items.flatMap(({ value, error }) => {
      if (error !== undefined) throw error;
      const { subsets } = JSON.parse(value.toString()) as Endpoints;
      const ip = subsets?.[0]?.addresses?.[0]?.ip;
      return ip ? [ip] : [];
    });
  }

  /** Where the server with this lease is; undefined: there is no such lease, or it does not say. */
  async addressOf(name: string): Promise<{ readonly host: string; readonly port: number } | undefined> {
    const { kv } = await this.#options.leaseStorage.get(this.#prefix + name);
    if (kv === undefined) return undefined;
    if (kv.error !== undefined) throw kv.error;
    const subset = (JSON.parse(kv.value.toString()) as Endpoints).subsets?.[0];
    const host = subset?.addresses?.[0]?.ip;
    const port = subset?.ports?.[0]?.port;
    return host && port ? { host, port } : undefined;
  }

  async renew(name: string, { labels, subset }: LeaseContent): Promise<void> {
    const { leaseStorage: storage, reader } = this.#options;
    const encode = (object: KubeObject): Buffer => reader.resource('', 'endpoints').storage.encodeStored(object);
    const key = this.#prefix + name;
    let { kv } = await storage.get(key);
    for (;;) {
      const generation = kv === undefined || kv.error !== undefined ? 0 : generationOf(kv.value);
      const object: KubeObject = {
        kind: 'Endpoints',
        apiVersion: 'v1',
        metadata: { generation: generation + 1, ...(labels && { labels }) },
        subsets: [subset],
      };
      const result = await storage.transact([{ type: 'put', key, value: encode(object), expect: kv?.modRevision ?? 0, ttlSeconds }]);
      if (result.succeeded) return;
      kv = result.values[0];
    }
  }

  /** Resolves with whether there was one. */
  async remove(name: string): Promise<boolean> {
    const { values } = await this.#options.leaseStorage.transact([{ type: 'delete', key: this.#prefix + name }]);
    return values[0] !== undefined;
  }
}

function generationOf(value: Buffer): number {
  return Number((JSON.parse(value.toString()) as KubeObject).metadata.generation ?? 0);
}
