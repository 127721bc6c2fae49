// Upstream: plugin/pkg/admission/nodetaint/admission.go
import type { Node } from '../../schema/types/core-v1.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import { concerns } from '../common/concerns.ts';

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' } as const;

/** A new node is tainted until somebody has seen it ready. */
export const taintNodesByCondition = definePlugin({
  name: 'TaintNodesByCondition',
  enabledByDefault: true,
  create: () => ({
    handles: (attributes) => attributes.operation === 'CREATE' && concerns(attributes, '', 'nodes'),
    mutate({ object }) {
      const { spec } = object as unknown as Node;
      const taints = spec.taints ?? [];
      if (!taints.some(({ key, effect }) => key === notReady.key && effect === notReady.effect)) spec.taints = [...taints, { ...notReady }];
    },
  }),
});
