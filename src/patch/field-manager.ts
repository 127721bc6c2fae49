// Upstream: k8s.io/apimachinery/pkg/util/managedfields/internal/{fieldmanager,managedfieldsupdater,skipnonapplied,stripmeta,structuredmerge}.go
import { apiVersionOf } from '../machinery/type-model.ts';
import type { GroupVersionKind, StructType, Type } from '../machinery/type-model.ts';
import type { FieldTexts } from '../machinery/codec/json/field-texts.ts';
import { badRequest } from '../machinery/errors.ts';
import { equalValues } from './apply/equal.ts';
import { contains, difference, equalSets, fieldSet, isEmpty, recursiveDifference } from './apply/field-set.ts';
import type { FieldSet } from './apply/field-set.ts';
import { fieldSetOf } from './apply/field-set-of.ts';
import { ElementError } from './apply/list-element.ts';
import { Outlines } from './apply/outline.ts';
import { mergeObjects } from './apply/merge.ts';
import { pruneFields } from './apply/prune.ts';
import { allSteps } from '../base/steps.ts';
import type { Steps } from '../base/steps.ts';
import { isObject } from './json/json-object.ts';
import type { JsonObject } from './json/json-object.ts';
import { deducedShape } from './apply/shape.ts';
import type { Shape, Shapes } from './apply/shape.ts';
import { Changes, ConflictError, addOwnership, findConflicts, ownsSame, reconcileManagers, releaseFields } from './apply/updater.ts';
import { ConversionError, convertingInSteps } from './apply/versions.ts';
import type { FieldFilter, Versions } from './apply/versions.ts';
import { ElementCheck, ShapeError, validateShape } from './apply/validate.ts';
import { zeroObject } from './apply/zero-value.ts';
import { capUpdateManagers } from './cap-managers.ts';
import { conflictStatus } from './conflict.ts';
import { lastAppliedManager, fieldsLastApplied, withLastApplied } from './last-applied.ts';
import { ManagedFieldsError, decodeManagedFields, encodeManagedFields, managerIdentifier } from './apply/managed-fields.ts';
import type { Managed, ManagedFieldsEntry, Manager } from './apply/managed-fields.ts';

/** The other versions of a kind, for managers that speak them. */
export interface VersionConverter {
  /** Undefined for a version that is not known. */
  typeOf(apiVersion: string): Type | undefined;
  /**
   * Throws ConversionError where conversion fails. Anything else that is thrown comes out of the field manager, which has changed
   * nothing by then: a conversion that has to wait for a webhook may throw its promise, and all be called again once it is settled.
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
  /** sets of fields of stored objects */
  readonly fieldTexts?: FieldTexts | undefined;
  /** Called with why the managers of a write could not be determined, for the log. */
  readonly report?: (error: Error) => void;
}

export interface FieldUpdate {
  /** The stored object; undefined for a create. */
  readonly live: JsonObject | undefined;
  /** The object to be stored; its metadata.managedFields is set. */
  readonly next: JsonObject;
  readonly manager: string;
  /** canonical metav1.Time */
  readonly now: string;
  /** The request gave an empty list of managers to start afresh with, which decoding has left out of `next`. */
  readonly reset?: boolean;
  /** others may get their turn while it is compared */
  readonly isLarge?: boolean;
}

export interface ApplyRequest {
  /** The stored object; undefined where the apply creates it. */
  readonly live: JsonObject | undefined;
  /** What is applied, as it was sent. */
  readonly config: JsonObject;
  readonly manager: string;
  readonly force: boolean;
  /** canonical metav1.Time */
  readonly now: string;
  /** others may get their turn while it is compared */
  readonly isLarge?: boolean;
}

export interface Applied {
  /** The object with its metadata.managedFields. Has to be decoded by its type (nulls and unknown spellings) and defaulted. */
  readonly object: JsonObject;
  /** Nothing but the managers may differ from the live object. */
  readonly unchanged: boolean;
}

/** Never part of a set, because every write touches them or no write can change them. */
const stripped = fieldSet(
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
  readonly #versions: Versions;
  readonly #outlines: Outlines;

  constructor(options: FieldManagerOptions) {
    const { gvk, type, shapes } = options;
    this.#options = options;
    this.#apiVersion = apiVersionOf(gvk);
    this.#shape = type === undefined ? deducedShape : shapes.of(type);
    const header = { apiVersion: this.#apiVersion, kind: gvk.kind };
    this.#zero = type === undefined || options.unstructured === true ? header : { ...zeroObject(type), ...header };
    this.#versions = makeVersions(options, this.#apiVersion, this.#shape);
    this.#outlines = new Outlines(this.#shape, this.#zero);
  }

  /** After a create, update or patch: its manager owns what it changed. */
  update(update: FieldUpdate): void {
    allSteps(this.updating(update));
  }

  *updating({ live, next, manager, now, reset = false, isLarge = false }: FieldUpdate): Steps<void> {
    const metadata = next['metadata'];
    if (!isObject(metadata)) return;
    const before = live ?? this.#zero;
    const managed = this.#currentOwners(managedFieldsOf(live), reset ? [] : metadata['managedFields']);
    const bare = withoutManagedFields(next, metadata);
    yield;
    if (managed.size > 0 || !hasUid(live)) {
      try {
        yield* this.#track(before, bare, managed, manager, now, isLarge);
      } catch (error) {
        if (!isUntellable(error)) throw error;
        // As upstream: a write is not refused because its managers cannot be determined.
        this.#options.report?.(error);
        return setManagedFields(next, metadata, managedFieldsOf(live) as ManagedFieldsEntry[] | undefined);
      }
    }
    yield;
    setManagedFields(next, metadata, encodeManagedFields(managed));
  }

  /** Server-side apply. Throws an ApiError for conflicts and for what is not a configuration of this resource. */
  apply(request: ApplyRequest): Applied {
    return allSteps(this.applying(request));
  }

  *applying(request: ApplyRequest): Steps<Applied> {
    const { config, manager, force } = request;
    const expected = `${this.#options.gvk.group}/${this.#options.gvk.version}, Kind=${this.#options.gvk.kind}`;
    if (gvkOf(config) !== expected) throw badRequest(`invalid object type: ${gvkOf(config)}`);
    const live = request.live ?? this.#zero;
    const managed = wrapped('failed to decode managed fields', () =>
      decodeManagedFields(managedFieldsOf(live) as ManagedFieldsEntry[] | undefined, this.#options.fieldTexts),
    );
    yield;
    const applied = yield* this.#applyUnlessTaken({ ...request, live }, managed, force);
    return manager === lastAppliedManager ? { ...applied, object: withLastApplied(applied.object, config) } : applied;
  }

  /** Fields that kubectl's client-side apply set are not refused to kubectl's server-side apply. */
  *#applyUnlessTaken(request: ApplyRequest & { live: JsonObject }, managed: Managed, force: boolean): Steps<Applied> {
    try {
      return yield* this.#apply(request, new Map(managed), force);
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      yield;
      if (request.manager !== lastAppliedManager) throw yield* inTurn(conflictStatus(error.conflicts));
      const allowed = fieldsLastApplied(this.#shape, this.#apiVersion, request.live);
      const taken = allowed === undefined ? error.conflicts : error.conflicts.filter(({ path }) => !contains(allowed, path));
      if (taken.length > 0) throw yield* inTurn(conflictStatus(taken));
      return yield* this.#apply(request, new Map(managed), true);
    }
  }

  *#apply(request: ApplyRequest & { live: JsonObject }, managed: Managed, force: boolean): Steps<Applied> {
    const { live, config, manager, now, isLarge = false } = request;
    if (managed.size === 0) {
      try {
        yield* this.#track(this.#zero, live, managed, 'before-first-apply', now, isLarge);
      } catch (error) {
        throw inWords('failed to create manager for existing fields', error);
      }
      yield;
    }
    if (Array.isArray(managedFieldsOf(config))) throw badRequest('metadata.managedFields must be nil');
    const shape = this.#shape;
    wrapped(`failed to create typed patch object (${describeObject(config)})`, () =>
      validateShape(shape, config, { allowDuplicates: false }),
    );
    yield;
    wrapped(`failed to create typed live object (${describeObject(live)})`, () => this.#check(live));

    yield;
    yield* reconcileManagers(managed, this.#versions, live, this.#options.fieldTexts);
    yield;
    const stated = fieldSetOf(shape, config);
    const applier = this.#manager(manager, 'Apply', this.#versions.filterOf(this.#apiVersion)?.(stated) ?? stated, now);
    const identifier = managerIdentifier(applier);
    const last = managed.get(identifier);
    managed.set(identifier, applier);
    yield;
    const merged = mergeObjects(shape, live, config);
    yield;
    const object = yield* convertingInSteps('failed to prune fields', pruneFields(this.#versions, merged, managed, applier, last));

    yield;
    const changes = new Changes(this.#versions, live, object, isLarge);
    const conflicts = force ? [] : yield* findConflicts(managed, changes, identifier);
    if (conflicts.length > 0) throw new ConflictError(conflicts);
    yield;
    yield* releaseFields(managed, changes, identifier);
    yield;
    const unchanged = equalValues(live, object);
    const fields = difference(applier.fields, stripped);
    if (isEmpty(fields)) managed.delete(identifier);
    else {
      const owned = last !== undefined && equalSets(fields, last.fields) ? last.fields : fields;
      managed.set(identifier, { ...applier, fields: owned, time: unchanged ? last?.time : now });
    }
    return { object: withManagedFields(unchanged ? live : object, encodeManagedFields(managed)), unchanged };
  }

  /** The managers to start from: those that the request states, unless it is one for a subresource, or states none that make sense. */
  #currentOwners(live: unknown, requested: unknown): Managed {
    const isSubresource = (this.#options.subresource ?? '') !== '';
    if (!isSubresource && Array.isArray(requested)) {
      if (isReset(requested)) return new Map();
      const managed = decodeOrNone(requested, this.#options.fieldTexts);
      if (managed.size > 0) return managed;
    }
    return decodeOrNone(live, this.#options.fieldTexts);
  }

  #own(fields: FieldSet, managed: Managed, manager: string, now: string): void {
    if (isEmpty(fields)) return;
    const updater = this.#manager(manager, 'Update', fields, now);
    managed.set(managerIdentifier(updater), updater);
  }

  *#track(before: JsonObject, after: JsonObject, managed: Managed, manager: string, now: string, isLarge: boolean): Steps<void> {
    this.#check(after);
    yield;
    this.#check(before);
    yield;
    const changes = new Changes(this.#versions, before, after, isLarge);
    if (managed.size > 0) {
      yield* reconcileManagers(managed, this.#versions, before, this.#options.fieldTexts);
      yield;
    }
    const isNew = before === this.#zero && managed.size === 0 && !isLarge;
    const alike = isNew ? this.#outlines.fieldsOf(after) : undefined;
    if (alike !== undefined) return this.#own(alike, managed, manager, now);
    const { changed, removed } = (yield* changes.in(this.#apiVersion))!;
    yield;
    const fields = difference(changed, stripped);
    if (isNew) {
      const { fieldTexts } = this.#options;
      this.#outlines.add(after, () => fieldTexts?.share(fields) ?? fields);
      return this.#own(fields, managed, manager, now);
    }
    const updater = this.#manager(manager, 'Update', fields, now);
    const identifier = managerIdentifier(updater);
    const owned = managed.get(identifier)?.fields;
    // Most writers write the same fields again and again: their sets stay as they are, and so does what is known of them.
    const isSame = owned !== undefined && !isEmpty(fields) && difference(owned, stripped) === owned && ownsSame(owned, fields, removed);
    if (managed.size > 0) {
      yield* releaseFields(managed, changes, isSame ? identifier : undefined);
      yield;
    }
    if (isSame) managed.set(identifier, { ...updater, fields: owned });
    else if (!isEmpty(fields)) {
      yield;
      addOwnership(managed, identifier, updater);
    }
    yield;
    capUpdateManagers(managed);
  }

  #check(object: JsonObject): void {
    const describe = (): void => validateShape(this.#shape, object, { allowDuplicates: true });
    if (this.#options.unstructured === true) return describe();
    try {
      this.#elements.check(this.#shape, object);
    } catch (error) {
      // found by a quick look that does not know where it is
      if (error instanceof ElementError) describe();
      throw error;
    }
  }

  #manager(manager: string, operation: Manager['operation'], fields: FieldSet, time: string): Manager {
    const subresource = this.#options.subresource ?? '';
    return { manager: manager === '' ? 'unknown' : manager, operation, subresource, apiVersion: this.#apiVersion, fields, time };
  }
}

function makeVersions(options: FieldManagerOptions, apiVersion: string, shape: Shape): Versions {
  const { shapes, versions, resetFields, unstructured } = options;
  const filters = new Map<string, FieldFilter>();
  for (const [version, reset] of resetFields ?? []) filters.set(version, (set) => recursiveDifference(set, reset));
  const shapeOf = (version: string): Shape | undefined => {
    if (version === apiVersion) return shape;
    const type = versions?.typeOf(version);
    return type === undefined ? undefined : shapes.of(type);
  };
  return {
    fallible: unstructured === true,
    shapeOf,
    convert(object, version) {
      if (object['apiVersion'] === version || versions === undefined) return object;
      const converted = versions.convert(object, version);
      const converts = unstructured === true ? shapeOf(version) : undefined;
      // Conversion by name alone keeps fields that the other version does not have.
      if (converts !== undefined) validateShape(converts, converted, { allowDuplicates: true });
      return converted;
    },
    filterOf: (version) => filters.get(version),
  };
}

function gvkOf(object: JsonObject): string {
  const apiVersion = typeof object['apiVersion'] === 'string' ? object['apiVersion'] : '';
  const kind = typeof object['kind'] === 'string' ? object['kind'] : '';
  return `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${kind}`;
}

/** As errors name an object: namespace/name; group/version, Kind=kind. */
export function describeObject(object: JsonObject): string {
  const metadata = isObject(object['metadata']) ? object['metadata'] : {};
  const text = (name: string) => (typeof metadata[name] === 'string' ? metadata[name] : '');
  return `${text('namespace')}/${text('name')}; ${gvkOf(object)}`;
}

/** What is wrong with the objects, not with us. */
function isUntellable(error: unknown): error is Error {
  return error instanceof ElementError || error instanceof ShapeError || error instanceof ConversionError;
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

function decodeOrNone(entries: unknown, known: FieldTexts | undefined): Managed {
  if (!Array.isArray(entries)) return new Map();
  try {
    return decodeManagedFields(entries as ManagedFieldsEntry[], known);
  } catch (error) {
    if (!(error instanceof ManagedFieldsError)) throw error;
    // As upstream: what cannot be read counts as not managed.
    return new Map();
  }
}

function withoutManagedFields(object: JsonObject, metadata: JsonObject): JsonObject {
  if (metadata['managedFields'] === undefined) return object;
  const { managedFields: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}

function withManagedFields(object: JsonObject, entries: readonly ManagedFieldsEntry[] | undefined): JsonObject {
  const { managedFields: _, ...metadata } = isObject(object['metadata']) ? object['metadata'] : {};
  return { ...object, metadata: entries === undefined ? metadata : { ...metadata, managedFields: entries } };
}

function wrapped<T>(message: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw inWords(message, error);
  }
}

function inWords(message: string, error: unknown): unknown {
  if (!isUntellable(error) && !(error instanceof ManagedFieldsError)) return error;
  return new Error(`${message}: ${error.message}`, { cause: error });
}

function setManagedFields(object: JsonObject, metadata: JsonObject, entries: readonly ManagedFieldsEntry[] | undefined): void {
  if (entries !== undefined) metadata['managedFields'] = entries;
  else if (metadata['managedFields'] !== undefined) {
    const { managedFields: _, ...rest } = metadata;
    object['metadata'] = rest;
  }
}

/** There may be thousands of conflicts: their response is written in a turn of its own. */
function* inTurn(error: Error): Steps<Error> {
  yield;
  return error;
}
