// Upstream: plugin/pkg/admission/limitranger/admission.go
import type { LimitRange, PersistentVolumeClaim, Pod } from '../../schema/types/core-v1.ts';
import type { AdmissionAttributes } from '../../server/admission/admission.ts';
import { forbid } from '../../server/admission/forbid.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import { applyDefaults } from './defaults.ts';
import { claimProblems, podProblems } from './limits.ts';

type LimitRangeObject = LimitRange & KubeObject;

/** Pods and claims keep to the limits of their namespace; containers that say nothing get its defaults. */
export const limitRanger = definePlugin({
  name: 'LimitRanger',
  enabledByDefault: true,
  create({ cluster, features }) {
    const rangesOf = (namespace: string): Promise<Iterable<LimitRangeObject>> => cluster.list('', 'limitranges', namespace);
    return {
      handles: isLimited,
      async mutate({ resource, namespace, object }) {
        if (resource.kind !== 'Pod') return;
        for (const range of await rangesOf(namespace)) applyDefaults(object as unknown as Pod, range);
      },
      async validate(attributes) {
        const { resource, namespace, object } = attributes;
        for (const range of await rangesOf(namespace)) {
          const problems = [
            ...(resource.kind === 'Pod'
              ? podProblems(object as unknown as Pod, range, features.enabled('PodLevelResources'))
              : claimProblems(object as unknown as PersistentVolumeClaim, range)),
          ];
          const distinct = [...new Set(problems)];
          if (distinct.length > 0) throw forbid(attributes, distinct.length === 1 ? (distinct[0] as string) : `[${distinct.join(', ')}]`);
        }
      },
    };
  },
});

/** Resources of a pod change only through its resize subresource. */
function isLimited({ resource, subresource, operation, old }: AdmissionAttributes): boolean {
  if (resource.group !== '' || old?.metadata.deletionTimestamp !== undefined) return false;
  if (resource.kind === 'Pod') {
    return (operation === 'CREATE' && subresource === '') || (operation === 'UPDATE' && subresource === 'resize');
  }
  return resource.kind === 'PersistentVolumeClaim' && subresource === '' && (operation === 'CREATE' || operation === 'UPDATE');
}
