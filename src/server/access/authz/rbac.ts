// Upstream: k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac/rbac.go, k8s.io/kubernetes/pkg/registry/rbac/validation/rule.go
import { aggregateMessages } from '../../../machinery/field.ts';
import type { ObjectReader } from '../../registry/object-reader.ts';
import type { KubeObject } from '../../registry/definition.ts';
import { Derived } from '../../registry/derived.ts';
import type { UserInfo } from '../../request/user.ts';
import type { Attributes, Authorizer, Decision, NonResourceRule, ResourceRule, RulesOf } from '../../request/authorizer.ts';
import type { PolicyRule } from './policy-rule.ts';
import { ruleAllows } from './policy-rule.ts';

const group = 'rbac.authorization.k8s.io';
const serviceAccountPrefix = 'system:serviceaccount:';
const noOpinion: Decision = { decision: 'no-opinion', reason: '' };

interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

interface RoleRef {
  readonly kind: string;
  readonly name: string;
}

interface Role extends KubeObject {
  rules?: PolicyRule[];
}

interface RoleBinding extends KubeObject {
  roleRef: RoleRef;
  subjects?: Subject[];
}

/** A binding as it is asked for: who it is for, and what it allows. */
export interface Grant {
  readonly subject: Subject;
  /** '' for a ClusterRoleBinding */
  readonly namespace: string;
  readonly binding: string;
  readonly roleRef: RoleRef;
  /** undefined: the role does not exist */
  readonly rules: readonly PolicyRule[] | undefined;
}

/** Grants by subject, so that a request looks at its own user's and groups' bindings only. */
interface Grants {
  readonly users: Map<string, Grant[]>;
  readonly groups: Map<string, Grant[]>;
}

interface Index {
  readonly clusterWide: Grants;
  /** by namespace, then subject */
  readonly namespaces: ReadonlyMap<string, Grants>;
}

/** Roles and bindings, read when first asked and again after they have changed. */
export class RbacRules {
  readonly #index: Derived<Index>;

  constructor(reader: ObjectReader) {
    const plurals = ['clusterroles', 'roles', 'clusterrolebindings', 'rolebindings'];
    this.#index = new Derived(reader, { group, plurals }, () => indexOf(this.#index));
  }

  /** Grants that apply to the user in the namespace: cluster-wide ones first. Synchronous once roles have been read. */
  grantsFor(user: UserInfo, namespace: string): Iterable<Grant> | Promise<Iterable<Grant>> {
    const { current } = this.#index;
    if (current !== undefined) return select(current, user, namespace);
    return this.#index.get().then((index) => select(index, user, namespace));
  }
}

function indexOf(stored: Derived<Index>): Index {
  const clusterRoles = rolesIn(stored.objects<Role>('clusterroles'));
  const roles = rolesIn(stored.objects<Role>('roles'));
  const clusterWide: Grants = { users: new Map(), groups: new Map() };
  for (const binding of stored.objects<RoleBinding>('clusterrolebindings')) {
    addGrants(clusterWide, binding, clusterRoles.get(`/${binding.roleRef.name}`));
  }
  const namespaces = new Map<string, Grants>();
  for (const binding of stored.objects<RoleBinding>('rolebindings')) {
    const { namespace = '' } = binding.metadata;
    const { kind, name } = binding.roleRef;
    let here = namespaces.get(namespace);
    if (here === undefined) namespaces.set(namespace, (here = { users: new Map(), groups: new Map() }));
    addGrants(here, binding, kind === 'ClusterRole' ? clusterRoles.get(`/${name}`) : roles.get(`${namespace}/${name}`));
  }
  return { clusterWide, namespaces };
}

function rolesIn(roles: Iterable<Role>): Map<string, readonly PolicyRule[]> {
  return new Map(Array.from(roles, ({ metadata, rules }) => [`${metadata.namespace ?? ''}/${metadata.name}`, rules ?? []]));
}

function addGrants(into: Grants, { metadata, roleRef, subjects }: RoleBinding, rules: readonly PolicyRule[] | undefined): void {
  const { name = '', namespace = '' } = metadata;
  for (const subject of subjects ?? []) {
    const key = subject.kind === 'Group' ? subject.name : userName(subject, namespace);
    if (key === undefined) continue;
    const bySubject = subject.kind === 'Group' ? into.groups : into.users;
    const known = bySubject.get(key);
    const grant: Grant = { subject, namespace, binding: name, roleRef, rules };
    if (known === undefined) bySubject.set(key, [grant]);
    else known.push(grant);
  }
}

/** Undefined: no subject. */
function userName({ kind, name, namespace }: Subject, bindingNamespace: string): string | undefined {
  if (kind === 'User') return name;
  if (kind !== 'ServiceAccount') return undefined;
  const where = namespace || bindingNamespace;
  return where === '' ? undefined : `${serviceAccountPrefix}${where}:${name}`;
}

function* select({ clusterWide, namespaces }: Index, user: UserInfo, namespace: string): Generator<Grant> {
  yield* ofUser(clusterWide, user);
  const here = namespace === '' ? undefined : namespaces.get(namespace);
  if (here !== undefined) yield* ofUser(here, user);
}

function* ofUser({ users, groups: byGroup }: Grants, { name, groups }: UserInfo): Generator<Grant> {
  yield* users.get(name) ?? [];
  for (const one of groups) {
    const shared = byGroup.get(one);
    if (shared !== undefined) yield* shared;
  }
}

export function rbacAuthorizer(rules: RbacRules): Authorizer {
  return {
    authorize(attributes) {
      const grants = rules.grantsFor(attributes.user, attributes.namespace);
      return grants instanceof Promise ? grants.then((found) => decide(found, attributes)) : decide(grants, attributes);
    },
    async rulesFor(user, namespace) {
      return rulesOf(await rules.grantsFor(user, namespace));
    },
  };
}

const largeRole = 32;
/** Rules that a review lists with those of a role again for each of its bindings, as upstream does; beyond them a role is listed once. */
const mostRepeatedRules = 20_000;

function decide(grants: Iterable<Grant>, attributes: Attributes): Decision {
  let missing: string[] | undefined;
  let seen: Set<readonly PolicyRule[]> | undefined;
  for (const grant of grants) {
    if (grant.rules === undefined) {
      (missing ??= []).push(missingRole(grant));
      continue;
    }
    // A large role may be bound thousands of times: what it did not allow once it does not allow again.
    if (grant.rules.length >= largeRole) {
      seen ??= new Set();
      if (seen.has(grant.rules)) continue;
      seen.add(grant.rules);
    }
    if (grant.rules.some((rule) => ruleAllows(rule, attributes)))
      return { decision: 'allow', reason: `RBAC: allowed by ${describe(grant)}` };
  }
  if (missing === undefined) return noOpinion;
  const distinct = [...new Set(missing)];
  return { decision: 'no-opinion', reason: `RBAC: ${distinct.length === 1 ? distinct[0] : `[${distinct.join(', ')}]`}` };
}

function missingRole({ roleRef }: Grant): string {
  return `${roleRef.kind === 'ClusterRole' ? 'clusterrole' : 'role'}.${group} ${JSON.stringify(roleRef.name)} not found`;
}

/** `ClusterRoleBinding "x" of ClusterRole "y" to Group "z"` */
function describe({ subject, namespace, binding, roleRef }: Grant): string {
  const who = subject.kind === 'ServiceAccount' ? `${subject.name}/${subject.namespace || namespace}` : subject.name;
  const named =
    namespace === '' ? `ClusterRoleBinding ${JSON.stringify(binding)}` : `RoleBinding ${JSON.stringify(`${binding}/${namespace}`)}`;
  return `${named} of ${roleRef.kind} ${JSON.stringify(roleRef.name)} to ${subject.kind} ${JSON.stringify(who)}`;
}

function rulesOf(grants: Iterable<Grant>): RulesOf {
  const resourceRules: ResourceRule[] = [];
  const nonResourceRules: NonResourceRule[] = [];
  const errors: string[] = [];
  const listed = new Set<readonly PolicyRule[]>();
  for (const grant of grants) {
    if (grant.rules === undefined) errors.push(missingRole(grant));
    else if (resourceRules.length + nonResourceRules.length > mostRepeatedRules && listed.has(grant.rules)) continue;
    else listed.add(grant.rules);
    for (const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } of grant.rules ?? []) {
      if (resources?.length) {
        resourceRules.push({ verbs, ...(apiGroups && { apiGroups }), resources, ...(resourceNames && { resourceNames }) });
      }
      if (nonResourceURLs?.length) nonResourceRules.push({ verbs, nonResourceURLs });
    }
  }
  return { resourceRules, nonResourceRules, incomplete: false, ...(errors.length > 0 && { evaluationError: aggregateMessages(errors) }) };
}
