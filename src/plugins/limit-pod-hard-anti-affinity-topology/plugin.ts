// Upstream: plugin/pkg/admission/antiaffinity/admission.go
import { forbidden } from '../../machinery/errors.ts';
import type { Pod } from '../../schema/types/core-v1.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import { concerns, isWrite } from '../common/concerns.ts';

const allowedKey = 'kubernetes.io/hostname';

/** No pod keeps others away from more than its own node. */
export const limitPodHardAntiAffinityTopology = definePlugin({
  name: 'LimitPodHardAntiAffinityTopology',
  enabledByDefault: false,
  create: () => ({
    handles: (attributes) => isWrite(attributes) && concerns(attributes, '', 'pods'),
    validate({ object, resource }) {
      const { spec, metadata } = object as unknown as Pod;
      for (const { topologyKey } of spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []) {
        if (topologyKey === allowedKey) continue;
        const reason = `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${topologyKey} but only key ${allowedKey} is allowed`;
        throw forbidden(resource.groupResource, metadata.name ?? '', reason);
      }
    },
  }),
});
