// Upstream: k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac/rbac.go, k8s.io/kubernetes/pkg/registry/rbac/validation/rule.go
import { Slices } from '../../../base/slices.ts';
import { aggregateMessages } from '../../../machinery/field.ts';
import type { ObjectReader } from '../../registry/object-reader.ts';
import type { KubeObject } from '../../registry/definition.ts';
import type { StoredEntry } from '../../registry/entry.ts';
import type { IndexOf } from '../../registry/live-index.ts';
import { LiveIndex } from '../../registry/live-index.ts';
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

interface RoleBinding extends KubeObject {
  roleRef: RoleRef;
  subjects?: Subject[];
}

/** A binding as it is asked for: who it is for, and which role it gives. */
interface Grant {
  readonly subject: Subject;
  readonly from: Binding;
}

interface Binding {
  /** '' for a ClusterRoleBinding */
  readonly namespace: string;
  readonly name: string;
  readonly roleRef: RoleRef;
}

/** Grants by subject, so that a request looks at its own user's and groups' bindings only. */
interface Grants {
  readonly users: Map<string, Grant[]>;
  readonly groups: Map<string, Grant[]>;
}

/** A role whose rules are read when a request depends on them. */
class Role {
  readonly #entry: StoredEntry;
  #rules: readonly PolicyRule[] | undefined;

  constructor(entry: StoredEntry) {
    this.#entry = entry;
  }

  get bytes(): number {
    return this.#entry.value.length;
  }

  get rules(): readonly PolicyRule[] {
    return (this.#rules ??= (JSON.parse(this.#entry.text()) as { rules?: PolicyRule[] }).rules ?? []);
  }
}

/** Roles and bindings, by those that they are for. */
class RoleIndex implements IndexOf {
  /** by the end of their keys: `NAMESPACE/NAME`, and `/NAME` of a ClusterRole */
  readonly #roles = new Map<string, Role>();
  readonly #clusterWide: Grants = { users: new Map(), groups: new Map() };
  readonly #namespaces = new Map<string, Grants>();
  /** what a binding has given, by its key */
  readonly #given = new Map<string, readonly Grant[]>();

  set(plural: string, entry: StoredEntry): void {
    if (plural === 'roles' || plural === 'clusterroles') this.#roles.set(roleKey(plural, entry.key), new Role(entry));
    else this.#bind(entry.key, JSON.parse(entry.text()) as RoleBinding);
  }

  delete(plural: string, key: string): void {
    if (plural === 'roles' || plural === 'clusterroles') this.#roles.delete(roleKey(plural, key));
    else this.#unbind(key);
  }

  /** Undefined: it does not exist. */
  roleOf({ from: { namespace, roleRef } }: Grant): Role | undefined {
    return this.#roles.get(`${roleRef.kind === 'ClusterRole' || namespace === '' ? '' : namespace}/${roleRef.name}`);
  }

  /** Grants that apply to the user in the namespace: cluster-wide ones first. */
  *select(user: UserInfo, namespace: string): Generator<Grant> {
    yield* ofUser(this.#clusterWide, user);
    const here = namespace === '' ? undefined : this.#namespaces.get(namespace);
    if (here !== undefined) yield* ofUser(here, user);
  }

  #bind(key: string, { metadata: { name = '', namespace = '' }, roleRef, subjects }: RoleBinding): void {
    this.#unbind(key);
    const from: Binding = { namespace, name, roleRef };
    const given = (subjects ?? []).map((subject): Grant => ({ subject, from }));
    this.#given.set(key, given);
    for (const grant of given) {
      const [bySubject, subject] = this.#placeOf(grant);
      if (subject === undefined) continue;
      const known = bySubject.get(subject);
      if (known === undefined) bySubject.set(subject, [grant]);
      else known.push(grant);
    }
  }

  #unbind(key: string): void {
    for (const grant of this.#given.get(key) ?? []) {
      const [bySubject, subject] = this.#placeOf(grant);
      const known = subject === undefined ? undefined : bySubject.get(subject);
      if (subject === undefined || known === undefined) continue;
      const left = known.filter((one) => one !== grant);
      if (left.length > 0) bySubject.set(subject, left);
      else bySubject.delete(subject);
    }
    this.#given.delete(key);
  }

  #placeOf({ subject, from: { namespace } }: Grant): readonly [Map<string, Grant[]>, string | undefined] {
    let grants = namespace === '' ? this.#clusterWide : this.#namespaces.get(namespace);
    if (grants === undefined) this.#namespaces.set(namespace, (grants = { users: new Map(), groups: new Map() }));
    return subject.kind === 'Group' ? [grants.groups, subject.name] : [grants.users, userName(subject, namespace)];
  }
}

/** `/registry/roles/NAMESPACE/NAME`, `/registry/clusterroles/NAME` */
function roleKey(plural: string, key: string): string {
  const parts = key.split('/');
  return `${plural === 'roles' ? parts.at(-2) : ''}/${parts.at(-1)}`;
}

/** Roles and bindings, read when first asked, and followed from then on. */
export class RbacRules {
  readonly #index: LiveIndex<RoleIndex>;

  constructor(reader: ObjectReader) {
    const plurals = ['clusterroles', 'roles', 'clusterrolebindings', 'rolebindings'];
    this.#index = new LiveIndex(reader, { group, plurals }, () => new RoleIndex());
  }

  /** Synchronous once roles and bindings have been read. */
  get index(): RoleIndex | Promise<RoleIndex> {
    return this.#index.current ?? this.#index.get();
  }
}

/** Undefined: no subject. */
function userName({ kind, name, namespace }: Subject, bindingNamespace: string): string | undefined {
  if (kind === 'User') return name;
  if (kind !== 'ServiceAccount') return undefined;
  const where = namespace || bindingNamespace;
  return where === '' ? undefined : `${serviceAccountPrefix}${where}:${name}`;
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
      const { index } = rules;
      return index instanceof Promise
        ? index.then((loaded) => new Search(loaded, attributes).decide())
        : new Search(index, attributes).decide();
    },
    async rulesFor(user, namespace) {
      const index = await rules.index;
      return rulesOf(index, index.select(user, namespace));
    },
  };
}

const largeRole = 32;
/** Characters of roles that are looked through before others get their turn. */
const charactersInTurn = 500_000;
const charactersOfGrant = 100;

/** Looks for a grant that allows a request. */
class Search {
  readonly #index: RoleIndex;
  readonly #attributes: Attributes;
  readonly #grants: Iterator<Grant>;
  #missing: Set<string> | undefined;
  #seen: Set<Role> | undefined;

  constructor(index: RoleIndex, attributes: Attributes) {
    this.#index = index;
    this.#attributes = attributes;
    this.#grants = index.select(attributes.user, attributes.namespace);
  }

  decide(): Decision | Promise<Decision> {
    let room = charactersInTurn;
    for (let next = this.#grants.next(); next.done !== true; next = this.#grants.next()) {
      const grant = next.value;
      const role = this.#index.roleOf(grant);
      room -= charactersOfGrant;
      if (role === undefined) (this.#missing ??= new Set()).add(missingRole(grant));
      else if (this.#isNew(role)) {
        if (role.rules.some((rule) => ruleAllows(rule, this.#attributes))) {
          return { decision: 'allow', reason: `RBAC: allowed by ${describe(grant)}` };
        }
        room -= role.bytes;
      }
      if (room < 0) return new Promise<void>((resolve) => setImmediate(resolve)).then(() => this.decide());
    }
    if (this.#missing === undefined) return noOpinion;
    return { decision: 'no-opinion', reason: `RBAC: ${aggregateMessages([...this.#missing])}` };
  }

  /** A large role may be bound thousands of times: what it did not allow once it does not allow again. */
  #isNew(role: Role): boolean {
    if (role.rules.length < largeRole) return true;
    this.#seen ??= new Set();
    if (this.#seen.has(role)) return false;
    this.#seen.add(role);
    return true;
  }
}

function missingRole({ from: { roleRef } }: Grant): string {
  return `${roleRef.kind === 'ClusterRole' ? 'clusterrole' : 'role'}.${group} ${JSON.stringify(roleRef.name)} not found`;
}

/** `ClusterRoleBinding "x" of ClusterRole "y" to Group "z"` */
function describe({ subject, from: { namespace, name, roleRef } }: Grant): string {
  const who = subject.kind === 'ServiceAccount' ? `${subject.name}/${subject.namespace || namespace}` : subject.name;
  const named = namespace === '' ? `ClusterRoleBinding ${JSON.stringify(name)}` : `RoleBinding ${JSON.stringify(`${name}/${namespace}`)}`;
  return `${named} of ${roleRef.kind} ${JSON.stringify(roleRef.name)} to ${subject.kind} ${JSON.stringify(who)}`;
}

/** Rules that a review lists with those of a role again for each of its bindings, as upstream does; beyond them a role is listed once. */
const mostRepeatedRules = 20_000;
/** Characters of roles beyond which a review says that there are more rules than it lists. */
const mostCharacters = 8 * 1024 * 1024;

async function rulesOf(index: RoleIndex, grants: Iterable<Grant>): Promise<RulesOf> {
  const resourceRules: ResourceRule[] = [];
  const nonResourceRules: NonResourceRule[] = [];
  const errors = new Set<string>();
  const listed = new Set<Role>();
  const slices = new Slices();
  let room = mostCharacters;
  for (const grant of grants) {
    const role = index.roleOf(grant);
    if (role === undefined) errors.add(missingRole(grant));
    else if (resourceRules.length + nonResourceRules.length > mostRepeatedRules && listed.has(role)) continue;
    else listed.add(role);
    room -= role?.bytes ?? 0;
    if (room < 0) break;
    for (const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } of role?.rules ?? []) {
      if (resources?.length) {
        resourceRules.push({ verbs, ...(apiGroups && { apiGroups }), resources, ...(resourceNames && { resourceNames }) });
      }
      if (nonResourceURLs?.length) nonResourceRules.push({ verbs, nonResourceURLs });
    }
    const pause = slices.pause();
    if (pause !== undefined) await pause;
  }
  if (room < 0) errors.add('there are more rules than a review lists');
  return {
    resourceRules,
    nonResourceRules,
    incomplete: room < 0,
    ...(errors.size > 0 && { evaluationError: aggregateMessages([...errors]) }),
  };
}
