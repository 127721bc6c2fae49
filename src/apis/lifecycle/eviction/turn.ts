// Upstream: k8s.io/kubernetes/pkg/apis/lifecycle/validation/validation.go#SortTargetResponders
import type { TargetResponder } from '../../../schema/types/lifecycle-v1alpha1.ts';

/** In the order in which responders are asked: by priority, then by domain from the top down, then by name. */
export function inTurn(responders: readonly TargetResponder[]): TargetResponder[] {
  return responders.toSorted((a, b) => comparePriorities(a.priority, b.priority) || compareNames(a.name, b.name));
}

/** The higher one first, one without at the end. */
function comparePriorities(left: number | null, right: number | null): number {
  if (left === right) return 0;
  if (left === null) return 1;
  return right === null ? -1 : right - left;
}

function compareNames(left: string, right: string): number {
  const [a, b] = [partsOf(left), partsOf(right)];
  for (const [index, part] of a.domain.entries()) {
    const other = b.domain[index];
    if (other === undefined) return 1;
    if (part !== other) return part < other ? -1 : 1;
  }
  if (b.domain.length > a.domain.length) return -1;
  if (a.key === b.key) return 0;
  return a.key < b.key ? -1 : 1;
}

function partsOf(name: string): { domain: string[]; key: string } {
  const slash = name.indexOf('/');
  const [domain, key] = slash < 0 ? [name, ''] : [name.slice(0, slash), name.slice(slash + 1)];
  return { domain: domain.split('.').reverse(), key };
}
