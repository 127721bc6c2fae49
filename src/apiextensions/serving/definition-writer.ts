import type { HandlerContext } from '../../server/endpoints/endpoint.ts';
import type { KubeObject, SubresourceUpdate } from '../../server/registry/definition.ts';
import type { WriteContext } from '../../server/registry/context.ts';
import { timestamp } from '../../machinery/time.ts';
import { isReason } from '../../machinery/errors.ts';
import type { JsonObject } from '../../patch/json/json-object.ts';
import type { CustomResourceDefinition } from '../conditions/conditions.ts';

const manager = 'kube-apiserver';
const group = 'apiextensions.k8s.io';
const plural = 'customresourcedefinitions';

/** Changes the status of definitions in the server's own name. */
export class DefinitionWriter {
  readonly #context: HandlerContext;

  constructor(context: HandlerContext) {
    this.#context = context;
  }

  /**
   * Changes a definition unless `change` says that there is nothing to do. Answers the definition as it then is; undefined when it is
   * gone or is another one by now.
   */
  async update(
    name: string,
    uid: string,
    change: (definition: CustomResourceDefinition, now: string) => boolean,
  ): Promise<CustomResourceDefinition | undefined> {
    const { cluster, fieldManagers, clock } = this.#context;
    const resource = cluster.resource(group, plural);
    const context = this.#writeContext(name, timestamp(clock.now()));
    try {
      const { entry } = await resource.store.update(name, context, {
        preconditions: { uid },
        through: asStatus,
        transform(existing) {
          const live = existing as CustomResourceDefinition;
          const next = structuredClone(live);
          if (change(next, context.now)) {
            const fields = fieldManagers.of(resource, resource.storage, 'status');
            fields.update({ live: live as unknown as JsonObject, next: next as unknown as JsonObject, manager, now: context.now });
          }
          return next as KubeObject;
        },
      });
      return resource.store.parse(entry) as CustomResourceDefinition;
    } catch (error) {
      if (isReason(error, 'NotFound') || isReason(error, 'Conflict')) return undefined;
      throw error;
    }
  }

  #writeContext(name: string, now: string): WriteContext {
    const { cluster, features, authorizer } = this.#context;
    return {
      user: { name: 'system:apiserver', uid: '', groups: ['system:masters'], extra: {} },
      namespace: '',
      name,
      subresource: 'status',
      version: 'v1',
      dryRun: false,
      fieldManager: manager,
      features,
      cluster,
      authorizer,
      now,
      warn: () => {},
    };
  }
}

/** As an update of the status, except that finalizers may go, and the definition with the last of them. */
const asStatus: SubresourceUpdate = {};
