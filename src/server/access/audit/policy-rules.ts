// Upstream: k8s.io/apiserver/pkg/audit/policy/checker.go
import { withoutTrailing } from '../../../base/trailing.ts';
import type { GroupResources, Policy, PolicyRule } from '../../../schema/types/audit-v1.ts';
import type { UserInfo } from '../../request/user.ts';
import type { Attributes } from '../../request/authorizer.ts';
import type { Level } from './level.ts';

/** What is asked of the policy: a request, perhaps one whose authentication failed. */
export type AuditedAttributes = Omit<Attributes, 'user'> & { readonly user: UserInfo | undefined };

/** What is to be recorded of one request. */
export interface Extent {
  readonly level: Level;
  readonly omitStages: ReadonlySet<string>;
  readonly omitManagedFields: boolean;
}

interface Rule {
  readonly rule: PolicyRule;
  readonly extent: Extent;
}

/** The rules of a policy: the first that matches a request says how much of it is recorded. */
export class PolicyRules {
  readonly #rules: readonly Rule[];
  readonly #otherwise: Extent;

  constructor({ rules, omitStages = [], omitManagedFields = false }: Policy) {
    this.#otherwise = { level: 'None', omitStages: new Set(omitStages), omitManagedFields };
    this.#rules = (rules ?? []).map((rule) => ({
      rule,
      extent: {
        level: rule.level as Level,
        omitStages: new Set([...omitStages, ...(rule.omitStages ?? [])]),
        omitManagedFields: rule.omitManagedFields ?? omitManagedFields,
      },
    }));
  }

  extentOf(attributes: AuditedAttributes): Extent {
    return this.#rules.find(({ rule }) => matches(rule, attributes))?.extent ?? this.#otherwise;
  }
}

function matches(rule: PolicyRule, attributes: AuditedAttributes): boolean {
  const { users = [], userGroups = [], verbs = [], namespaces = [], resources = [], nonResourceURLs = [] } = rule;
  const { user, verb, isResource } = attributes;
  if (users.length > 0 && !(user !== undefined && users.includes(user.name))) return false;
  if (userGroups.length > 0 && !user?.groups.some((group) => userGroups.includes(group))) return false;
  if (verbs.length > 0 && !verbs.includes(verb)) return false;
  if (namespaces.length > 0 || resources.length > 0) {
    if (!isResource || (namespaces.length > 0 && !namespaces.includes(attributes.namespace))) return false;
    return resources.length === 0 || resources.some((one) => matchesResource(one, attributes));
  }
  if (nonResourceURLs.length > 0) return !isResource && nonResourceURLs.some((url) => matchesPath(url, attributes.path));
  return true;
}

function matchesResource({ group = '', resources = [], resourceNames = [] }: GroupResources, attributes: AuditedAttributes): boolean {
  const { resource, subresource, name } = attributes;
  if (group !== attributes.group && group !== '*') return false;
  if (resources.length === 0) return true;
  if (resourceNames.length > 0 && !resourceNames.includes(name)) return false;
  const combined = subresource === '' ? resource : `${resource}/${subresource}`;
  return resources.some(
    (one) => one === combined || one === '*' || (subresource !== '' && one === `*/${subresource}`) || one === `${resource}/*`,
  );
}

function matchesPath(url: string, path: string): boolean {
  return url === '*' || url === path || (url.endsWith('*') && path.startsWith(withoutTrailing(url, '*')));
}
