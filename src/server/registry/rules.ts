// Upstream: k8s.io/apiserver/pkg/registry/rest/{create,update,meta}.go
// What holds for every kind before an object is stored.
import type { Steps } from '../../base/steps.ts';
import { append } from '../../machinery/append.ts';
import { randomUUID } from 'node:crypto';
import type { GroupKind } from '../../machinery/errors.ts';
import { badRequest, invalid } from '../../machinery/errors.ts';
import type { FieldError } from '../../machinery/field.ts';
import { FieldPath, invalid as invalidField } from '../../machinery/field.ts';
import { distinctErrors } from '../../machinery/distinct-errors.ts';
import type { NameRule } from '../../machinery/names.ts';
import { nameIsDnsSubdomain, nameIsPathSegment } from '../../machinery/names.ts';
import type { ObjectMeta } from '../../machinery/object-meta.ts';
import { validateObjectMeta, validateObjectMetaUpdate, validateObjectName } from '../../machinery/object-meta-validation.ts';
import { deepEqual } from '../../machinery/deep-equal.ts';
import { sameDistinctions } from '../../machinery/go-distinctions.ts';
import { equalValues } from '../../patch/apply/equal.ts';
import type { WriteContext } from './context.ts';
import type { DeclaredValidation } from './declared-validation.ts';
import { withDeclared } from './declared-validation.ts';
import type { KubeObject, Strategy } from './definition.ts';

/** What the rules need to know of a kind. */
export interface RuleSubject {
  readonly group: string;
  readonly kind: string;
  /** what errors call it, where it is another group's kind: events are those of the core group in either group */
  readonly errorKind?: GroupKind | undefined;
  /** Custom resources are named in errors by the kind that they state, right or wrong. */
  readonly unstructured?: boolean;
  readonly namespaced: boolean;
  readonly strategy: Strategy;
  /** the kind has a status of its own */
  readonly hasStatus: boolean;
  readonly tracksGeneration: boolean;
  /** absent for kinds whose types cannot declare any rules (custom resources) */
  readonly declared?: DeclaredValidation;
}

const standardFinalizers: ReadonlySet<string> = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);
/** The user may write what the object holds. */
export const noDenials: readonly FieldError[] = [];
const metadataPath = FieldPath.root('metadata');

/** A client cannot choose what the server assigns. */
export function wipeSystemFields(metadata: ObjectMeta): void {
  delete metadata.creationTimestamp;
  delete metadata.uid;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata.selfLink;
}

export function fillSystemFields(metadata: ObjectMeta, now: string): void {
  metadata.creationTimestamp = now;
  metadata.uid = randomUUID();
}

/** Namespace of the object and of the request agree, or one fills in the other. */
export function ensureNamespace(metadata: ObjectMeta, requested: string, namespaced: boolean): void {
  const expected = namespaced ? requested : '';
  const actual = metadata.namespace ?? '';
  if (actual === expected) return;
  if (actual === '') {
    metadata.namespace = expected;
    return;
  }
  if (expected === '') {
    // An object of the cluster scope must not say that it is in a namespace; upstream drops it silently there.
    delete metadata.namespace;
    return;
  }
  throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
}

export function* beforeCreate(subject: RuleSubject, object: KubeObject, context: WriteContext): Steps<void> {
  prepareCreate(subject, object, context);
  yield* checkCreate(subject, object, context, noDenials);
}

export function prepareCreate(subject: RuleSubject, object: KubeObject, context: WriteContext): void {
  const { strategy } = subject;
  ensureNamespace(object.metadata, context.namespace, subject.namespaced);
  if (subject.hasStatus && strategy.keepsStatusOnCreate !== true) delete object['status'];
  if (tracksGeneration(subject, context)) object.metadata.generation = 1;
  strategy.prepareForCreate?.(object, context);
}

/** `denials` are what the kind's `validateAccess` found. */
export function* checkCreate(subject: RuleSubject, object: KubeObject, context: WriteContext, denials: readonly FieldError[]): Steps<void> {
  const { strategy } = subject;
  const errors = [...denials];
  yield;
  if (!strategy.skipsMetadataValidation) append(errors, validateMetadata(object.metadata, subject.namespaced, strategy.validateName));
  yield;
  if (strategy.validateInSteps !== undefined) append(errors, yield* strategy.validateInSteps(object, undefined, context));
  else append(errors, strategy.validate?.(object, context) ?? []);
  yield;
  if (errors.length === 0) {
    if (strategy.skipsMetadataValidation)
      append(errors, validateObjectMeta(object.metadata, subject.namespaced, nameIsPathSegment, metadataPath));
    else append(errors, validateObjectName(object.metadata, nameIsPathSegment, metadataPath));
  }
  yield;
  yield* refuse(subject, object, undefined, errors, context);
  yield;

  for (const text of strategy.warningsOnCreate?.(object, context) ?? []) context.warn(text);
  strategy.canonicalize?.(object);
}

/**
 * Kinds' own validation begins with the metadata, under the kind's rule for names. Most kinds ask the same of an update, after the rules
 * of every update: their `validateUpdate` calls this.
 */
export function validateMetadata(metadata: ObjectMeta, namespaced: boolean, nameRule: NameRule = nameIsDnsSubdomain): FieldError[] {
  return [...validateObjectMeta(metadata, namespaced, nameRule, metadataPath), ...validateKubeFinalizers(metadata)];
}

/** What kinds ask of the names of finalizers beyond the rules of every kind. */
export function validateKubeFinalizers({ finalizers = [] }: ObjectMeta): FieldError[] {
  return finalizers.flatMap((name, index) => validateKubeFinalizer(name, metadataPath.child('finalizers').index(index)));
}

/** Without a domain only the names that the system itself uses. */
export function validateKubeFinalizer(name: string, path: FieldPath): FieldError[] {
  if (name.includes('/') || standardFinalizers.has(name)) return [];
  return [invalidField(path, name, 'name is neither a standard finalizer name nor is it fully qualified')];
}

function tracksGeneration({ tracksGeneration: tracks, strategy }: RuleSubject, { features }: WriteContext): boolean {
  return tracks && (strategy.generationFeature === undefined || features.enabled(strategy.generationFeature));
}

export function prepareUpdate(subject: RuleSubject, object: KubeObject, old: KubeObject, context: WriteContext): void {
  const { strategy } = subject;
  const { metadata } = object;
  ensureNamespace(metadata, context.namespace, subject.namespaced);
  setOrDelete(metadata, 'generation', old.metadata.generation);
  if (subject.hasStatus) setOrDelete(object, 'status', old['status']);
  strategy.prepareForUpdate?.(object, old, context);
  if (tracksGeneration(subject, context) && specChanged(object, old, strategy.generation === 'in-memory'))
    metadata.generation = Number(old.metadata.generation ?? 0) + 1;
  keepSystemFields(metadata, old.metadata);
}

export function* checkUpdate(
  subject: RuleSubject,
  object: KubeObject,
  old: KubeObject,
  context: WriteContext,
  denials: readonly FieldError[],
): Steps<void> {
  const { strategy } = subject;
  const { metadata } = object;
  yield;
  const errors = validateObjectMeta(metadata, subject.namespaced, nameIsPathSegment, metadataPath);
  yield;
  append(errors, validateObjectMetaUpdate(metadata, old.metadata, metadataPath, errors.length === 0));
  append(errors, denials);
  if (!strategy.skipsMetadataValidation && !strategy.validatesMetadataOnUpdate) append(errors, validateKubeFinalizers(metadata));
  yield;
  if (strategy.validateInSteps !== undefined) append(errors, yield* strategy.validateInSteps(object, old, context));
  else append(errors, strategy.validateUpdate?.(object, old, context) ?? []);
  yield;
  yield* refuse(subject, object, old, errors, context);
  yield;

  for (const text of strategy.warningsOnUpdate?.(object, old, context) ?? []) context.warn(text);
  strategy.canonicalize?.(object);
}

/** What only others can tell of an object that keeps all other rules. */
export async function checkReferences(
  { errorKind, group, kind }: RuleSubject,
  hooks: Pick<Strategy, 'validateReferences'>,
  object: KubeObject,
  old: KubeObject | undefined,
  context: WriteContext,
): Promise<void> {
  const errors = await hooks.validateReferences?.(object, old, context);
  if (errors !== undefined && errors.length > 0) throw invalid(errorKind ?? { group, kind }, object.metadata.name ?? '', errors);
}

/** An update through a subresource of the parent's own type: the parent's hooks do not run, the subresource's do. */
export function prepareSubresourceUpdate(
  subject: RuleSubject,
  hooks: Pick<Strategy, 'prepareForUpdate'>,
  object: KubeObject,
  old: KubeObject,
  context: WriteContext,
): void {
  ensureNamespace(object.metadata, context.namespace, subject.namespaced);
  setOrDelete(object.metadata, 'generation', old.metadata.generation);
  hooks.prepareForUpdate?.(object, old, context);
  // the hook may have put the old metadata in its place
  keepSystemFields(object.metadata, old.metadata);
}

export function* checkSubresourceUpdate(
  subject: RuleSubject,
  hooks: Pick<Strategy, 'validateUpdate' | 'validateInSteps' | 'warningsOnUpdate' | 'skipsMetadataValidation'>,
  object: KubeObject,
  old: KubeObject,
  context: WriteContext,
  denials: readonly FieldError[],
): Steps<void> {
  const { metadata } = object;
  yield;
  const errors = validateObjectMeta(metadata, subject.namespaced, nameIsPathSegment, metadataPath);
  append(errors, validateObjectMetaUpdate(metadata, old.metadata, metadataPath, errors.length === 0));
  append(errors, denials);
  if (!(hooks.skipsMetadataValidation ?? subject.strategy.skipsMetadataValidation)) append(errors, validateKubeFinalizers(metadata));
  yield;
  if (hooks.validateInSteps !== undefined) append(errors, yield* hooks.validateInSteps(object, old, context));
  else append(errors, hooks.validateUpdate?.(object, old, context) ?? []);
  yield;
  yield* refuse(subject, object, old, errors, context);
  yield;
  for (const text of hooks.warningsOnUpdate?.(object, old, context) ?? []) context.warn(text);
}

function keepSystemFields(metadata: ObjectMeta, old: ObjectMeta): void {
  metadata.uid ||= old.uid as string;
  setOrDelete(metadata, 'creationTimestamp', old.creationTimestamp);
  if (old.deletionTimestamp !== undefined) metadata.deletionTimestamp = old.deletionTimestamp;
  if (old.deletionGracePeriodSeconds !== undefined) metadata.deletionGracePeriodSeconds ??= old.deletionGracePeriodSeconds;
}

function* refuse(
  subject: RuleSubject,
  object: KubeObject,
  old: KubeObject | undefined,
  written: FieldError[],
  context: WriteContext,
): Steps<void> {
  const declared = subject.declared?.(object, old, context) ?? [];
  if (written.length === 0 && declared.length === 0) return;
  const { errorKind, group, strategy } = subject;
  const kind = subject.unstructured === true ? (object.kind ?? '') : subject.kind;
  yield;
  const errors = withDeclared(written, declared, context);
  yield;
  const told = strategy.repeatsErrors === true ? errors : distinctErrors(errors);
  yield;
  const error = invalid(errorKind ?? { group, kind }, object.metadata.name ?? '', told);
  // There may be thousands: their response is written in a turn of its own.
  yield;
  throw error;
}

/** Everything outside metadata and status is the desired state. */
function specChanged(object: KubeObject, old: KubeObject, inMemory: boolean): boolean {
  if (inMemory && !sameDistinctions(object, old)) return true;
  const isEqual = (left: unknown, right: unknown): boolean => (inMemory ? equalValues(left, right, true) : deepEqual(left, right));
  const keys = new Set([...Object.keys(object), ...Object.keys(old)]);
  for (const key of keys) {
    if (key === 'metadata' || key === 'status' || key === 'kind' || key === 'apiVersion') continue;
    if (!isEqual(object[key], old[key])) return true;
  }
  return false;
}

export function setOrDelete<T extends object, K extends keyof T>(target: T, key: K, value: T[K] | undefined): void {
  if (value === undefined) delete target[key];
  else target[key] = value;
}
