// Upstream: k8s.io/kubernetes/pkg/controlplane/controller/systemnamespaces
// What a cluster has from its first moment on. Every step may run again: what is there stays as it is.
import type { ServedGroupVersion } from '../../schema/resources.ts';
import type { PostStartHook } from '../../server/api-server.ts';
import { ServerWriter } from '../../server/registry/server-writer.ts';
import type { ServerWriterOptions } from '../../server/registry/server-writer.ts';
import { clusterAuthenticationHook } from './cluster-authentication.ts';
import type { ClusterAuthentication } from './cluster-authentication.ts';
import { flowControlHook } from './flow-control.ts';
import { flowSchemaStatusHook } from './flow-schema-status.ts';
import { legacyTokenTrackingHook } from './legacy-token-tracking.ts';
import { priorityClassesHook } from './priority-classes.ts';
import { rbacRolesHook } from './rbac-roles.ts';
import { serviceNetworkHooks } from './service-network.ts';
import type { ServiceNetworkOptions } from './service-network.ts';
import { serviceRepairHook } from './service-repair.ts';
import type { ServiceRepairOptions } from './service-repair.ts';

export interface BootstrapOptions extends ServerWriterOptions, Omit<ServiceNetworkOptions, 'writer'>, ServiceRepairOptions {
  readonly served: readonly ServedGroupVersion[];
  /** --authorization-mode has RBAC */
  readonly rbac: boolean;
  readonly authentication: ClusterAuthentication;
  /** called when flow schemas or priority levels have changed */
  readonly flowControlChanged?: () => Promise<void>;
}

const systemNamespaces = ['kube-system', 'kube-public', 'kube-node-lease', 'default'];

export function bootstrapHooks(options: BootstrapOptions): PostStartHook[] {
  const writer = new ServerWriter(options);
  const now = (): number => options.clock.now();
  return [
    {
      name: 'start-system-namespaces-controller',
      run: async () => {
        await Promise.all(systemNamespaces.map((name) => writer.ensure('', 'namespaces', { metadata: { name } })));
      },
    },
    ...serviceNetworkHooks({ ...options, writer }),
    serviceRepairHook(options),
    priorityClassesHook(writer),
    clusterAuthenticationHook(writer, options.authentication, now),
    legacyTokenTrackingHook(writer, now),
    flowControlHook(writer, options),
    flowSchemaStatusHook(writer, options),
    ...(options.rbac ? [rbacRolesHook(writer, options.reader)] : []),
  ];
}
