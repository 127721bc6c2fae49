// Upstream: k8s.io/kubernetes/pkg/registry/rbac/rest/storage_rbac.go, k8s.io/component-helpers/auth/rbac/reconciliation/reconcile_{role,rolebindings}.go
import { deepEqual, semanticDeepEqual } from '../../machinery/deep-equal.ts';
import { isReason } from '../../machinery/errors.ts';
import type { ClusterRole, ClusterRoleBinding, PolicyRule } from '../../schema/types/rbac-v1.ts';
import type { Permission } from '../../apis/common/rbac/coverage.ts';
import { missingPermissions } from '../../apis/common/rbac/coverage.ts';
import type { FeatureGates } from '../../server/registry/features.ts';
import type { ObjectReader } from '../../server/registry/object-reader.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { ServerWriter } from '../../server/registry/server-writer.ts';
import type { BootstrapHook } from './bootstrap-hook.ts';
import { rbacPolicy } from './rbac-policy.generated.ts';
import { ensureNamespace } from './system-namespaces.ts';

type RoleObject = ClusterRole & KubeObject;
type BindingObject = ClusterRoleBinding & KubeObject;
type Expected = KubeObject & { readonly kind: string };

const group = 'rbac.authorization.k8s.io';
/** `false`: an administrator wants it to stay as it is */
const autoUpdate = 'rbac.authorization.kubernetes.io/autoupdate';
const plurals: Readonly<Record<string, string>> = {
  ClusterRole: 'clusterroles',
  ClusterRoleBinding: 'clusterrolebindings',
  Role: 'roles',
  RoleBinding: 'rolebindings',
};
/** What one object was in earlier releases, several are now: the new one begins as the old one is. */
const movedRoles = { admin: 'system:aggregate-to-admin', edit: 'system:aggregate-to-edit', view: 'system:aggregate-to-view' };
const splitBindings = { 'system:discovery': 'system:public-info-viewer' };

/** Default roles and bindings: made where they are missing, and given back what they lack. What others have added stays. */
export function rbacRolesHook(writer: ServerWriter, { reader, features }: { reader: ObjectReader; features: FeatureGates }): BootstrapHook {
  return {
    name: 'rbac/bootstrap-roles',
    begin: async () => {
      const templates = rbacPolicy.slice(1, -1).split(',\n');
      const defaults = [...templates.map(defaultOf), ...rolesOfFeatures(features).map((expected) => ({ expected }))];
      const roles = new DefaultRoles(writer, reader);
      await roles.takeOver(defaults.map(({ expected }) => expected));
      await Promise.all(defaults.map((one) => roles.reconcile(one)));
    },
    run: async () => {},
  };
}

interface Default {
  readonly expected: Expected;
  /** how it is stored; undefined: rules are to make that of it */
  readonly template?: string;
}

function defaultOf(template: string): Default {
  const { apiVersion: _, metadata, ...fields } = JSON.parse(template) as Expected;
  const { uid: __, creationTimestamp: ___, managedFields: ____, ...rest } = metadata;
  return { expected: { ...fields, metadata: rest }, template };
}

/** Roles of controllers that not every cluster has. */
function rolesOfFeatures(features: FeatureGates): Expected[] {
  if (!features.enabled('StorageVersionAPI') || !features.enabled('APIServerIdentity')) return [];
  const name = 'system:controller:storage-version-garbage-collector';
  const metadata = { name, labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' }, annotations: { [autoUpdate]: 'true' } };
  const storageVersions = 'internal.apiserver.k8s.io';
  const rules = [
    { verbs: ['get', 'list', 'watch'], apiGroups: ['coordination.k8s.io'], resources: ['leases'] },
    {
      verbs: ['delete', 'get', 'list', 'patch', 'update', 'watch'],
      apiGroups: [storageVersions],
      resources: ['storageversions'],
    },
    { verbs: ['get', 'patch', 'update'], apiGroups: [storageVersions], resources: ['storageversions/status'] },
  ];
  const subjects = [{ kind: 'ServiceAccount', name: 'storage-version-garbage-collector', namespace: 'kube-system' }];
  const roleRef = { apiGroup: group, kind: 'ClusterRole', name };
  return [
    { kind: 'ClusterRole', metadata, rules },
    { kind: 'ClusterRoleBinding', metadata, subjects, roleRef },
  ];
}

class DefaultRoles {
  readonly #writer: ServerWriter;
  readonly #reader: ObjectReader;

  constructor(writer: ServerWriter, reader: ObjectReader) {
    this.#writer = writer;
    this.#reader = reader;
  }

  async takeOver(expected: readonly Expected[]): Promise<void> {
    for (const [old, name] of Object.entries(movedRoles)) {
      const role = await this.#current<RoleObject>('clusterroles', '', old);
      if (role === undefined || role.aggregationRule !== undefined) continue;
      const { labels = {}, annotations = {} } = role.metadata;
      await this.#writer.ensure(group, 'clusterroles', { metadata: { name, labels, annotations }, rules: role.rules });
    }
    for (const [old, name] of Object.entries(splitBindings)) {
      const binding = await this.#current<BindingObject>('clusterrolebindings', '', old);
      const template = expected.find(({ kind, metadata }) => kind === 'ClusterRoleBinding' && metadata.name === name);
      if (binding === undefined || template === undefined) continue;
      const { labels = {}, annotations = {} } = binding.metadata;
      const { kind: _, ...rest } = template;
      const { subjects = [] } = binding;
      await this.#writer.ensure(group, 'clusterrolebindings', { ...rest, subjects, metadata: { name, labels, annotations } });
    }
  }

  async reconcile({ expected: { kind, ...expected }, template }: Default): Promise<void> {
    const plural = plurals[kind] as string;
    const { namespace = '', name = '' } = expected.metadata;
    const existing = await this.#current<KubeObject>(plural, namespace, name);
    if (existing === undefined) return this.#create(plural, expected, template);
    if (existing.metadata.annotations?.[autoUpdate] === 'false' || isWhole(existing, expected)) return;
    const next = structuredClone(existing);
    next.metadata.labels = { ...expected.metadata.labels, ...existing.metadata.labels };
    next.metadata.annotations = { ...expected.metadata.annotations, ...existing.metadata.annotations };
    if (kind.endsWith('Role')) await completeRole(next as RoleObject, expected as RoleObject);
    else if (deepEqual(existing['roleRef'], expected['roleRef'])) completeBinding(next as BindingObject, expected as BindingObject);
    else {
      await this.#remove(plural, namespace, name);
      return this.#create(plural, expected);
    }
    if (semanticDeepEqual(next, existing)) return;
    const { metadata, ...fields } = next;
    await this.#writer.change(group, plural, metadata, (live) => {
      for (const field of Object.keys(live)) if (field !== 'metadata' && !(field in fields)) delete live[field];
      Object.assign(live, fields);
      live.metadata.labels = { ...metadata.labels };
      live.metadata.annotations = { ...metadata.annotations };
    });
  }

  async #create(plural: string, expected: KubeObject, template?: string): Promise<void> {
    const { namespace } = expected.metadata;
    if (namespace !== undefined) await ensureNamespace(this.#writer, namespace);
    if (template === undefined) await this.#writer.ensure(group, plural, expected);
    else await this.#writer.ensureStored(group, plural, template);
  }

  /** What a binding refers to cannot be changed. Another server may have been faster. */
  async #remove(plural: string, namespace: string, name: string): Promise<void> {
    try {
      await this.#writer.delete(this.#reader.resource(group, plural), namespace, name);
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error;
    }
  }

  async #current<T extends KubeObject>(plural: string, namespace: string, name: string): Promise<T | undefined> {
    const { store } = this.#reader.resource(group, plural);
    const entry = await store.getCurrent(namespace, name);
    return entry && (store.parse(entry) as T);
  }
}

/** Nothing is missing, and nothing was added either: so are almost all of them when a server starts again. */
function isWhole(existing: KubeObject, { metadata, ...fields }: KubeObject): boolean {
  const { labels = {}, annotations = {} } = existing.metadata;
  if (!Object.keys(metadata.labels ?? {}).every((key) => Object.hasOwn(labels, key))) return false;
  if (!Object.keys(metadata.annotations ?? {}).every((key) => Object.hasOwn(annotations, key))) return false;
  return ['rules', 'aggregationRule', 'roleRef', 'subjects'].every((field) => deepEqual(existing[field], fields[field]));
}

async function completeRole(role: RoleObject, expected: RoleObject): Promise<void> {
  const { permissions } = await missingPermissions(role.rules ?? [], expected.rules ?? []);
  if (permissions.length > 0) role.rules = [...(role.rules ?? []), ...permissions.map(ruleOf)];
  if (expected.aggregationRule === undefined) {
    delete role.aggregationRule;
    return;
  }
  const present = role.aggregationRule?.clusterRoleSelectors ?? [];
  const wanted = expected.aggregationRule.clusterRoleSelectors ?? [];
  const missing = wanted.filter((selector) => !present.some((one) => semanticDeepEqual(one, selector)));
  if (missing.length > 0) role.aggregationRule = { clusterRoleSelectors: [...present, ...missing] };
}

function ruleOf({ verb, group: of, resource, resourceName, url }: Permission): PolicyRule {
  if (url !== undefined) return { verbs: [verb], nonResourceURLs: [url] };
  return {
    verbs: [verb],
    apiGroups: [of ?? ''],
    resources: [resource ?? ''],
    ...(resourceName !== undefined && { resourceNames: [resourceName] }),
  };
}

function completeBinding(binding: BindingObject, { subjects: wanted = [] }: BindingObject): void {
  const present = binding.subjects ?? [];
  const missing = wanted.filter((subject) => !present.some((one) => deepEqual(one, subject)));
  if (missing.length > 0) binding.subjects = [...present, ...missing];
}
