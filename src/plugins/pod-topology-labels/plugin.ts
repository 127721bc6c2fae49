// Upstream: k8s.io/kubernetes/plugin/pkg/admission/podtopologylabels/admission.go
import type { Binding, Pod } from '../../schema/types/core-v1.ts';
import type { AdmissionAttributes } from '../../server/admission/admission.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import { requestsFor } from '../../server/admission/requests-for.ts';
import type { KubeObject } from '../../server/registry/definition.ts';

const copied = ['topology.kubernetes.io/region', 'topology.kubernetes.io/zone'] as const;

/** Pods know the zone and region of the node that they are assigned to. */
export const podTopologyLabels = definePlugin({
  name: 'PodTopologyLabels',
  enabledByDefault: true,
  create: ({ reader, features }) => ({
    handles: (attributes) => nodeOf(attributes) !== '' && features.enabled('PodTopologyLabelsAdmission'),
    async mutate(attributes) {
      const node = await reader.get<KubeObject>('', 'nodes', '', nodeOf(attributes));
      const labels = node?.metadata.labels ?? {};
      const present = copied.filter((key) => Object.hasOwn(labels, key)).map((key) => [key, labels[key] as string] as const);
      const metadata = attributes.object?.metadata;
      if (metadata !== undefined && present.length > 0) metadata.labels = { ...metadata.labels, ...Object.fromEntries(present) };
    },
  }),
});

const isPod = requestsFor<Pod>('', 'pods').on(['CREATE']);
const isBinding = requestsFor<Binding>('', 'pods', 'binding').on(['CREATE']);

/** Where the pod is, or is about to go; empty when that is not said. */
function nodeOf(attributes: AdmissionAttributes): string {
  if (isPod(attributes)) return attributes.object.spec?.nodeName ?? '';
  if (!isBinding(attributes)) return '';
  const { target } = attributes.object;
  return target?.kind === 'Node' ? (target.name ?? '') : '';
}
