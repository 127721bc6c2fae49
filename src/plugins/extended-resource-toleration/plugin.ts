// Upstream: k8s.io/kubernetes/plugin/pkg/admission/extendedresourcetoleration/admission.go
// Upstream: k8s.io/kubernetes/pkg/apis/core/helper/helpers.go#AddOrUpdateTolerationInPod
import { isExtendedResource } from '../../apis/common/resource-names.ts';
import type { Pod, Toleration } from '../../schema/types/core-v1.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import { admitting, requestsFor } from '../../server/admission/requests-for.ts';

const pods = requestsFor<Pod>('', 'pods');

/** Pods that ask for a special resource may run on the nodes that are kept for it. */
export const extendedResourceToleration = definePlugin({
  name: 'ExtendedResourceToleration',
  enabledByDefault: false,
  create: () =>
    admitting(pods.on(['CREATE', 'UPDATE']), {
      mutate({ object: { spec } }) {
        const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
        const asked = new Set(containers.flatMap(({ resources }) => Object.keys(resources?.requests ?? {})).filter(isExtendedResource));
        for (const key of [...asked].toSorted()) {
          spec.tolerations = withToleration(spec.tolerations ?? [], { key, operator: 'Exists', effect: 'NoSchedule' });
        }
      },
    }),
});

/** In place of those that are about the same, or at the end. */
function withToleration(tolerations: readonly Toleration[], added: Toleration): Toleration[] {
  const isSame = (one: Toleration): boolean =>
    one.key === added.key && one.effect === added.effect && one.operator === added.operator && (one.value ?? '') === '';
  const replaced = tolerations.map((one) => (isSame(one) ? added : one));
  return replaced.includes(added) ? replaced : [...replaced, added];
}
