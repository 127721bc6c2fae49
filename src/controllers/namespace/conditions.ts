// Upstream: k8s.io/kubernetes/pkg/controller/namespace/deletion/status_condition_utils.go
import type { NamespaceCondition } from '../../schema/types/core-v1.ts';

/** What one attempt to empty a namespace found. */
export interface Findings {
  /** group versions whose content is unknown, and why */
  readonly undiscovered: ReadonlyMap<string, string>;
  /** what went wrong with single resources */
  readonly failures: readonly string[];
  /** objects that are still there, by `resource.group` */
  readonly remaining: ReadonlyMap<string, number>;
  /** objects that are held, by finalizer */
  readonly finalizers: ReadonlyMap<string, number>;
}

interface Verdict {
  readonly reason: string;
  readonly message: string;
}

const wellAndGood: ReadonlyMap<string, Verdict> = new Map([
  ['NamespaceDeletionDiscoveryFailure', { reason: 'ResourcesDiscovered', message: 'All resources successfully discovered' }],
  ['NamespaceDeletionGroupVersionParsingFailure', { reason: 'ParsedGroupVersions', message: 'All legacy kube types successfully parsed' }],
  [
    'NamespaceDeletionContentFailure',
    { reason: 'ContentDeleted', message: 'All content successfully deleted, may be waiting on finalization' },
  ],
  ['NamespaceContentRemaining', { reason: 'ContentRemoved', message: 'All content successfully removed' }],
  ['NamespaceFinalizersRemaining', { reason: 'ContentHasNoFinalizers', message: 'All content-preserving finalizers finished' }],
]);

/** The conditions as they should be now; the very same list if nothing is new. */
export function updatedConditions(known: readonly NamespaceCondition[], findings: Findings, now: string): readonly NamespaceCondition[] {
  const bad = troubles(findings);
  const conditions = [...known];
  let changed = false;
  for (const [type, good] of wellAndGood) {
    const trouble = bad.get(type);
    const { reason, message } = trouble ?? good;
    const status = trouble === undefined ? 'False' : 'True';
    const index = conditions.findIndex((condition) => condition.type === type);
    const old = conditions[index];
    if (old?.status === status && old.reason === reason && old.message === message) continue;
    changed = true;
    const lastTransitionTime = old?.status === status ? old.lastTransitionTime : now;
    const condition = { type, status, lastTransitionTime, reason, message };
    if (old === undefined) conditions.push(condition);
    else conditions[index] = condition;
  }
  return changed ? conditions : known;
}

function troubles({ undiscovered, failures, remaining, finalizers }: Findings): Map<string, Verdict> {
  const found = new Map<string, Verdict>();
  const counts = (counted: ReadonlyMap<string, number>, text: (name: string, count: number) => string): string =>
    [...counted]
      .map(([name, count]) => text(name, count))
      .toSorted()
      .join(', ');
  if (undiscovered.size > 0) {
    const details = [...undiscovered].map(([groupVersion, why]) => `${groupVersion}: ${why}`).join(', ');
    const message = `Discovery failed for some groups, ${undiscovered.size} failing: unable to retrieve the complete list of server APIs: ${details}`;
    found.set('NamespaceDeletionDiscoveryFailure', { reason: 'DiscoveryFailed', message });
  }
  if (failures.length > 0) {
    const message = `Failed to delete all resource types, ${failures.length} remaining: ${failures.toSorted().join(', ')}`;
    found.set('NamespaceDeletionContentFailure', { reason: 'ContentDeletionFailed', message });
  }
  if (remaining.size > 0) {
    const message = `Some resources are remaining: ${counts(remaining, (name, count) => `${name} has ${count} resource instances`)}`;
    found.set('NamespaceContentRemaining', { reason: 'SomeResourcesRemain', message });
  }
  if (finalizers.size > 0) {
    const message = `Some content in the namespace has finalizers remaining: ${counts(finalizers, (name, count) => `${name} in ${count} resource instances`)}`;
    found.set('NamespaceFinalizersRemaining', { reason: 'SomeFinalizersRemain', message });
  }
  return found;
}
