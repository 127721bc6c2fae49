// Upstream: k8s.io/kubernetes/pkg/registry/scheduling/rest/storage_scheduling.go, k8s.io/kubernetes/pkg/apis/scheduling/v1/helpers.go
import type { ServerWriter } from '../../server/registry/server-writer.ts';
import type { BootstrapHook } from './bootstrap-hook.ts';

const systemCritical = 2_000_000_000;

const systemClasses = [
  {
    metadata: { name: 'system-node-critical' },
    value: systemCritical + 1000,
    description: 'Used for system critical pods that must not be moved from their current node.',
  },
  {
    metadata: { name: 'system-cluster-critical' },
    value: systemCritical,
    description: 'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  },
];

/** Classes that pods of the system name; no others may have values this high. */
export function priorityClassesHook(writer: ServerWriter): BootstrapHook {
  return {
    name: 'scheduling/bootstrap-system-priority-classes',
    begin: async () => {
      await Promise.all(systemClasses.map((one) => writer.ensure('scheduling.k8s.io', 'priorityclasses', one)));
    },
    run: async () => {},
  };
}
