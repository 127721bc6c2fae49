// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#validatePvNodeAffinity
import { deepCopy } from '../../../machinery/deep-copy.ts';
import { semanticDeepEqual } from '../../../machinery/deep-equal.ts';
import type { NodeSelectorRequirement, VolumeNodeAffinity } from '../../../schema/types/core-v1.ts';

const stableLabels: ReadonlyMap<string, string> = new Map([
  ['failure-domain.beta.kubernetes.io/zone', 'topology.kubernetes.io/zone'],
  ['failure-domain.beta.kubernetes.io/region', 'topology.kubernetes.io/region'],
  ['beta.kubernetes.io/os', 'kubernetes.io/os'],
  ['beta.kubernetes.io/arch', 'kubernetes.io/arch'],
  ['beta.kubernetes.io/instance-type', 'node.kubernetes.io/instance-type'],
]);

/** Labels that have left beta may take the place of what they were. A quirk kept: so may no label at all, of any other. */
export function isSameNodeAffinity(affinity: VolumeNodeAffinity | undefined, old: VolumeNodeAffinity | undefined): boolean {
  const expected = deepCopy(old);
  const terms = affinity?.required?.nodeSelectorTerms ?? [];
  (expected?.required?.nodeSelectorTerms ?? []).forEach((term, index) => {
    follow(term.matchExpressions, terms[index]?.matchExpressions);
    follow(term.matchFields, terms[index]?.matchFields);
  });
  return semanticDeepEqual(affinity, expected);
}

function follow(expected: NodeSelectorRequirement[] = [], requirements: readonly NodeSelectorRequirement[] = []): void {
  for (const [index, requirement] of expected.entries()) {
    const key = requirements[index]?.key;
    if (key !== undefined && (stableLabels.get(requirement.key) ?? '') === key) requirement.key = key;
  }
}
