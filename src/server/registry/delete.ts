// Upstream: k8s.io/apiserver/pkg/registry/generic/registry/store.go#Delete, k8s.io/apiserver/pkg/registry/rest/delete.go
import { deepEqual } from '../../machinery/deep-equal.ts';
import { ApiError, conflict, internalError, invalid, notFound } from '../../machinery/errors.ts';
import { finalizerDeleteDependents, finalizerOrphanDependents } from '../../machinery/object-meta.ts';
import type { DeleteOptions as ReadonlyDeleteOptions } from '../../machinery/options.ts';
import { validateDeleteOptions } from '../../machinery/options-validation.ts';
import type { WriteContext } from './context.ts';
import { corruptObject } from './corrupt-object.ts';
import type { KubeObject } from './definition.ts';
import type { StoredEntry } from './entry.ts';
import type { Resource } from './resource.ts';
import { setOrDelete } from './rules.ts';

/** The kind's grace rule fills in what is missing. */
export type DeleteOptions = { -readonly [K in keyof ReadonlyDeleteOptions]: ReadonlyDeleteOptions[K] };

export interface DeleteResult {
  /** the last state: what was deleted, or what now waits to be */
  readonly entry: StoredEntry;
  /** false: the object is still there, marked for deletion */
  readonly deleted: boolean;
}

/** Admission of a delete. Few of those that are asked look at the object, so that it is parsed for them alone. */
export type ValidateDelete = (old: () => KubeObject) => Promise<void> | void;

type Verdict = 'now' | 'marked' | 'pending';

/** Deletes an object, or marks it when finalizers or a grace period keep it. Options may be filled in by the kind's grace rule. */
export async function deleteObject(
  resource: Resource,
  name: string,
  options: DeleteOptions,
  context: WriteContext,
  validate: ValidateDelete | undefined,
): Promise<DeleteResult> {
  const { store } = resource;
  for (const text of resource.strategy.warningsOnDelete?.(options) ?? []) context.warn(text);
  checkOptions(options);
  const deletion: Deletion = { resource, name, options, context, validate };
  for (let attempt = await attemptOnCached(deletion); ; attempt = undefined) {
    attempt ??= await attemptDelete(deletion, await currentEntry(deletion));
    if (attempt?.marked === undefined) {
      if (attempt !== undefined) return attempt;
      continue;
    }
    // Upstream marks and deletes in two steps, and admission is asked about both: webhooks see the object as it was, then as it is marked.
    const { entry, marked } = attempt;
    await validate?.(() => store.parse(entry));
    const removed = await store.remove(entry, () => marked, context);
    if (removed !== undefined) return { entry: removed, deleted: true };
  }
}

interface Deletion {
  readonly resource: Resource;
  readonly name: string;
  readonly options: DeleteOptions;
  readonly context: WriteContext;
  readonly validate: ValidateDelete | undefined;
}

interface Attempt extends DeleteResult {
  /** the object, where it is marked now and to be removed at once */
  readonly marked?: KubeObject;
}

async function currentEntry({ resource, name, context }: Deletion): Promise<StoredEntry> {
  const entry = await resource.store.getReadable(name, context, corruptObject);
  if (entry === undefined) throw notFound(resource.groupResource, name);
  return entry;
}

/** The cache may be behind: what it leads to counts when it was written, or when the store has nothing newer. */
async function attemptOnCached(deletion: Deletion): Promise<Attempt | undefined> {
  const { resource, name, options, context } = deletion;
  const { cache } = resource.store;
  const cached = context.dryRun || !cache.isReady ? undefined : cache.get(resource.store.key(context.namespace, name));
  if (cached === undefined || !resource.store.isReadable(cached)) return undefined;
  const { gracePeriodSeconds } = options;
  let attempt: Attempt | undefined;
  let refusal: ApiError | undefined;
  try {
    attempt = await attemptDelete(deletion, cached);
    if (attempt !== undefined && attempt.entry.revision !== cached.revision) return attempt;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    refusal = error;
  }
  const entry = await currentEntry(deletion);
  if (entry.revision === cached.revision) {
    if (refusal !== undefined) throw refusal;
    if (attempt !== undefined) return attempt;
  }
  // The grace that another state of the object was given is not that of this one.
  setOrDelete(options, 'gracePeriodSeconds', gracePeriodSeconds);
  return attemptDelete(deletion, entry);
}

/** Undefined: another write was first. */
async function attemptDelete({ resource, options, context, validate }: Deletion, entry: StoredEntry): Promise<Attempt | undefined> {
  const { store } = resource;
  const parse = (): KubeObject => store.parse(entry);
  const object = parse();
  const decision = await resource.strategy.beforeDelete?.(object, options, context);
  if (decision?.proceed === false) {
    await validate?.(parse);
    if (decision.update === undefined) return { entry, deleted: false };
    const updated = await store.put(entry.key, decision.update(object), entry.revision, context.dryRun);
    return updated && { entry: updated, deleted: false };
  }

  checkPreconditions(resource, object, options);
  const hadFinalizers = Boolean(object.metadata.finalizers?.length);
  const hadMark = object.metadata.deletionTimestamp !== undefined;
  const verdict = mark(resource, object, options, context);
  if (verdict === 'pending') return { entry, deleted: false };
  await validate?.(parse);
  if (verdict === 'marked') {
    // Deleting again what waits already changes nothing, and nothing is written.
    const updated = hadMark && deepEqual(object, parse()) ? entry : await store.put(entry.key, object, entry.revision, context.dryRun);
    if (updated === undefined) return undefined;
    const waits = Boolean(object.metadata.finalizers?.length) || Boolean(object.metadata.deletionGracePeriodSeconds);
    return waits || context.dryRun ? { entry: updated, deleted: !waits } : { entry: updated, deleted: false, marked: object };
  }
  if (context.dryRun) return { entry, deleted: true };
  // A quirk kept: where finalizers that the options remove were all there were, upstream tries to mark the object first.
  if (hadFinalizers) await validate?.(parse);
  const removed = await store.remove(entry, parse, context);
  return removed && { entry: removed, deleted: true };
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
