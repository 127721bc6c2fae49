// Upstream: sigs.k8s.io/structured-merge-diff/v6/merge/update.go
import type { Steps } from '../../base/steps.ts';
import type { FieldTexts } from '../../machinery/codec/json/field-texts.ts';
import { isObject } from '../json/json-object.ts';
import type { JsonObject } from '../json/json-object.ts';
import type { Managed, Manager } from './managed-fields.ts';
import { compareObjects, comparingObjects } from './compare.ts';
import type { Comparison } from './compare.ts';
import { leaf, difference, includes, intersection, isEmpty, paths, union } from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import { reconcileSet } from './reconcile.ts';
import { converting } from './versions.ts';
import type { Versions } from './versions.ts';

/** A field that another manager owns, and that an apply would change. */
export interface FieldConflict {
  readonly manager: Manager;
  readonly identifier: string;
  readonly path: readonly string[];
}

export class ConflictError extends Error {
  override readonly name = 'ConflictError';
  readonly conflicts: readonly FieldConflict[];

  constructor(conflicts: readonly FieldConflict[]) {
    super(`${conflicts.length} conflicts`);
    this.conflicts = conflicts;
  }
}

/** What a write changed, as each version sees it. Compared when first asked for. */
export class Changes {
  readonly #known = new Map<string, Comparison>();
  readonly #versions: Versions;
  readonly #before: JsonObject;
  readonly #after: JsonObject;
  readonly #isLarge: boolean;

  /** @param isLarge the comparison itself pauses */
  constructor(versions: Versions, before: JsonObject, after: JsonObject, isLarge: boolean) {
    this.#versions = versions;
    this.#before = before;
    this.#after = after;
    this.#isLarge = isLarge;
  }

  /** Undefined for a version that is not known any more. */
  *in(apiVersion: string): Steps<Comparison | undefined> {
    const known = this.#known.get(apiVersion);
    if (known !== undefined) return known;
    const shape = this.#versions.shapeOf(apiVersion);
    if (shape === undefined) return undefined;
    const before = converting('failed to convert old object', () => this.#versions.convert(this.#before, apiVersion));
    if (before !== this.#before) yield;
    const after = converting('failed to convert new object', () => this.#versions.convert(this.#after, apiVersion));
    if (after !== this.#after) yield;
    const found = this.#isLarge ? yield* comparingObjects(shape, before, after) : compareObjects(shape, before, after);
    const filter = this.#versions.filterOf(apiVersion);
    const comparison = filter === undefined ? found : { changed: filter(found.changed), removed: filter(found.removed) };
    this.#known.set(apiVersion, comparison);
    return comparison;
  }
}

/** Takes from every other manager what a write changed or removed. Managers left with nothing go, as do those of forgotten versions. */
export function* releaseFields(managed: Managed, changes: Changes, writer?: string): Steps<void> {
  for (const [identifier, manager] of managed) {
    const comparison = identifier === writer ? nothing : yield* changes.in(manager.apiVersion);
    const fields = comparison === undefined ? leaf : difference(difference(manager.fields, comparison.changed), comparison.removed);
    if (isEmpty(fields)) managed.delete(identifier);
    else if (fields !== manager.fields) managed.set(identifier, { ...manager, fields });
    yield;
  }
}

const nothing: Comparison = { changed: leaf, removed: leaf };

/** The fields of others that a write changes. */
export function* findConflicts(managed: Managed, changes: Changes, writer: string): Steps<FieldConflict[]> {
  const conflicts: FieldConflict[] = [];
  for (const identifier of [...managed.keys()].sort()) {
    if (identifier === writer) continue;
    const manager = managed.get(identifier)!;
    const comparison = yield* changes.in(manager.apiVersion);
    if (comparison === undefined) continue;
    yield;
    for (const path of paths(intersection(manager.fields, comparison.changed))) conflicts.push({ manager, identifier, path });
  }
  return conflicts;
}

/** Managers as today's schema sees them; those of forgotten versions go. The object must be one in every version that has a manager. */
export function* reconcileManagers(managed: Managed, versions: Versions, live: JsonObject, known?: FieldTexts): Steps<void> {
  if (versions.fallible) {
    const spoken = new Set([...managed.values()].map((manager) => manager.apiVersion));
    for (const apiVersion of spoken) {
      if (live['apiVersion'] === apiVersion || versions.shapeOf(apiVersion) === undefined) continue;
      versions.convert(live, apiVersion);
      yield;
    }
  }
  for (const [identifier, manager] of managed) {
    const shape = versions.shapeOf(manager.apiVersion);
    if (shape === undefined) {
      managed.delete(identifier);
      continue;
    }
    const facts = known?.about(manager.fields)?.facts;
    if (facts?.has(shape) === true) continue;
    const fields = reconcileSet(shape, manager.fields);
    if (fields !== manager.fields) managed.set(identifier, { ...manager, fields });
    else facts?.add(shape);
    yield;
  }
}

/** Adds fields to a manager, who speaks the version of its latest write. */
export function addOwnership(managed: Managed, identifier: string, manager: Manager): void {
  const previous = managed.get(identifier);
  managed.set(identifier, { ...manager, fields: union(manager.fields, previous?.fields ?? leaf) });
}

/** Whether a manager who changed what it owns alone, and removed nothing of it, owns the same as before. */
export function ownsSame(owned: FieldSet, changed: FieldSet, removed: FieldSet): boolean {
  return includes(owned, changed) && difference(owned, removed) === owned;
}

/** Every path that the managers of a version hold together, by version. */
export function ownedByVersion(managed: Managed): Map<string, FieldSet> {
  const owned = new Map<string, FieldSet>();
  for (const { apiVersion, fields } of managed.values()) owned.set(apiVersion, union(owned.get(apiVersion) ?? leaf, fields));
  return owned;
}

export function asObject(value: unknown): JsonObject {
  if (isObject(value)) return value;
  throw new Error('failed to convert value to unstructured for type <nil>');
}
