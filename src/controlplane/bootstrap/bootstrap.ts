// Upstream: pkg/controlplane (system namespaces), pkg/registry/rbac/rest/storage_rbac.go
// What a cluster has from its first moment on. Every step may run again: what is there stays as it is.
import type { Clock } from '../../base/clock.ts';
import { isReason } from '../../machinery/errors.ts';
import { timestamp } from '../../machinery/time.ts';
import type { PostStartHook } from '../../server/api-server.ts';
import { alwaysAllow } from '../../server/authz/authorizer.ts';
import type { FeatureGates } from '../../server/features.ts';
import type { Cluster } from '../../server/registry/cluster.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { WriteContext } from '../../server/registry/context.ts';
import { rbacPolicy } from './rbac-policy.generated.ts';

export interface BootstrapOptions {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly features: FeatureGates;
  /** --authorization-mode has RBAC */
  readonly rbac: boolean;
}

const systemNamespaces = ['kube-system', 'kube-public', 'kube-node-lease', 'default'];
const rbacGroup = 'rbac.authorization.k8s.io';
const pluralOf: Readonly<Record<string, string>> = {
  ClusterRole: 'clusterroles',
  ClusterRoleBinding: 'clusterrolebindings',
  Role: 'roles',
  RoleBinding: 'rolebindings',
};

export function bootstrapHooks(options: BootstrapOptions): PostStartHook[] {
  const writer = new BootstrapWriter(options);
  return [
    {
      name: 'start-system-namespaces-controller',
      run: async () => {
        await Promise.all(systemNamespaces.map((name) => writer.ensure('', 'namespaces', { metadata: { name } })));
      },
    },
    ...(options.rbac
      ? [
          {
            name: 'rbac/bootstrap-roles',
            run: async () => {
              const objects = JSON.parse(rbacPolicy) as (KubeObject & { kind: string })[];
              await Promise.all(objects.map(({ kind, ...object }) => writer.ensure(rbacGroup, pluralOf[kind] as string, object)));
            },
          },
        ]
      : []),
  ];
}

/** Creates objects as the server itself, through the same rules as everybody's, without admission. */
export class BootstrapWriter {
  readonly #options: BootstrapOptions;

  constructor(options: BootstrapOptions) {
    this.#options = options;
  }

  /** Creates the object unless one of that name is there. Cheap when it is. */
  async ensure(group: string, plural: string, object: KubeObject): Promise<void> {
    const { cluster } = this.#options;
    const { name = '', namespace = '' } = object.metadata;
    const resource = cluster.resource(group, plural);
    if ((await resource.store.getCurrent(namespace, name)) !== undefined) return;
    const complete = structuredClone(object);
    resource.storage.applyDefaults(complete);
    try {
      await resource.store.create(complete, this.context(namespace, name));
    } catch (error) {
      if (!isReason(error, 'AlreadyExists')) throw error;
    }
  }

  context(namespace: string, name: string): WriteContext {
    const { clock, features, cluster } = this.#options;
    return {
      user: { name: 'system:apiserver', uid: '', groups: ['system:masters'], extra: {} },
      namespace,
      name,
      subresource: '',
      version: 'v1',
      dryRun: false,
      fieldManager: 'kube-apiserver',
      features,
      authorizer: alwaysAllow,
      cluster,
      now: timestamp(clock.now()),
      warn: () => {},
    };
  }
}
