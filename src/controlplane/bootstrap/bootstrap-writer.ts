import type { Clock } from '../../base/clock.ts';
import { deepEqual } from '../../machinery/deep-equal.ts';
import type { ObjectMeta } from '../../machinery/object-meta.ts';
import type { JsonObject } from '../../patch/json/json-object.ts';
import type { FeatureGates } from '../../server/registry/features.ts';
import type { FieldManagers } from '../../server/registry/field-managers.ts';
import { statusUpdate } from '../../server/registry/status-update.ts';
import type { Cluster } from '../../server/registry/cluster.ts';
import { deleteObject } from '../../server/registry/delete.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { WriteContext } from '../../server/registry/context.ts';
import { ServerWriter } from '../../server/registry/server-writer.ts';

export interface BootstrapWriterOptions {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly features: FeatureGates;
  readonly fieldManagers: FieldManagers;
}

const ownManager = 'kube-apiserver';

/** Creates objects as the server itself, through the same rules as everybody's, without admission. */
export class BootstrapWriter {
  readonly #options: BootstrapWriterOptions;
  readonly #writer: ServerWriter;

  constructor(options: BootstrapWriterOptions) {
    this.#options = options;
    this.#writer = new ServerWriter(options);
  }

  /** Creates the object unless one of that name is there. Cheap when it is. */
  async ensure(group: string, plural: string, object: KubeObject, manager = ownManager): Promise<void> {
    const { name = '', namespace = '' } = object.metadata;
    const { store } = this.#options.cluster.resource(group, plural);
    if ((await store.getCurrent(namespace, name)) === undefined) await this.#writer.ensure(group, plural, object, manager);
  }

  /** Creates the object, or gives it these fields where it has others. Labels are added, other metadata stays. */
  async put(group: string, plural: string, object: KubeObject): Promise<void> {
    await this.ensure(group, plural, object);
    const { metadata, ...fields } = object;
    await this.change(group, plural, metadata, (next) => {
      Object.assign(next, structuredClone(fields));
      next.metadata.labels = { ...next.metadata.labels, ...metadata.labels };
    });
  }

  /** Changes an object that exists; nothing is written when the change leaves it as it was. */
  async change<T extends KubeObject>(
    group: string,
    plural: string,
    metadata: ObjectMeta,
    edit: (object: T) => void,
    manager = ownManager,
  ): Promise<void> {
    const { cluster, fieldManagers } = this.#options;
    const { name = '', namespace = '' } = metadata;
    const resource = cluster.resource(group, plural);
    const context = this.context(namespace, name);
    await resource.store.update(name, context, {
      transform: (existing) => {
        const live = existing as T;
        const next = structuredClone(live);
        edit(next);
        resource.storage.applyDefaults(next);
        if (!deepEqual(next, live)) fieldManagers.of(resource, resource.storage, '').update({ live, next, manager, now: context.now });
        return next;
      },
    });
  }

  /** Server-side apply of a status; what others have set is taken over. */
  async applyStatus(group: string, plural: string, name: string, status: JsonObject, manager: string): Promise<void> {
    const { cluster, fieldManagers } = this.#options;
    const resource = cluster.resource(group, plural);
    const context = { ...this.context('', name), subresource: 'status' };
    const { apiVersion, kind } = resource.storage;
    const config = { apiVersion, kind, metadata: { name }, status };
    await resource.store.update(name, context, {
      through: statusUpdate(resource),
      transform: (existing) => {
        const fields = fieldManagers.of(resource, resource.storage, 'status');
        const live = existing as unknown as JsonObject;
        return fields.apply({ live, config, manager, force: true, now: context.now }).object as unknown as KubeObject;
      },
    });
  }

  async delete(group: string, plural: string, name: string): Promise<void> {
    await deleteObject(this.#options.cluster.resource(group, plural), name, {}, this.context('', name), undefined);
  }

  context(namespace: string, name: string): WriteContext {
    return this.#writer.context('v1', namespace, name);
  }
}
