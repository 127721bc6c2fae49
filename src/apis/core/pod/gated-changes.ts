// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#validateNodeSelectorMutation, #validateNodeAffinityMutation
// Changes that a pod allows while scheduling gates hold it back: they may only narrow where it runs.
import { invalid } from '../../../machinery/field.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import type { NodeAffinity, NodeSelectorRequirement, NodeSelectorTerm } from '../../../schema/types/core-v1.ts';
import { internallyEqual, toInternal } from './internal-pod.ts';

type Labels = Readonly<Record<string, string>>;

export function validateNodeSelectorChange(next: Labels, old: Labels, path: FieldPath): FieldError[] {
  if (Object.entries(old).every(([key, value]) => next[key] === value)) return [];
  return [invalid(path, next, 'only additions to spec.nodeSelector are allowed (no mutations or deletions)')];
}

const requiredTerms = 'requiredDuringSchedulingIgnoredDuringExecution';

export function validateNodeAffinityChange(next: NodeAffinity | undefined, old: NodeAffinity | undefined, path: FieldPath): FieldError[] {
  const before = old?.[requiredTerms]?.nodeSelectorTerms ?? [];
  const after = next?.[requiredTerms]?.nodeSelectorTerms ?? [];
  if (before.length === 0) return [];
  const at = path.child(requiredTerms).child('nodeSelectorTerms');
  if (before.length !== after.length) {
    const shown = next?.[requiredTerms] === undefined ? null : toInternal(after, '[NodeSelectorTerm');
    return [invalid(at, shown, 'no additions/deletions to non-empty NodeSelectorTerms list are allowed')];
  }
  return before.flatMap((term, index) => {
    const changed = after[index] as NodeSelectorTerm;
    if (onlyAdds(changed, term)) return [];
    return [invalid(at.index(index), toInternal(changed, 'NodeSelectorTerm'), 'only additions are allowed (no mutations or deletions)')];
  });
}

/** A term without requirements selects nothing: any addition would widen it. */
function onlyAdds(next: NodeSelectorTerm, old: NodeSelectorTerm): boolean {
  const empty = !old.matchExpressions?.length && !old.matchFields?.length;
  if (empty && (next.matchExpressions?.length || next.matchFields?.length)) return false;
  return startsWith(next.matchExpressions, old.matchExpressions) && startsWith(next.matchFields, old.matchFields);
}

function startsWith(next: readonly NodeSelectorRequirement[] = [], old: readonly NodeSelectorRequirement[] = []): boolean {
  return internallyEqual(next.slice(0, old.length), old, '[NodeSelectorRequirement');
}
