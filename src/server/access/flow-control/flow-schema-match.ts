// Upstream: k8s.io/apiserver/pkg/util/flowcontrol/rule.go
import type {
  FlowSchemaSpec,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  Subject,
} from '../../../schema/types/flowcontrol-v1.ts';
import type { RequestInfo } from '../../request/request-info.ts';
import type { UserInfo } from '../../request/user.ts';

export type FlowSchemaMatch = (info: RequestInfo, user: UserInfo) => boolean;

/** Which requests a flow schema is for, compiled. */
export function compileMatch({ rules = [] }: Pick<FlowSchemaSpec, 'rules'>): FlowSchemaMatch {
  const compiled = rules.map(compileRule);
  return (info, user) => compiled.some((matches) => matches(info, user));
}

function compileRule({ subjects, resourceRules = [], nonResourceRules = [] }: PolicyRulesWithSubjects): FlowSchemaMatch {
  const who = (subjects ?? []).map(compileSubject);
  const resources = resourceRules.map(compileResourceRule);
  const others = nonResourceRules.map(compileNonResourceRule);
  return (info, user) => who.some((matches) => matches(user)) && (info.isResource ? resources : others).some((matches) => matches(info));
}

function compileSubject({ kind, user, group, serviceAccount }: Subject): (user: UserInfo) => boolean {
  if (kind === 'User' && user !== undefined) return user.name === '*' ? () => true : ({ name }) => name === user.name;
  if (kind === 'Group' && group !== undefined) return group.name === '*' ? () => true : ({ groups }) => groups.includes(group.name);
  if (kind === 'ServiceAccount' && serviceAccount !== undefined) {
    const prefix = `system:serviceaccount:${serviceAccount.namespace}:`;
    const { name: account } = serviceAccount;
    return account === '*' ? ({ name }) => name.startsWith(prefix) : ({ name }) => name === prefix + account;
  }
  return () => false;
}

function compileResourceRule(rule: ResourcePolicyRule): (info: RequestInfo) => boolean {
  const [verbs, groups] = [oneOf(rule.verbs), oneOf(rule.apiGroups)];
  const [resources, namespaces] = [oneOf(rule.resources), oneOf(rule.namespaces)];
  const { clusterScope = false } = rule;
  return ({ verb, group, resource, subresource, namespace }) =>
    verbs(verb) &&
    resources(subresource === '' ? resource : `${resource}/${subresource}`) &&
    groups(group) &&
    (namespace === '' ? clusterScope : namespaces(namespace));
}

function compileNonResourceRule({ verbs, nonResourceURLs }: NonResourcePolicyRule): (info: RequestInfo) => boolean {
  const byVerb = oneOf(verbs);
  const paths = (nonResourceURLs ?? []).map(compilePath);
  return ({ verb, path }) => byVerb(verb) && paths.some((matches) => matches(path));
}

/** Kept for compatibility: a path without a star stands for all that lies below it, too. */
function compilePath(url: string): (path: string) => boolean {
  if (url === '*') return () => true;
  const prefix = url.replace(/\*$/, '').replace(/\/?$/, '/');
  return (path) => path === url || path.startsWith(prefix);
}

/** A star counts only when it stands alone. */
function oneOf(list: readonly string[] | null): (value: string) => boolean {
  const values = list ?? [];
  if (values.length === 1 && values[0] === '*') return () => true;
  const set = new Set(values);
  return (value) => set.has(value);
}
