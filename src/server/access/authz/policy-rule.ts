// Upstream: k8s.io/kubernetes/pkg/apis/rbac/v1/evaluation_helpers.go
import type { Attributes } from '../../request/authorizer.ts';

/** One rule of a Role or ClusterRole. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

const star = 42;

type Question = Pick<Attributes, 'isResource' | 'verb' | 'group' | 'resource' | 'subresource' | 'name' | 'path'>;

export function ruleAllows(rule: PolicyRule, question: Question): boolean {
  if (!matches(rule.verbs, question.verb)) return false;
  if (!question.isResource) return rule.nonResourceURLs?.some((pattern) => urlMatches(pattern, question.path)) ?? false;
  const { resourceNames } = rule;
  return (
    matches(rule.apiGroups, question.group) &&
    resourceMatches(rule.resources, question.resource, question.subresource) &&
    (resourceNames === undefined || resourceNames.length === 0 || resourceNames.includes(question.name))
  );
}

function matches(allowed: readonly string[] | undefined, asked: string): boolean {
  return allowed !== undefined && (allowed.includes('*') || allowed.includes(asked));
}

/** `pods`, `pods/log`, every resource, or the same subresource of every resource. */
function resourceMatches(allowed: readonly string[] | undefined, resource: string, subresource: string): boolean {
  if (allowed === undefined) return false;
  const full = subresource === '' ? resource : `${resource}/${subresource}`;
  return allowed.some((one) => one === '*' || one === full || (subresource !== '' && one === `*/${subresource}`));
}

export function urlMatches(pattern: string, path: string): boolean {
  if (pattern === '*' || pattern === path) return true;
  let end = pattern.length;
  while (pattern.charCodeAt(end - 1) === star) end--;
  return end < pattern.length && path.startsWith(pattern.slice(0, end));
}
