import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { ObjectMeta } from '../../machinery/object-meta.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { Client } from './client.ts';
import { metadataForm, metadataListForm } from './client.ts';
import { Informer } from './informer.ts';
import { reducePod } from './reduce-pod.ts';

/** What life and ownership of objects depend on. */
export interface Ownership extends KubeObject {
  metadata: Pick<ObjectMeta, 'name' | 'namespace' | 'uid' | 'resourceVersion' | 'deletionTimestamp' | 'finalizers' | 'ownerReferences'>;
}

/** Of other kinds there are few objects, or small ones. */
const podsPath = '/api/v1/pods';

/** Informers that controllers share: one watch for each path, however many listen. */
export class Informers {
  readonly #options: { readonly client: Client; readonly clock: Clock; readonly log: Logger };
  readonly #whole = new Map<string, Informer>();
  readonly #ownership = new Map<string, Informer<Ownership>>();

  constructor(options: { readonly client: Client; readonly clock: Clock; readonly log: Logger }) {
    this.#options = options;
  }

  of<T extends KubeObject>(path: string): Informer<T> {
    let known = this.#whole.get(path);
    if (known === undefined) {
      const reduced = path === podsPath ? { reduce: reducePod } : {};
      this.#whole.set(path, (known = new Informer({ ...this.#options, ...reduced, path })));
    }
    return known as Informer<KubeObject> as Informer<T>;
  }

  /** Costs little: the server sends metadata only, and little of that is kept. */
  ownership(path: string): Informer<Ownership> {
    let known = this.#ownership.get(path);
    if (known === undefined) {
      const forms = { list: metadataListForm, object: metadataForm };
      this.#ownership.set(path, (known = new Informer({ ...this.#options, path, forms, reduce: reduceToOwnership })));
    }
    return known;
  }

  async stopped(): Promise<void> {
    await Promise.all([...this.#whole.values(), ...this.#ownership.values()].map((informer) => informer.stopped));
  }
}

function reduceToOwnership({ metadata }: KubeObject): Ownership {
  const { name, namespace, uid, resourceVersion, deletionTimestamp, finalizers, ownerReferences } = metadata;
  return {
    metadata: {
      ...(name !== undefined && { name }),
      ...(namespace !== undefined && { namespace }),
      ...(uid !== undefined && { uid }),
      ...(resourceVersion !== undefined && { resourceVersion }),
      ...(deletionTimestamp !== undefined && { deletionTimestamp }),
      ...(finalizers !== undefined && { finalizers }),
      ...(ownerReferences !== undefined && { ownerReferences }),
    },
  };
}
