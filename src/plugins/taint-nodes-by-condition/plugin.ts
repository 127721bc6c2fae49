// Upstream: k8s.io/kubernetes/plugin/pkg/admission/nodetaint/admission.go
import type { Node } from '../../schema/types/core-v1.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import { admitting, requestsFor } from '../../server/admission/requests-for.ts';

const nodes = requestsFor<Node>('', 'nodes');
const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' } as const;

/** A new node is tainted until it has been seen ready. */
export const taintNodesByCondition = definePlugin({
  name: 'TaintNodesByCondition',
  enabledByDefault: true,
  create: () =>
    admitting(nodes.on(['CREATE']), {
      mutate({ object: { spec } }) {
        const taints = spec.taints ?? [];
        if (!taints.some(({ key, effect }) => key === notReady.key && effect === notReady.effect))
          spec.taints = [...taints, { ...notReady }];
      },
    }),
});
