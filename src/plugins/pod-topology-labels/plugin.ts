// Upstream: plugin/pkg/admission/podtopologylabels/admission.go
import type { Binding, Pod } from '../../schema/types/core-v1.ts';
import type { AdmissionAttributes } from '../../server/admission/admission.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import type { KubeObject } from '../../server/registry/definition.ts';

const copied = ['topology.kubernetes.io/region', 'topology.kubernetes.io/zone'] as const;

/** Pods know the zone and region of the node that they are assigned to. */
export const podTopologyLabels = definePlugin({
  name: 'PodTopologyLabels',
  enabledByDefault: true,
  create: ({ cluster, features }) => ({
    handles: (attributes) =>
      attributes.operation === 'CREATE' &&
      attributes.resource.group === '' &&
      attributes.resource.names.plural === 'pods' &&
      nodeOf(attributes) !== '' &&
      features.enabled('PodTopologyLabelsAdmission'),
    async mutate(attributes) {
      const node = await cluster.get<KubeObject>('', 'nodes', '', nodeOf(attributes));
      const labels = node?.metadata.labels ?? {};
      const present = copied.filter((key) => Object.hasOwn(labels, key)).map((key) => [key, labels[key] as string] as const);
      const { metadata } = attributes.object as KubeObject;
      if (present.length > 0) metadata.labels = { ...metadata.labels, ...Object.fromEntries(present) };
    },
  }),
});

/** Where the pod is, or is about to go; empty when that is not said. */
function nodeOf({ subresource, object }: AdmissionAttributes): string {
  if (subresource === '') return (object as unknown as Pod).spec?.nodeName ?? '';
  if (subresource !== 'binding') return '';
  const { target } = object as unknown as Binding;
  return target?.kind === 'Node' ? (target.name ?? '') : '';
}
