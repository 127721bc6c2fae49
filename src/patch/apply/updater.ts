// Upstream: structured-merge-diff merge/update.go
import type { Managed, Owner } from '../managed-fields.ts';
import { compareObjects } from './compare.ts';
import type { Comparison } from './compare.ts';
import { LEAF, difference, isEmpty, union } from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import type { JsonObject } from '../json-object.ts';
import { reconcileSet } from './reconcile.ts';
import type { Shape } from './shape.ts';

/** Fields that a kind does not let a request set: they never come to be owned through it. */
export type FieldFilter = (set: FieldSet) => FieldSet;

/** An object in one of its versions, with what that version says about merging. */
export interface VersionView {
  readonly shape: Shape;
  /** Throws where the conversion fails. */
  readonly convert: (object: JsonObject) => JsonObject;
  readonly filter: FieldFilter | undefined;
}

/** The versions that owners may speak; undefined for one that is not known any more: its owners are forgotten. */
export type VersionViews = (apiVersion: string) => VersionView | undefined;

/** What an update leaves to each owner: all but what it changed or removed. Owners left with nothing go. */
export function releaseFields(managed: Managed, changes: Changes): void {
  for (const [identifier, owner] of managed) {
    const comparison = changes.in(owner.apiVersion);
    if (comparison === undefined) {
      managed.delete(identifier);
      continue;
    }
    const fields = difference(difference(owner.fields, comparison.changed), comparison.removed);
    if (isEmpty(fields)) managed.delete(identifier);
    else if (fields !== owner.fields) managed.set(identifier, { ...owner, fields });
  }
}

/** What a write changed, as each version sees it. Compared when first asked for. */
export class Changes {
  readonly #known = new Map<string, Comparison>();
  readonly #views: VersionViews;
  readonly #before: JsonObject;
  readonly #after: JsonObject;

  constructor(views: VersionViews, before: JsonObject, after: JsonObject) {
    this.#views = views;
    this.#before = before;
    this.#after = after;
  }

  in(apiVersion: string): Comparison | undefined {
    const known = this.#known.get(apiVersion);
    if (known !== undefined) return known;
    const view = this.#views(apiVersion);
    if (view === undefined) return undefined;
    const found = compareObjects(view.shape, view.convert(this.#before), view.convert(this.#after));
    const { filter } = view;
    const comparison = filter === undefined ? found : { changed: filter(found.changed), removed: filter(found.removed) };
    this.#known.set(apiVersion, comparison);
    return comparison;
  }
}

/** Owners as today's schema sees them; those of forgotten versions go. */
export function reconcileOwners(managed: Managed, views: VersionViews): void {
  for (const [identifier, owner] of managed) {
    const view = views(owner.apiVersion);
    if (view === undefined) {
      managed.delete(identifier);
      continue;
    }
    const fields = reconcileSet(view.shape, owner.fields);
    if (fields !== owner.fields) managed.set(identifier, { ...owner, fields });
  }
}

/** Adds fields to an owner, who speaks the version of its latest write. */
export function addOwnership(managed: Managed, identifier: string, owner: Owner): void {
  const previous = managed.get(identifier);
  managed.set(identifier, { ...owner, fields: union(owner.fields, previous?.fields ?? LEAF) });
}
