// Upstream: k8s.io/apiserver/pkg/registry/generic/registry/store.go#Delete, k8s.io/apiserver/pkg/registry/rest/delete.go
import { deepEqual } from '../../machinery/deep-equal.ts';
import { conflict, internalError, invalid, notFound } from '../../machinery/errors.ts';
import { finalizerDeleteDependents, finalizerOrphanDependents } from '../../machinery/object-meta.ts';
import type { DeleteOptions as ReadonlyDeleteOptions } from '../../machinery/options.ts';
import { validateDeleteOptions } from '../../machinery/options-validation.ts';
import type { WriteContext } from './context.ts';
import { corruptObject } from './corrupt-object.ts';
import type { KubeObject } from './definition.ts';
import type { StoredEntry } from './entry.ts';
import type { Resource } from './resource.ts';
import type { ValidateCreate } from './store.ts';

/** The kind's grace rule fills in what is missing. */
export type DeleteOptions = { -readonly [K in keyof ReadonlyDeleteOptions]: ReadonlyDeleteOptions[K] };

export interface DeleteResult {
  /** the last state: what was deleted, or what now waits to be */
  readonly entry: StoredEntry;
  /** false: the object is still there, marked for deletion */
  readonly deleted: boolean;
}

type Verdict = 'now' | 'marked' | 'pending';

/** Deletes an object, or marks it when finalizers or a grace period keep it. Options may be filled in by the kind's grace rule. */
export async function deleteObject(
  resource: Resource,
  name: string,
  options: DeleteOptions,
  context: WriteContext,
  validate: ValidateCreate | undefined,
): Promise<DeleteResult> {
  const { store } = resource;
  for (const text of resource.strategy.warningsOnDelete?.(options) ?? []) context.warn(text);
  checkOptions(options);
  for (;;) {
    const entry = await store.getReadable(name, context, corruptObject);
    if (entry === undefined) throw notFound(resource.groupResource, name);
    const object = store.parse(entry);
    const decision = await resource.strategy.beforeDelete?.(object, options, context);
    if (decision?.proceed === false) {
      await validate?.(store.parse(entry));
      if (decision.update === undefined) return { entry, deleted: false };
      const updated = await store.put(entry.key, decision.update(object), entry.revision, context.dryRun);
      if (updated !== undefined) return { entry: updated, deleted: false };
      continue;
    }

    checkPreconditions(resource, object, options);
    const hadFinalizers = Boolean(object.metadata.finalizers?.length);
    const verdict = mark(resource, object, options, context);
    if (verdict === 'pending') return { entry, deleted: false };
    const before = store.parse(entry);
    await validate?.(before);
    if (verdict === 'marked') {
      // Deleting again what waits already changes nothing, and nothing is written.
      const updated = deepEqual(object, before) ? entry : await store.put(entry.key, object, entry.revision, context.dryRun);
      if (updated === undefined) continue;
      const waits = Boolean(object.metadata.finalizers?.length) || Boolean(object.metadata.deletionGracePeriodSeconds);
      if (waits || context.dryRun) return { entry: updated, deleted: !waits };
      // Upstream marks and deletes in two steps, and admission is asked about both: webhooks see the object as it was, then as it is marked.
      await validate?.(store.parse(updated));
      const removed = await store.remove(updated, () => object, context);
      if (removed === undefined) continue;
      return { entry: removed, deleted: true };
    }
    if (context.dryRun) return { entry, deleted: true };
    // A quirk kept: where finalizers that the options remove were all there were, upstream tries to mark the object first.
    if (hadFinalizers) await validate?.(store.parse(entry));
    const removed = await store.remove(entry, () => store.parse(entry), context);
    if (removed === undefined) continue;
    return { entry: removed, deleted: true };
  }
}

function checkOptions(options: DeleteOptions): void {
  const errors = validateDeleteOptions(options);
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', errors);
}

function checkPreconditions(resource: Resource, { metadata }: KubeObject, options: DeleteOptions): void {
  const { uid, resourceVersion } = options.preconditions ?? {};
  // Upstream names the kind where a resource belongs; clients see it, so it stays.
  const { group, kind } = resource.errorKind ?? resource;
  const of = { group, resource: kind };
  if (uid !== undefined && uid !== metadata.uid) {
    const text = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid ?? ''}). The object might have been deleted and then recreated`;
    throw conflict(of, metadata.name ?? '', text);
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    const text = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion ?? ''}). The object might have been modified`;
    throw conflict(of, metadata.name ?? '', text);
  }
}

/** Changes the object as its deletion demands and says what must happen to it. */
function mark(resource: Resource, object: KubeObject, options: DeleteOptions, context: WriteContext): Verdict {
  const grace = beginGraceful(resource, object, options, context);
  if (grace === 'pending') return 'pending';
  updateFinalizers(resource, object, options);
  const waiting = Boolean(object.metadata.finalizers?.length);
  if (grace === 'graceful') return 'marked';
  if (waiting) {
    markAsDeleting(object, context);
    return 'marked';
  }
  return 'now';
}

function beginGraceful(
  { strategy }: Resource,
  object: KubeObject,
  options: DeleteOptions,
  context: WriteContext,
): 'graceful' | 'pending' | 'no' {
  const { metadata } = object;
  if (options.gracePeriodSeconds !== undefined && options.gracePeriodSeconds < 0) options.gracePeriodSeconds = 1;
  if (metadata.deletionGracePeriodSeconds !== undefined && metadata.deletionGracePeriodSeconds < 0) metadata.deletionGracePeriodSeconds = 1;
  if (strategy.gracefulDelete === undefined) return 'no';
  if (metadata.deletionTimestamp !== undefined) {
    // An update that marked the object may have been followed by a delete that failed: a grace of 0 means delete now.
    if (!metadata.deletionGracePeriodSeconds) return 'no';
    if (options.gracePeriodSeconds === undefined) {
      options.gracePeriodSeconds = metadata.deletionGracePeriodSeconds;
      return 'pending';
    }
    return shorten(object, options.gracePeriodSeconds, context) ? 'graceful' : 'pending';
  }
  if (!strategy.gracefulDelete(object, options)) return 'no';
  if (options.gracePeriodSeconds === undefined) throw internalError('options.GracePeriodSeconds should not be nil');
  metadata.deletionTimestamp = addSeconds(context.now, options.gracePeriodSeconds);
  metadata.deletionGracePeriodSeconds = options.gracePeriodSeconds;
  bumpGeneration(object);
  return 'graceful';
}

/** A running grace period can only become shorter. */
function shorten({ metadata }: KubeObject, seconds: number, context: WriteContext): boolean {
  const previous = metadata.deletionGracePeriodSeconds as number;
  if (seconds >= previous) return false;
  let period = seconds;
  let at = addSeconds(metadata.deletionTimestamp as string, seconds - previous);
  if (at < context.now) {
    at = context.now;
    // Asked for grace, but all of it is over: the shortest grace there is, so that the kubelet still gets to clean up.
    if (period !== 0) period = 1;
  }
  metadata.deletionTimestamp = at;
  metadata.deletionGracePeriodSeconds = period;
  return true;
}

function markAsDeleting(object: KubeObject, context: WriteContext): void {
  const { metadata } = object;
  if (metadata.deletionTimestamp === undefined) bumpGeneration(object);
  if (metadata.deletionTimestamp === undefined || metadata.deletionTimestamp > context.now) metadata.deletionTimestamp = context.now;
  metadata.deletionGracePeriodSeconds = 0;
}

function bumpGeneration({ metadata }: KubeObject): void {
  if (metadata.generation !== undefined && metadata.generation > 0) metadata.generation++;
}

/** Adds or removes the garbage collector's finalizers as options, the object and the kind demand, in that order. */
function updateFinalizers({ strategy, garbageCollected }: Resource, { metadata }: KubeObject, options: DeleteOptions): boolean {
  // They would never be removed again.
  if (!garbageCollected || strategy.garbageCollection === 'unsupported') return false;
  const present = metadata.finalizers ?? [];
  const wanted = wantedFinalizer(present, options, strategy.garbageCollection === 'orphan');
  const next = present.filter((name) => name !== finalizerOrphanDependents && name !== finalizerDeleteDependents);
  if (wanted !== undefined) next.push(wanted);
  const before = new Set(present);
  const after = new Set(next);
  if (before.symmetricDifference(after).size === 0) return false;
  if (next.length > 0) metadata.finalizers = next;
  else delete metadata.finalizers;
  return true;
}

function wantedFinalizer(present: readonly string[], options: DeleteOptions, orphanByDefault: boolean): string | undefined {
  if (options.orphanDependents !== undefined) return options.orphanDependents ? finalizerOrphanDependents : undefined;
  switch (options.propagationPolicy) {
    case 'Orphan':
      return finalizerOrphanDependents;
    case 'Foreground':
      return finalizerDeleteDependents;
    case 'Background':
      return undefined;
    default:
      break;
  }
  const own = present.find((name) => name === finalizerOrphanDependents || name === finalizerDeleteDependents);
  return own ?? (orphanByDefault ? finalizerOrphanDependents : undefined);
}

function addSeconds(time: string, seconds: number): string {
  return `${new Date(Date.parse(time) + seconds * 1000).toISOString().slice(0, 19)}Z`;
}
