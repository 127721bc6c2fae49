// Upstream: k8s.io/kubernetes/pkg/registry/rbac/escalation_check.go, k8s.io/kubernetes/pkg/registry/rbac/*/policybased/storage.go
// Upstream: k8s.io/kubernetes/pkg/registry/rbac/validation/rule.go
// A user grants no more than the user has, unless given the right to: `escalate` on roles, `bind` on what a binding refers to.
import { forbidden, notFound } from '../../../machinery/errors.ts';
import { goQuote, goQuoteList } from '../../../machinery/go-format.ts';
import { semanticDeepEqual } from '../../../machinery/deep-equal.ts';
import type { ClusterRole, Role, RoleBinding } from '../../../schema/types/rbac-v1.ts';
import { privilegedGroup } from '../../../server/request/user.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import type { Rule } from './coverage.ts';
import { describePermissions, missingPermissions } from './coverage.ts';
import { rbacGroup } from './validation.ts';

const everything: readonly Rule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

type AnyRole = Role & Partial<Pick<ClusterRole, 'aggregationRule'>> & KubeObject;

type AnyBinding = RoleBinding & KubeObject;

/** For roles: the writer holds every permission in them, and all there are when they collect others' rules. */
export async function authorizeRole(
  plural: 'roles' | 'clusterroles',
  role: AnyRole,
  old: AnyRole | undefined,
  context: WriteContext,
): Promise<void> {
  if (context.user.groups.includes(privilegedGroup)) return;
  // The URL of a create names nothing: a right to escalate one role by name is no right to make it.
  const named = context.verb === 'create' ? '' : context.name;
  if (await isAllowed(context, 'escalate', plural, named, context.namespace)) return;
  if (old !== undefined && onlyCollectsGarbage(role, old)) return;
  const resource = { group: rbacGroup, resource: plural };
  const { name = '' } = role.metadata;
  const problem = await missing(context, role.rules ?? []);
  if (problem !== undefined) throw forbidden(resource, name, problem);
  if (!aggregates(role) && !(old !== undefined && aggregates(old))) return;
  if ((await missing(context, everything)) !== undefined) {
    throw forbidden(resource, name, 'must have cluster-admin privileges to use the aggregationRule');
  }
}

/** For bindings: the writer may bind the role, or holds every permission in it. */
export async function authorizeBinding(
  plural: 'rolebindings' | 'clusterrolebindings',
  binding: AnyBinding,
  old: AnyBinding | undefined,
  context: WriteContext,
): Promise<void> {
  if (context.user.groups.includes(privilegedGroup)) return;
  if (old !== undefined && onlyCollectsGarbage(binding, old)) return;
  const { roleRef } = binding;
  const namespace = plural === 'rolebindings' ? context.namespace : '';
  const bound = roleRef.kind === 'ClusterRole' ? 'clusterroles' : roleRef.kind === 'Role' ? 'roles' : undefined;
  if (bound === undefined) throw new Error(`unsupported role reference kind: ${goQuote(roleRef.kind)}`);
  if (await isAllowed(context, 'bind', bound, roleRef.name, namespace, roleRef.apiGroup)) return;
  const role = await context.reader.get<AnyRole>(rbacGroup, bound, bound === 'roles' ? namespace : '', roleRef.name);
  // A quirk kept: it is the binding's resource that upstream names, with the role's name.
  if (role === undefined) throw notFound({ group: rbacGroup, resource: plural }, roleRef.name);
  const problem = await missing(context, role.rules ?? []);
  if (problem !== undefined) throw forbidden({ group: rbacGroup, resource: plural }, binding.metadata.name ?? '', problem);
}

async function isAllowed(
  { authorizer, user }: WriteContext,
  verb: 'bind' | 'escalate',
  resource: string,
  name: string,
  namespace: string,
  group = rbacGroup,
): Promise<boolean> {
  const attributes = { user, verb, isResource: true, path: '', group, version: '*', namespace, resource, subresource: '', name };
  return (await authorizer.authorize(attributes)).decision === 'allow';
}

/** Why the user may not grant the rules; undefined when they hold all of them. */
async function missing({ authorizer, user, namespace }: WriteContext, wanted: readonly Rule[]): Promise<string | undefined> {
  const held = await authorizer.roleRulesFor?.(user, namespace);
  const rules: Rule[] = [...(held?.resourceRules ?? []), ...(held?.nonResourceRules ?? [])];
  const lacking = await missingPermissions(rules, wanted);
  if (lacking.permissions.length === 0) return undefined;
  const errors = held?.evaluationError === undefined ? '' : `; resolution errors: [${held.evaluationError}]`;
  return `user ${goQuote(user.name)} (groups=${goQuoteList(user.groups)}) is attempting to grant RBAC permissions not currently held:\n${describePermissions(lacking)}${errors}`;
}

function aggregates({ aggregationRule }: AnyRole): boolean {
  return Boolean(aggregationRule?.clusterRoleSelectors?.length);
}

/** The garbage collector may let go of what it could not have granted. */
export function onlyCollectsGarbage(object: KubeObject, old: KubeObject): boolean {
  const without = ({ metadata, ...rest }: KubeObject): unknown => {
    const { ownerReferences: _, finalizers: __, selfLink: ___, managedFields: ____, ...kept } = metadata;
    return { ...rest, metadata: kept };
  };
  return semanticDeepEqual(without(object), without(old));
}
