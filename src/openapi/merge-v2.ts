// Upstream: k8s.io/kube-openapi/pkg/aggregator/aggregator.go
import { deepEqual } from '../machinery/deep-equal.ts';
import type { DocumentPart, TableName } from './gnostic/document-tables.ts';

/** As much of an OpenAPI 2 document as merging looks at. */
export interface MergeableV2 {
  readonly paths?: Readonly<Record<string, object>>;
  readonly definitions?: Readonly<Record<string, Definition>>;
  readonly parameters?: Readonly<Record<string, object>>;
}

interface Definition {
  readonly [kindsKey]?: readonly Kind[];
  readonly [keyword: string]: unknown;
}

interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

const kindsKey = 'x-kubernetes-group-version-kind';
const definitionPrefix = '#/definitions/';
const parameterPrefix = '#/parameters/';

/** The paths that `keep` wants, and without the definitions that only others needed. */
export function filterPaths<T extends MergeableV2>(document: T, keep: (path: string) => boolean): T {
  const paths = Object.fromEntries(Object.entries(document.paths ?? {}).filter(([path]) => keep(path)));
  const filtered = { ...document, paths };
  const [before, after] = [usedDefinitions(document), usedDefinitions(filtered)];
  const definitions = Object.entries(document.definitions ?? {}).filter(([name]) => after.has(name) || !before.has(name));
  return { ...filtered, definitions: Object.fromEntries(definitions) };
}

/** What a document has under its names. Values are asked for only where another document has the same name. */
export interface Lookup {
  has(name: string): boolean;
  get(name: string): object | undefined;
}

export type LookupTables = Readonly<Record<TableName, Lookup>>;

/**
 * What another document adds to one, as entries that are new or take the place of those that are there. Paths that are there stay as they
 * are; what has the name of something else gets another. Undefined: nothing.
 */
export function mergedPart(document: LookupTables, other: MergeableV2): DocumentPart | undefined {
  const isNew = (path: string): boolean => !document.paths.has(path);
  const otherPaths = Object.keys(other.paths ?? {});
  if (!otherPaths.some(isNew)) return undefined;
  const added = otherPaths.every(isNew) ? other : filterPaths(other, isNew);
  const { definitions, parameters } = document;
  const renames = new Map([
    ...conflicts(definitionPrefix, definitions, added.definitions ?? {}, sameButKinds),
    ...conflicts(parameterPrefix, parameters, added.parameters ?? {}, deepEqual),
  ]);
  const renamed = renames.size === 0 ? added : (rename(added, renames) as MergeableV2);
  return {
    paths: renamed.paths ?? {},
    definitions: mergeDefinitions(definitions, renamed.definitions ?? {}),
    parameters: Object.fromEntries(Object.entries(renamed.parameters ?? {}).filter(([name]) => !parameters.has(name))),
  };
}

function usedDefinitions(document: MergeableV2): Set<string> {
  const used = new Set<string>();
  const seen = new Set<string>();
  const follow = (reference: string): void => {
    if (seen.has(reference)) return;
    seen.add(reference);
    if (reference.startsWith(definitionPrefix)) {
      const name = reference.slice(definitionPrefix.length);
      used.add(name);
      visit(document.definitions?.[name], follow);
    } else if (reference.startsWith(parameterPrefix)) {
      visit(document.parameters?.[reference.slice(parameterPrefix.length)], follow);
    }
  };
  visit(document.paths, follow);
  visit(document.parameters, follow);
  return used;
}

/** Calls with every reference inside of a value. */
function visit(value: unknown, found: (reference: string) => void): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (key === '$ref' && typeof member === 'string') found(member);
    else visit(member, found);
  }
}

/** `#/definitions/name` → `#/definitions/name_v2`, where the name stands for something else already. */
function* conflicts<V extends object>(
  prefix: string,
  existing: Lookup,
  added: Readonly<Record<string, V>>,
  same: (a: V, b: V) => boolean,
): Generator<readonly [string, string]> {
  const taken = new Set<string>();
  for (const [name, value] of Object.entries(added)) {
    const known = existing.get(name) as V | undefined;
    if (known === undefined || same(known, value)) continue;
    const isFree = (candidate: string): boolean => {
      const there = existing.get(candidate) as V | undefined;
      // An earlier document may have brought the same under that very name.
      return there === undefined ? !taken.has(candidate) && !Object.hasOwn(added, candidate) : same(there, value);
    };
    let number = 2;
    while (!isFree(`${name}_v${number}`)) number++;
    taken.add(`${name}_v${number}`);
    yield [prefix + name, `${prefix}${name}_v${number}`];
  }
}

function rename(document: MergeableV2, renames: ReadonlyMap<string, string>): unknown {
  const references = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(references);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [
        key,
        key === '$ref' && typeof member === 'string' ? (renames.get(member) ?? member) : references(member),
      ]),
    );
  };
  const names = (prefix: string, table: object = {}): object =>
    Object.fromEntries(
      Object.entries(table).map(([name, value]) => [renames.get(prefix + name)?.slice(prefix.length) ?? name, references(value)]),
    );
  return {
    paths: references(document.paths),
    definitions: names(definitionPrefix, document.definitions),
    parameters: names(parameterPrefix, document.parameters),
  };
}

function mergeDefinitions(existing: Lookup, added: Readonly<Record<string, Definition>>): Record<string, Definition> {
  const merged: Record<string, Definition> = {};
  for (const [name, definition] of Object.entries(added)) {
    const known = existing.get(name) as Definition | undefined;
    const next = known === undefined ? definition : withKinds(known, definition[kindsKey] ?? []);
    if (next !== known) merged[name] = next;
  }
  return merged;
}

/** A type that several servers have stands for the kinds of all of them. */
function withKinds(definition: Definition, more: readonly Kind[]): Definition {
  const known = definition[kindsKey] ?? [];
  const keys = new Set(known.map(keyOf));
  const news = more.filter((kind) => !keys.has(keyOf(kind)));
  if (news.length === 0) return definition;
  return { ...definition, [kindsKey]: [...known, ...news].toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)) };
}

function keyOf({ group, version, kind }: Kind): string {
  return `${group}/${version}.${kind}`;
}

function sameButKinds(a: Definition, b: Definition): boolean {
  return deepEqual({ ...a, [kindsKey]: undefined }, { ...b, [kindsKey]: undefined });
}
