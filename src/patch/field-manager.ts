// Upstream: apimachinery pkg/util/managedfields/internal/{fieldmanager,managedfieldsupdater,skipnonapplied,stripmeta,structuredmerge}.go
import { apiVersionOf } from '../machinery/type-model.ts';
import type { GroupVersionKind, StructType, Type } from '../machinery/type-model.ts';
import { difference, fieldSet, isEmpty, recursiveDifference } from './apply/field-set.ts';
import type { FieldSet } from './apply/field-set.ts';
import { isObject } from './json-object.ts';
import type { JsonObject } from './json-object.ts';
import { DEDUCED } from './apply/shape.ts';
import type { Shape, Shapes } from './apply/shape.ts';
import { Changes, addOwnership, reconcileOwners, releaseFields } from './apply/updater.ts';
import type { VersionView } from './apply/updater.ts';
import { ElementCheck, validateShape } from './apply/validate.ts';
import { zeroObject } from './apply/zero-value.ts';
import { capUpdateManagers } from './cap-managers.ts';
import { decodeManagedFields, encodeManagedFields, ownerIdentifier } from './managed-fields.ts';
import type { Managed, ManagedFieldsEntry, Owner } from './managed-fields.ts';

/** The other versions of a kind, for owners that speak them. */
export interface VersionConverter {
  /** Undefined for a version that is not known. */
  typeOf(apiVersion: string): Type | undefined;
  /**
   * Throws where conversion fails. Nothing has been changed by then, so that a conversion that has to wait for somebody may throw,
   * and the whole be called again once its result is known.
   */
  convert(object: JsonObject, apiVersion: string): JsonObject;
}

export interface FieldManagerOptions {
  readonly shapes: Shapes;
  readonly gvk: GroupVersionKind;
  /** Undefined for a custom resource without a schema. */
  readonly type: StructType | undefined;
  /** `status`, `scale`; empty for the resource itself */
  readonly subresource?: string;
  /** Custom resources: objects are not decoded by their type, so their form has to be checked. */
  readonly unstructured?: boolean;
  /** Fields that the strategy resets, by version. */
  readonly resetFields?: ReadonlyMap<string, FieldSet>;
  readonly versions?: VersionConverter;
}

export interface FieldUpdate {
  /** The stored object; undefined for a create. */
  readonly live: JsonObject | undefined;
  /** The object to be stored; its metadata.managedFields is set. */
  readonly next: JsonObject;
  readonly manager: string;
  /** canonical metav1.Time */
  readonly now: string;
}

/** Never part of a set, because every write touches them or nobody can change them. */
const STRIPPED = fieldSet(
  ['f:apiVersion'],
  ['f:kind'],
  ['f:metadata'],
  ...['name', 'namespace', 'creationTimestamp', 'selfLink', 'uid', 'clusterName', 'generation', 'managedFields', 'resourceVersion'].map(
    (name) => ['f:metadata', `f:${name}`],
  ),
);

/** Keeps metadata.managedFields of one resource, in one version, true. */
export class FieldManager {
  readonly #options: FieldManagerOptions;
  readonly #apiVersion: string;
  readonly #shape: Shape;
  readonly #zero: JsonObject;
  readonly #elements = new ElementCheck();
  readonly #views = new Map<string, VersionView>();

  constructor(options: FieldManagerOptions) {
    const { gvk, type, shapes } = options;
    this.#options = options;
    this.#apiVersion = apiVersionOf(gvk);
    this.#shape = type === undefined ? DEDUCED : shapes.of(type);
    const header = { apiVersion: this.#apiVersion, kind: gvk.kind };
    this.#zero = type === undefined || options.unstructured === true ? header : { ...zeroObject(type), ...header };
  }

  /** After a create, update or patch: whoever made the request owns what it changed. */
  update({ live, next, manager, now }: FieldUpdate): void {
    const metadata = next['metadata'];
    if (!isObject(metadata)) return;
    const before = live ?? this.#zero;
    const managed = this.#currentOwners(managedFieldsOf(live), metadata['managedFields']);
    const bare = withoutManagedFields(next, metadata);
    if (managed.size > 0 || !hasUid(live)) {
      try {
        this.#track(before, bare, managed, manager, now);
      } catch (error) {
        // As upstream: a write is not refused because its ownership cannot be told.
        if (!(error instanceof Error)) throw error;
        return setManagedFields(next, metadata, managedFieldsOf(live) as ManagedFieldsEntry[] | undefined);
      }
    }
    setManagedFields(next, metadata, encodeManagedFields(managed));
  }

  /** The owners to start from: those that the request states, unless it is one for a subresource, or states none that make sense. */
  #currentOwners(live: unknown, requested: unknown): Managed {
    const isSubresource = (this.#options.subresource ?? '') !== '';
    if (!isSubresource && Array.isArray(requested)) {
      if (isReset(requested)) return new Map();
      const managed = decodeOrNone(requested);
      if (managed.size > 0) return managed;
    }
    return decodeOrNone(live);
  }

  #track(before: JsonObject, after: JsonObject, managed: Managed, manager: string, now: string): void {
    this.#check(after);
    this.#check(before);
    const views = (apiVersion: string) => this.#view(apiVersion);
    const changes = new Changes(views, before, after);
    if (managed.size > 0) {
      reconcileOwners(managed, views);
      releaseFields(managed, changes);
    }
    const fields = difference(changes.in(this.#apiVersion)!.changed, STRIPPED);
    if (!isEmpty(fields)) {
      const owner = this.#owner(manager, 'Update', fields, now);
      addOwnership(managed, ownerIdentifier(owner), owner);
    }
    capUpdateManagers(managed);
  }

  #check(object: JsonObject): void {
    if (this.#options.unstructured === true) validateShape(this.#shape, object, { allowDuplicates: true });
    else this.#elements.check(this.#shape, object);
  }

  #owner(manager: string, operation: Owner['operation'], fields: FieldSet, time: string): Owner {
    const subresource = this.#options.subresource ?? '';
    return { manager: manager === '' ? 'unknown' : manager, operation, subresource, apiVersion: this.#apiVersion, fields, time };
  }

  #view(apiVersion: string): VersionView | undefined {
    const known = this.#views.get(apiVersion);
    if (known !== undefined) return known;
    const view = this.#makeView(apiVersion);
    if (view !== undefined) this.#views.set(apiVersion, view);
    return view;
  }

  #makeView(apiVersion: string): VersionView | undefined {
    const { shapes, versions, resetFields } = this.#options;
    const reset = resetFields?.get(apiVersion);
    const filter = reset === undefined ? undefined : (set: FieldSet) => recursiveDifference(set, reset);
    if (apiVersion === this.#apiVersion) return { shape: this.#shape, convert: (object) => object, filter };
    const type = versions?.typeOf(apiVersion);
    if (type === undefined) return undefined;
    return { shape: shapes.of(type), convert: (object) => versions!.convert(object, apiVersion), filter };
  }
}

function managedFieldsOf(object: JsonObject | undefined): unknown {
  const metadata = object?.['metadata'];
  return isObject(metadata) ? metadata['managedFields'] : undefined;
}

function hasUid(object: JsonObject | undefined): boolean {
  const metadata = object?.['metadata'];
  return isObject(metadata) && typeof metadata['uid'] === 'string' && metadata['uid'] !== '';
}

/** `[]` and `[{}]` ask for a fresh start. */
function isReset(entries: readonly unknown[]): boolean {
  if (entries.length === 0) return true;
  return entries.length === 1 && isObject(entries[0]) && Object.keys(entries[0]).length === 0;
}

function decodeOrNone(entries: unknown): Managed {
  if (!Array.isArray(entries)) return new Map();
  try {
    return decodeManagedFields(entries as ManagedFieldsEntry[]);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // As upstream: what cannot be read counts as not managed.
    return new Map();
  }
}

function withoutManagedFields(object: JsonObject, metadata: JsonObject): JsonObject {
  if (metadata['managedFields'] === undefined) return object;
  const { managedFields: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}

function setManagedFields(object: JsonObject, metadata: JsonObject, entries: readonly ManagedFieldsEntry[] | undefined): void {
  if (entries !== undefined) metadata['managedFields'] = entries;
  else if (metadata['managedFields'] !== undefined) {
    const { managedFields: _, ...rest } = metadata;
    object['metadata'] = rest;
  }
}
