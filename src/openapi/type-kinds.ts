// Upstream: k8s.io/apiserver/pkg/endpoints/openapi/openapi.go#DefinitionNamer
import type { GroupVersion, GroupVersionKind } from '../machinery/type-model.ts';
import type { Schema } from '../schema/index.ts';

const common = ['DeleteOptions', 'WatchEvent'] as const;
const unversioned = ['Status', 'APIVersions', 'APIGroupList', 'APIGroup', 'APIResourceList'] as const;

/** Groups whose types come without options of their own. */
const withoutCommon: ReadonlySet<string> = new Set(['apidiscovery.k8s.io', 'audit.k8s.io', 'meta.k8s.io']);

/** Groups that upstream's own clients do not know; custom resources are described with what clients know. */
const unknownToClients: ReadonlySet<string> = new Set([
  'admission.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'imagepolicy.k8s.io',
]);

/** In which document a type is described. */
export type Place = GroupVersion | 'everything' | 'custom';

/** Which kinds a type stands for. Some stand for a kind in every group version. */
export class TypeKinds {
  readonly #kinds = new Map<string, GroupVersionKind[]>();

  constructor(schema: Schema) {
    for (const groupVersion of schema.groupVersions()) {
      const shared = withoutCommon.has(groupVersion.group) ? [] : common;
      for (const kind of [...schema.kindsOf(groupVersion), ...shared]) this.#add(schema, { ...groupVersion, kind });
    }
    for (const kind of unversioned) this.#add(schema, { group: '', version: 'v1', kind });
    for (const kinds of this.#kinds.values()) kinds.sort(byGroup);
  }

  /** In the document of a group version, kinds of others are left out where there are several. */
  of(type: string, place: Place): readonly GroupVersionKind[] {
    const all = this.#kinds.get(type) ?? [];
    if (place === 'everything' || all.length < 2) return all;
    if (place === 'custom') return all.filter(({ group }) => !unknownToClients.has(group));
    return all.filter(({ group, version }) => (group === '' && version === 'v1') || (group === place.group && version === place.version));
  }

  #add(schema: Schema, gvk: GroupVersionKind): void {
    const type = schema.typeOf(gvk);
    if (type === undefined) return;
    const known = this.#kinds.get(type.name);
    if (known === undefined) this.#kinds.set(type.name, [gvk]);
    else if (!known.some(({ group, version, kind }) => group === gvk.group && version === gvk.version && kind === gvk.kind))
      known.push(gvk);
  }
}

function byGroup(a: GroupVersionKind, b: GroupVersionKind): number {
  return compare(a.group, b.group) || compare(a.version, b.version) || compare(a.kind, b.kind);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
