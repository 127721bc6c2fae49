import type { Clock } from '../../base/clock.ts';
import { deepEqual } from '../../machinery/deep-equal.ts';
import { isReason } from '../../machinery/errors.ts';
import { timestamp } from '../../machinery/time.ts';
import { alwaysAllow } from '../request/authorizer.ts';
import type { FeatureGates } from './features.ts';
import type { FieldManagers } from './field-managers.ts';
import { statusUpdate } from './status-update.ts';
import type { Cluster } from './cluster.ts';
import type { WriteContext } from './context.ts';
import type { KubeObject } from './definition.ts';

export interface ServerWriterOptions {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly features: FeatureGates;
  readonly fieldManagers: FieldManagers;
}

const ownManager = 'kube-apiserver';

/** Writes as the server itself, through the rules of the kind, without admission. */
export class ServerWriter {
  readonly #options: ServerWriterOptions;

  constructor(options: ServerWriterOptions) {
    this.#options = options;
  }

  /** `change` edits a copy of the newest state, again after a conflict; what it throws ends the attempt. */
  async updateStatus(group: string, plural: string, namespace: string, name: string, change: (live: KubeObject) => void): Promise<void> {
    const { cluster, fieldManagers } = this.#options;
    const resource = cluster.resource(group, plural);
    const context = this.context(resource.storage.version, namespace, name, 'status');
    const { now } = context;
    await resource.store.update(name, context, {
      through: statusUpdate(resource),
      transform: (existing) => {
        const live = existing as KubeObject;
        const next = structuredClone(live);
        change(next);
        if (!deepEqual(next, live)) fieldManagers.of(resource, resource.storage, 'status').update({ live, next, manager: ownManager, now });
        return next;
      },
    });
  }

  /** Creates the object unless one of that name is there. */
  async ensure(group: string, plural: string, object: KubeObject, manager = ownManager): Promise<void> {
    const { cluster, fieldManagers } = this.#options;
    const { name = '', namespace = '' } = object.metadata;
    const resource = cluster.resource(group, plural);
    const { kind, apiVersion } = resource.storage;
    const complete: KubeObject = { ...structuredClone(object), kind, apiVersion };
    resource.storage.applyDefaults(complete);
    const context = this.context(resource.storage.version, namespace, name);
    fieldManagers.of(resource, resource.storage, '').update({ live: undefined, next: complete, manager, now: context.now });
    try {
      await resource.store.create(complete, context);
    } catch (error) {
      if (!isReason(error, 'AlreadyExists')) throw error;
    }
  }

  /** What a write by the server itself is told. */
  context(version: string, namespace: string, name: string, subresource = ''): WriteContext {
    const { cluster, clock, features } = this.#options;
    return {
      user: { name: 'system:apiserver', uid: '', groups: ['system:masters'], extra: {} },
      namespace,
      name,
      subresource,
      version,
      dryRun: false,
      fieldManager: ownManager,
      features,
      authorizer: alwaysAllow,
      cluster,
      now: timestamp(clock.now()),
      warn: () => {},
    };
  }
}
