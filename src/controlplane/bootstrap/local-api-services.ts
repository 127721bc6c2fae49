// Upstream: kube-aggregator/pkg/controllers/autoregister, pkg/controlplane/apiserver/aggregator.go
import type { ServedGroupVersion } from '../../schema/resources.ts';
import type { PostStartHook } from '../../server/api-server.ts';
import type { ServerWriter } from '../../server/registry/server-writer.ts';

const managedLabel = { 'kube-aggregator.kubernetes.io/automanaged': 'onstart' };

/** An APIService for every group version that this server itself serves. */
export function localApiServicesHook(writer: ServerWriter, served: readonly ServedGroupVersion[]): PostStartHook {
  return {
    name: 'apiservice-registration-controller',
    run: async () => {
      await Promise.all(
        served.flatMap(({ group, version, groupPriority, versionPriority }) =>
          groupPriority === undefined || versionPriority === undefined
            ? []
            : [
                writer.ensure('apiregistration.k8s.io', 'apiservices', {
                  metadata: { name: `${version}.${group}`, labels: managedLabel },
                  spec: { ...(group !== '' && { group }), version, groupPriorityMinimum: groupPriority, versionPriority },
                }),
              ],
        ),
      );
    },
  };
}
