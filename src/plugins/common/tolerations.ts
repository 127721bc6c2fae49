// Upstream: k8s.io/kubernetes/pkg/util/tolerations/tolerations.go
import { deepEqual } from '../../machinery/deep-equal.ts';
import type { Toleration } from '../../schema/types/core-v1.ts';

/** Each is compared with each; of more, those that another one includes stay, which does no harm. */
const mostMerged = 1000;

/** Both lists as one, without tolerations that another one includes. */
export function mergeTolerations(first: readonly Toleration[], second: readonly Toleration[]): Toleration[] {
  const all = [...first, ...second];
  if (all.length > mostMerged) return all;
  const merged: Toleration[] = [];
  all.forEach((one, index) => {
    if (merged.some((kept) => includes(kept, one))) return;
    if (all.slice(index + 1).some((later) => !deepEqual(one, later) && includes(later, one))) return;
    merged.push(one);
  });
  return merged;
}

/** Everything that is tolerated is on the list; an empty list has everything. */
export function areListed(tolerations: readonly Toleration[], list: readonly Toleration[]): boolean {
  return list.length === 0 || tolerations.every((one) => list.some((listed) => includes(listed, one)));
}

/** What `one` tolerates, `wide` tolerates too. */
function includes(wide: Toleration, one: Toleration): boolean {
  if (deepEqual(wide, one)) return true;
  if ((one.key ?? '') !== (wide.key ?? '') && (wide.key || wide.operator !== 'Exists')) return false;
  if ((one.effect ?? '') !== (wide.effect ?? '') && wide.effect) return false;
  if (wide.effect === 'NoExecute' && wide.tolerationSeconds !== undefined) {
    if (one.tolerationSeconds === undefined || one.tolerationSeconds > wide.tolerationSeconds) return false;
  }
  if (wide.operator === 'Exists') return true;
  if ((wide.operator ?? 'Equal') !== 'Equal') return false;
  return (one.operator ?? '') === (wide.operator ?? '') && (one.value ?? '') === (wide.value ?? '');
}
