// Upstream: k8s.io/apiserver/pkg/quota/v1/resources.go, k8s.io/kubernetes/pkg/quota/v1/install/registry.go
import type { ResourceQuota, ScopedResourceSelectorRequirement } from '../../../schema/types/core-v1.ts';

/** What is not stored takes no room, and events never counted. */
const uncounted: ReadonlySet<string> = new Set([
  '/bindings',
  '/componentstatuses',
  '/events',
  'events.k8s.io/events',
  'authorization.k8s.io/localsubjectaccessreviews',
]);

export function isUncounted(group: string, plural: string): boolean {
  return uncounted.has(`${group}/${plural}`);
}

/** What an object has to match for a quota to count it. */
export function scopesOf({ spec }: Pick<ResourceQuota, 'spec'>): ScopedResourceSelectorRequirement[] {
  const named = (spec.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists' }) as ScopedResourceSelectorRequirement);
  return [...named, ...(spec.scopeSelector?.matchExpressions ?? [])];
}
