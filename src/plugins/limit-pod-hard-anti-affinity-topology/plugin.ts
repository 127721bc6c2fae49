// Upstream: k8s.io/kubernetes/plugin/pkg/admission/antiaffinity/admission.go
import { forbidden } from '../../machinery/errors.ts';
import type { Pod } from '../../schema/types/core-v1.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import { admitting, requestsFor } from '../../server/admission/requests-for.ts';

const pods = requestsFor<Pod>('', 'pods');
const allowedKey = 'kubernetes.io/hostname';

/** No pod keeps others away from more than its own node. */
export const limitPodHardAntiAffinityTopology = definePlugin({
  name: 'LimitPodHardAntiAffinityTopology',
  enabledByDefault: false,
  create: () =>
    admitting(pods.on(['CREATE', 'UPDATE']), {
      validate({ object: { spec, metadata }, resource }) {
        for (const { topologyKey } of spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []) {
          if (topologyKey === allowedKey) continue;
          const reason = `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${topologyKey} but only key ${allowedKey} is allowed`;
          throw forbidden(resource.groupResource, metadata.name ?? '', reason);
        }
      },
    }),
});
