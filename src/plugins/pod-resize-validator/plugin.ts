// Upstream: k8s.io/kubernetes/plugin/pkg/admission/podresize/admission.go
import { amountsOf, podAmounts } from '../../apis/common/pod-spec/pod-resources.ts';
import { ApiError } from '../../machinery/errors.ts';
import { goQuote } from '../../machinery/go-format.ts';
import { Quantity } from '../../machinery/quantity.ts';
import type { Node, Pod } from '../../schema/types/core-v1.ts';
import { forbid } from '../../server/admission/forbid.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import type { AttributesOf } from '../../server/admission/requests-for.ts';
import { admitting, requestsFor } from '../../server/admission/requests-for.ts';
import type { KubeObject } from '../../server/registry/definition.ts';

const resizes = requestsFor<Pod>('', 'pods', 'resize');

/** A pod is not made larger than its node, nor resized where nodes cannot do that. */
export const podResizeValidator = definePlugin({
  name: 'PodResizeValidator',
  enabledByDefault: true,
  create: ({ reader, features }) =>
    admitting(
      resizes.on(['UPDATE'], () => features.enabled('InPlacePodVerticalScaling')),
      {
        async validate(attributes) {
          const { spec, metadata } = attributes.object;
          const nodeName = spec.nodeName ?? '';
          if (nodeName === '' || metadata.generation === attributes.old.metadata.generation) return;
          const node = await reader.get<Node & KubeObject>('', 'nodes', '', nodeName);
          if (node === undefined) throw forbid(attributes, `node ${goQuote(nodeName)} not found`);
          const system = node.metadata.labels?.['kubernetes.io/os'];
          if (system !== undefined && system !== 'linux') {
            const reason = `pod resize is only supported on linux nodes, node ${goQuote(nodeName)} is ${goQuote(system)}`;
            throw withCause(forbid(attributes, reason), 'UnsupportedPlatform');
          }
          checkCapacity(attributes, node, features.enabled('PodLevelResources'));
        },
      },
    ),
});

function checkCapacity(attributes: AttributesOf<Pod, 'UPDATE'>, { status }: Node, podLevelResources: boolean): void {
  const wanted = podAmounts(attributes.object.spec, 'requests', podLevelResources);
  const available = amountsOf(status?.allocatable);
  const none = Quantity.of(0);
  const short = (['cpu', 'memory'] as const).flatMap((name) => {
    const [request, most] = [wanted.get(name) ?? none, available.get(name) ?? none];
    if (request.compare(most) <= 0) return [];
    const show = (amount: Quantity): bigint => (name === 'cpu' ? amount.milliValue() : amount.value());
    return [`${name}, requested: ${show(request)}, allocatable: ${show(most)}`];
  });
  if (short.length === 0) return;
  throw withCause(forbid(attributes, `node didn't have enough allocatable resources: ${short.join('; ')}`), 'NodeCapacity');
}

function withCause({ status }: ApiError, reason: string): ApiError {
  return new ApiError({ ...status, details: { ...status.details, causes: [{ reason }] } });
}
