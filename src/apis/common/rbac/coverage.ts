// Upstream: component-helpers/auth/rbac/validation/policy_comparator.go, pkg/registry/rbac/validation/policy_compact.go
import { goQuoteList } from '../../../machinery/go-format.ts';
import type { PolicyRule } from '../../../schema/types/rbac-v1.ts';

/** As roles store it and as the authorizer tells it. */
export type Rule = { readonly [K in keyof PolicyRule]: K extends 'verbs' ? readonly string[] | null : readonly string[] };

/** A rule with one verb on one resource (and name), or on one URL. */
export interface Permission {
  readonly verb: string;
  readonly group?: string;
  readonly resource?: string;
  readonly resourceName?: string;
  readonly url?: string;
}

/** Rules taken apart. */
export function* permissionsOf(rules: Iterable<Rule>): Generator<Permission> {
  for (const { verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } of rules) {
    for (const group of apiGroups) {
      for (const resource of resources) {
        for (const verb of verbs ?? []) {
          if (resourceNames.length === 0) yield { verb, group, resource };
          for (const resourceName of resourceNames) yield { verb, group, resource, resourceName };
        }
      }
    }
    for (const url of nonResourceURLs) for (const verb of verbs ?? []) yield { verb, url };
  }
}

/** What the wanted rules allow and the held ones do not. */
export function missingPermissions(held: readonly Rule[], wanted: Iterable<Rule>): Permission[] {
  return [...permissionsOf(wanted)].filter((permission) => !held.some((rule) => covers(rule, permission)));
}

function covers(rule: Rule, { verb, group, resource, resourceName, url }: Permission): boolean {
  const verbs = rule.verbs ?? [];
  if (!verbs.includes('*') && !verbs.includes(verb)) return false;
  const names = rule.resourceNames ?? [];
  if (names.length > 0 && (resourceName === undefined || !names.includes(resourceName))) return false;
  if (url !== undefined) return rule.nonResourceURLs?.some((held) => urlCovers(held, url)) ?? false;
  const groups = rule.apiGroups ?? [];
  return (groups.includes('*') || groups.includes(group as string)) && resourceCovers(rule.resources ?? [], resource as string);
}

function resourceCovers(held: readonly string[], wanted: string): boolean {
  if (held.includes('*') || held.includes(wanted)) return true;
  const slash = wanted.indexOf('/');
  return slash >= 0 && held.includes(`*${wanted.slice(slash)}`);
}

function urlCovers(held: string, wanted: string): boolean {
  return held === wanted || (held.endsWith('*') && wanted.startsWith(held.replace(/\*+$/, '')));
}

/** Permissions put together again by what they are for, one line each, in alphabetical order. */
export function describePermissions(permissions: readonly Permission[]): string {
  const lines: string[] = [];
  const verbsByTarget = new Map<string, string[]>();
  for (const permission of permissions) {
    const target = describeTarget(permission);
    const verbs = verbsByTarget.get(target);
    // permissions on URLs stay apart, as in the original
    if (permission.url !== undefined) lines.push(`{${target}, Verbs:${goQuoteList([permission.verb])}}`);
    else if (verbs === undefined) verbsByTarget.set(target, [permission.verb]);
    else verbs.push(permission.verb);
  }
  for (const [target, verbs] of verbsByTarget) lines.push(`{${target}, Verbs:${goQuoteList(verbs)}}`);
  return [...new Set(lines)].sort().join('\n');
}

function describeTarget({ group, resource, resourceName, url }: Permission): string {
  if (url !== undefined) return `NonResourceURLs:${goQuoteList([url])}`;
  const target = `APIGroups:${goQuoteList([group as string])}, Resources:${goQuoteList([resource as string])}`;
  return resourceName === undefined ? target : `${target}, ResourceNames:${goQuoteList([resourceName])}`;
}
