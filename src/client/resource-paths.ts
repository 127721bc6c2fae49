import type { Client } from '../controllers/common/client.ts';

/** Where objects of a kind are. */
export interface ResourcePath {
  /** `/api/v1`, `/apis/apps/v1` */
  readonly root: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

interface ResourceList {
  readonly resources: readonly { readonly name: string; readonly kind: string; readonly namespaced: boolean }[];
}

/** Finds out from discovery which resource a kind is. What is not known may have been defined since, and is asked for again. */
export class ResourcePaths {
  readonly #client: Client;
  readonly #known = new Map<string, ResourcePath>();

  constructor(client: Client) {
    this.#client = client;
  }

  async of(apiVersion: string, kind: string): Promise<ResourcePath> {
    const key = `${apiVersion} ${kind}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const { resources } = (await this.#client.get(root)) as ResourceList;
    const found = resources.find((one) => one.kind === kind && !one.name.includes('/'));
    if (found === undefined) {
      const kinds = [...new Set(resources.filter(({ name }) => !name.includes('/')).map((one) => one.kind))].toSorted();
      throw new Error(`the server has no kind ${kind} in ${apiVersion}; it has ${kinds.join(', ')}`);
    }
    const path = { root, plural: found.name, namespaced: found.namespaced };
    this.#known.set(key, path);
    return path;
  }
}
