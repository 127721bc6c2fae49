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
        if (asked.size > 0) spec.tolerations = withTolerations(spec.tolerations ?? [], [...asked].toSorted());
      },
    }),
});

/** In place of those that are about the same, or at the end. */
function withTolerations(tolerations: readonly Toleration[], keys: readonly string[]): Toleration[] {
  const added = new Map(keys.map((key): [string, Toleration] => [key, { key, operator: 'Exists', effect: 'NoSchedule' }]));
  const placed = new Set<string>();
  const replaced = tolerations.map((one) => {
    const same =
      one.effect === 'NoSchedule' && one.operator === 'Exists' && (one.value ?? '') === '' ? added.get(one.key ?? '') : undefined;
    if (same === undefined) return one;
    placed.add(same.key as string);
    return same;
  });
  return [...replaced, ...keys.filter((key) => !placed.has(key)).map((key) => added.get(key) as Toleration)];
}
