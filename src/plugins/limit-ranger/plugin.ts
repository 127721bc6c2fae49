// Upstream: k8s.io/kubernetes/plugin/pkg/admission/limitranger/admission.go
import { inSlices } from '../../base/slices.ts';
import type { LimitRange, PersistentVolumeClaim, Pod } from '../../schema/types/core-v1.ts';
import type { AdmissionAttributes } from '../../server/admission/admission.ts';
import { forbid } from '../../server/admission/forbid.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import type { AttributesOf } from '../../server/admission/requests-for.ts';
import { requestsFor } from '../../server/admission/requests-for.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import { Defaults } from './defaults.ts';
import { claimProblems, podProblems } from './limits.ts';

type LimitRangeObject = LimitRange & KubeObject;

/** Pods and claims keep to the limits of their namespace; containers that say nothing get its defaults. */
export const limitRanger = definePlugin({
  name: 'LimitRanger',
  enabledByDefault: true,
  create({ reader, features }) {
    const hasRanges = (namespace: string): boolean => !reader.hasNone('', 'limitranges', namespace);
    const rangesOf = (namespace: string): Promise<Iterable<LimitRangeObject>> => reader.list('', 'limitranges', namespace);
    return {
      handles: isLimited,
      async mutate(attributes) {
        if (!isLimitedPod(attributes) || !hasRanges(attributes.namespace)) return;
        const defaults = new Defaults(attributes.object);
        for await (const range of inSlices(await rangesOf(attributes.namespace))) defaults.apply(range);
      },
      async validate(attributes) {
        if (!hasRanges(attributes.namespace)) return;
        const ranges = await rangesOf(attributes.namespace);
        const problemsWith = isLimitedPod(attributes)
          ? podProblems(attributes.object, features.enabled('PodLevelResources'))
          : isLimitedClaim(attributes)
            ? claimProblems(attributes.object)
            : () => [];
        for await (const range of inSlices(ranges)) {
          const problems = problemsWith(range);
          if (problems.length > 0) throw forbid(attributes, problems.length === 1 ? (problems[0] as string) : `[${problems.join(', ')}]`);
        }
      },
    };
  },
});

/** Resources of a pod change only through its resize subresource. */
const isNewPod = requestsFor<Pod>('', 'pods').on(['CREATE']);
const isResize = requestsFor<Pod>('', 'pods', 'resize').on(['UPDATE']);
const isLimitedClaim = requestsFor<PersistentVolumeClaim>('', 'persistentvolumeclaims').on(['CREATE', 'UPDATE']);

function isLimitedPod(attributes: AdmissionAttributes): attributes is AttributesOf<Pod, 'CREATE' | 'UPDATE'> {
  return isNewPod(attributes) || isResize(attributes);
}

function isLimited(attributes: AdmissionAttributes): boolean {
  return (isLimitedPod(attributes) || isLimitedClaim(attributes)) && attributes.old?.metadata.deletionTimestamp === undefined;
}
