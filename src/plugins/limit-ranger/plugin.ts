// Upstream: k8s.io/kubernetes/plugin/pkg/admission/limitranger/admission.go
import { Slices } from '../../base/slices.ts';
import type { LimitRange, PersistentVolumeClaim, Pod } from '../../schema/types/core-v1.ts';
import type { AdmissionAttributes } from '../../server/admission/admission.ts';
import { forbid } from '../../server/admission/forbid.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import type { AttributesOf } from '../../server/admission/requests-for.ts';
import { requestsFor } from '../../server/admission/requests-for.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import { applyDefaults } from './defaults.ts';
import { claimProblems, podProblems } from './limits.ts';

type LimitRangeObject = LimitRange & KubeObject;

/** Pods and claims keep to the limits of their namespace; containers that say nothing get its defaults. */
export const limitRanger = definePlugin({
  name: 'LimitRanger',
  enabledByDefault: true,
  create({ reader, features }) {
    const rangesOf = (namespace: string): Promise<Iterable<LimitRangeObject>> => reader.list('', 'limitranges', namespace);
    return {
      handles: isLimited,
      async mutate(attributes) {
        if (!isLimitedPod(attributes)) return;
        const slices = new Slices();
        for (const range of await rangesOf(attributes.namespace)) {
          applyDefaults(attributes.object, range);
          const pause = slices.pause();
          if (pause !== undefined) await pause;
        }
      },
      async validate(attributes) {
        const slices = new Slices();
        for (const range of await rangesOf(attributes.namespace)) {
          const problems = isLimitedPod(attributes)
            ? podProblems(attributes.object, range, features.enabled('PodLevelResources'))
            : isLimitedClaim(attributes)
              ? claimProblems(attributes.object, range)
              : [];
          const distinct = [...(await distinctProblems(problems, slices))];
          if (distinct.length > 0) throw forbid(attributes, distinct.length === 1 ? (distinct[0] as string) : `[${distinct.join(', ')}]`);
        }
      },
    };
  },
});

const mostProblems = 10_000;
const looksInSlice = 64;

async function distinctProblems(problems: Iterable<string | undefined>, slices: Slices): Promise<ReadonlySet<string>> {
  const distinct = new Set<string>();
  let looks = 0;
  for (const problem of problems) {
    if (problem !== undefined) distinct.add(problem);
    if (distinct.size === mostProblems) break;
    const pause = ++looks % looksInSlice === 0 ? slices.pause() : undefined;
    if (pause !== undefined) await pause;
  }
  const pause = slices.pause();
  if (pause !== undefined) await pause;
  return distinct;
}

/** Resources of a pod change only through its resize subresource. */
const isNewPod = requestsFor<Pod>('', 'pods').on(['CREATE']);
const isResize = requestsFor<Pod>('', 'pods', 'resize').on(['UPDATE']);
const isLimitedClaim = requestsFor<PersistentVolumeClaim>('', 'persistentvolumeclaims').on(['CREATE', 'UPDATE']);

function isLimitedPod(attributes: AdmissionAttributes): attributes is AttributesOf<Pod, 'CREATE' | 'UPDATE'> {
  return isNewPod(attributes) || isResize(attributes);
}

function isLimited(attributes: AdmissionAttributes): boolean {
  return attributes.old?.metadata.deletionTimestamp === undefined && (isLimitedPod(attributes) || isLimitedClaim(attributes));
}
