// Upstream: plugin/pkg/admission/defaulttolerationseconds/admission.go
import type { Pod, Toleration } from '../../schema/types/core-v1.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import { concerns } from '../common/concerns.ts';

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
    return {
      handles: (attributes) => (attributes.operation === 'CREATE' || attributes.operation === 'UPDATE') && concerns(attributes, '', 'pods'),
      mutate({ object }) {
        const { spec } = object as unknown as Pod;
        const own = spec.tolerations ?? [];
        const added = defaults
          .filter(([key]) => !own.some((toleration) => covers(toleration, key)))
          .map(([key, seconds]) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: seconds }) satisfies Toleration);
        if (added.length > 0) spec.tolerations = [...own, ...added];
      },
    };
  },
});

function covers({ key = '', effect = '' }: Toleration, taint: string): boolean {
  return (key === '' || key === taint) && (effect === '' || effect === 'NoExecute');
}
