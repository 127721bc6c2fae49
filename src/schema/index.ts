import type { GroupVersion, GroupVersionKind, StructType } from '../machinery/type-model.ts';
import { tables as builtInTables } from './generated/index.ts';
import type { TableSource } from './generated/index.ts';
import { StructBuilder } from './struct-builder.ts';
import type { Lifecycle, Table } from './table-format.ts';

/** Every built-in API type. Tables are parsed and types are made when first asked for. */
export interface Schema {
  /** The type of a kind; options and watch events are known in every group version, as upstream registers them. */
  typeOf(gvk: GroupVersionKind): StructType | undefined;
  listTypeOf(gvk: GroupVersionKind): StructType | undefined;
  /** When a kind came, is discouraged and goes. */
  lifecycleOf(gvk: GroupVersionKind): Lifecycle | undefined;
  /** By OpenAPI name, e.g. `io.k8s.api.core.v1.Pod`. */
  structByName(name: string): StructType | undefined;
  /** Every declared group version, served or not. */
  groupVersions(): readonly GroupVersion[];
  kindsOf(gv: GroupVersion): readonly string[];
}

/** Kinds of meta/v1 that belong to every group version. */
const commonKinds: ReadonlySet<string> = new Set([
  'WatchEvent',
  'ListOptions',
  'GetOptions',
  'DeleteOptions',
  'CreateOptions',
  'UpdateOptions',
  'PatchOptions',
]);

/** Kinds of meta/v1 that are known as `v1`, without a group. */
const unversionedKinds: ReadonlySet<string> = new Set(['Status', 'APIVersions', 'APIGroupList', 'APIGroup', 'APIResourceList']);

export function createSchema(tables: readonly TableSource[] = builtInTables): Schema {
  const sources = new Map(tables.map((source) => [source.id, source]));
  const idOfGroupVersion = new Map(tables.map(({ id, group, version }) => [`${group}/${version}`, id]));
  const idOfPackage = new Map(tables.map((source) => [source.package, source.id]));
  const builders = new Map<string, StructBuilder>();

  function builder(id: string): StructBuilder {
    let known = builders.get(id);
    if (known === undefined) {
      const source = sources.get(id);
      if (source === undefined) throw new Error(`no table ${id}`);
      builders.set(id, (known = new StructBuilder(JSON.parse(source.text) as Table, builder)));
    }
    return known;
  }

  function typeOf({ group, version, kind }: GroupVersionKind): StructType | undefined {
    const id = idOfGroupVersion.get(`${group}/${version}`);
    if (id === undefined) return undefined;
    const found = builder(id);
    const reference = own(found.table.kinds, kind);
    if (reference !== undefined) return found.struct(reference);
    if (commonKinds.has(kind) || (group === '' && unversionedKinds.has(kind))) return builder('meta-v1').struct(kind);
    return undefined;
  }

  return {
    typeOf,
    listTypeOf: (gvk) => typeOf({ ...gvk, kind: `${gvk.kind}List` }),
    lifecycleOf({ group, version, kind }) {
      const id = idOfGroupVersion.get(`${group}/${version}`);
      return id === undefined ? undefined : own(builder(id).table.lifecycles, kind);
    },
    structByName(name) {
      const dot = name.lastIndexOf('.');
      const id = idOfPackage.get(name.slice(0, dot));
      return id === undefined ? undefined : builder(id).struct(name.slice(dot + 1));
    },
    groupVersions: () => tables.filter(({ version }) => version !== '').map(({ group, version }) => ({ group, version })),
    kindsOf({ group, version }) {
      const id = idOfGroupVersion.get(`${group}/${version}`);
      return id === undefined ? [] : Object.keys(builder(id).table.kinds);
    },
  };
}

/** Kinds come from clients: `constructor` is no kind. */
function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
