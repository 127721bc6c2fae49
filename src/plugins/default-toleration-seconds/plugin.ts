// Upstream: k8s.io/kubernetes/plugin/pkg/admission/defaulttolerationseconds/admission.go
import type { Pod, Toleration } from '../../schema/types/core-v1.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import { admitting, requestsFor } from '../../server/admission/requests-for.ts';

const pods = requestsFor<Pod>('', 'pods');
const defaultSeconds = 300;

/** Pods stay a while on a node that has become unreachable or unready, unless they say otherwise. */
export const defaultTolerationSeconds = definePlugin({
  name: 'DefaultTolerationSeconds',
  enabledByDefault: true,
  create({ tolerationSeconds }) {
    const defaults: readonly (readonly [string, number])[] = [
      ['node.kubernetes.io/not-ready', tolerationSeconds?.notReady ?? defaultSeconds],
      ['node.kubernetes.io/unreachable', tolerationSeconds?.unreachable ?? defaultSeconds],
    ];
    return admitting(pods.on(['CREATE', 'UPDATE']), {
      mutate({ object: { spec } }) {
        const own = spec.tolerations ?? [];
        const added = defaults
          .filter(([key]) => !own.some((toleration) => covers(toleration, key)))
          .map(([key, seconds]) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: seconds }) satisfies Toleration);
        if (added.length > 0) spec.tolerations = [...own, ...added];
      },
    });
  },
});

function covers({ key = '', effect = '' }: Toleration, taint: string): boolean {
  return (key === '' || key === taint) && (effect === '' || effect === 'NoExecute');
}
