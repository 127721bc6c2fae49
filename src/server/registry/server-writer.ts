import type { Clock } from '../../base/clock.ts';
import { deepEqual } from '../../machinery/deep-equal.ts';
import { timestamp } from '../../machinery/time.ts';
import { alwaysAllow } from '../authz/authorizer.ts';
import type { FeatureGates } from '../features.ts';
import type { FieldManagers } from '../handlers/field-managers.ts';
import { statusUpdate } from '../handlers/subresource.ts';
import type { Cluster } from './cluster.ts';
import type { KubeObject } from './definition.ts';

export interface ServerWriterOptions {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly features: FeatureGates;
  readonly fieldManagers: FieldManagers;
}

const manager = 'kube-apiserver';

/** Writes as the server itself, through the rules of the kind, without admission. */
export class ServerWriter {
  readonly #options: ServerWriterOptions;

  constructor(options: ServerWriterOptions) {
    this.#options = options;
  }

  /** `change` edits a copy of the newest state, again after a conflict; what it throws ends the attempt. */
  async updateStatus(group: string, plural: string, namespace: string, name: string, change: (live: KubeObject) => void): Promise<void> {
    const { cluster, clock, features, fieldManagers } = this.#options;
    const resource = cluster.resource(group, plural);
    const now = timestamp(clock.now());
    const context = {
      user: { name: 'system:apiserver', uid: '', groups: ['system:masters'], extra: {} },
      namespace,
      name,
      subresource: 'status',
      version: resource.storage.version,
      dryRun: false,
      fieldManager: manager,
      features,
      authorizer: alwaysAllow,
      cluster,
      now,
      warn: () => {},
    };
    await resource.store.update(name, context, {
      through: statusUpdate(resource),
      transform: (existing) => {
        const live = existing as KubeObject;
        const next = structuredClone(live);
        change(next);
        if (!deepEqual(next, live)) fieldManagers.of(resource, resource.storage, 'status').update({ live, next, manager, now });
        return next;
      },
    });
  }
}
