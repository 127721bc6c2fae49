// Upstream: k8s.io/apiserver/pkg/registry/generic/registry/store.go
import type { Steps } from '../../base/steps.ts';
import { allSteps, stepByStep } from '../../base/steps.ts';
import type { Turn } from '../../base/turns.ts';
import { turnsFor } from '../../base/turns.ts';
import { mayHoldBigints, parseJson } from '../../machinery/codec/json/parse.ts';
import {
  ApiError,
  optimisticLockMessage,
  alreadyExists,
  conflict,
  generateNameConflict,
  invalid,
  isReason,
  notFound,
} from '../../machinery/errors.ts';
import { FieldPath, invalid as invalidField } from '../../machinery/field.ts';
import { integerOf, parseUint64 } from '../../machinery/go-number.ts';
import { generateName } from '../../machinery/names.ts';
import { deepCopy } from '../../machinery/deep-copy.ts';
import { deepEqual, semanticDeepEqual } from '../../machinery/deep-equal.ts';
import type { StructType } from '../../machinery/type-model.ts';
import type { KeyValue, Operation, Storage, TransactResult } from '../../storage/storage.ts';
import { ValueTooLargeError } from '../../storage/storage.ts';
import type { WatchCache } from '../../storage/cache/types.ts';
import { read as readValue, Unreadable } from '../../storage/cache/unreadable.ts';
import type { WriteContext } from './context.ts';
import { corruptObject, corruptUpdate } from './corrupt-object.ts';
import type { KubeObject, Strategy, SubresourceUpdate } from './definition.ts';
import type { FeatureGates } from './features.ts';
import { forVersion } from './definition.ts';
import type { WrittenObjects } from '../object/written-objects.ts';
import { StoredEntry } from './entry.ts';
import {
  checkCreate,
  checkUpdate,
  checkReferences,
  checkSubresourceUpdate,
  noDenials,
  prepareCreate,
  prepareSubresourceUpdate,
  prepareUpdate,
  fillSystemFields,
  setOrDelete,
  wipeSystemFields,
} from './rules.ts';
import type { Resource } from './resource.ts';
import { keyOf } from './resource.ts';
import { locate } from '../object/stored-json.ts';
import { keptBytes } from '../../machinery/codec/kept-bytes.ts';

/** Validating admission, asked when the object is complete and before it is stored. */
export type ValidateCreate = (object: KubeObject) => Promise<void> | void;
export type ValidateUpdate = (object: KubeObject, old: KubeObject) => Promise<void> | void;

export interface UpdateRequest {
  /** Makes the new object from the stored one, which is only to be read. `undefined`: there is none yet. Called again after a conflict. */
  /** `turn`: what is written or stored is large. */
  readonly transform: (existing: KubeObject | undefined, turn: Turn | undefined) => Promise<KubeObject> | KubeObject;
  readonly preconditions?: Preconditions;
  /** create when there is none, whatever the strategy says (server-side apply) */
  readonly forceAllowCreate?: boolean;
  readonly validateCreate?: ValidateCreate;
  readonly validateUpdate?: ValidateUpdate;
  /** the object's field managers are what the request is about (server-side apply): it is not stored without them */
  readonly keepsOwners?: boolean;
  /** hooks of the subresource through which the update comes */
  readonly subresourceUpdate?: SubresourceUpdate;
}

export interface Preconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

export interface UpdateResult {
  readonly entry: StoredEntry;
  readonly created: boolean;
}

/** What a create makes of a name that is taken. */
interface InsertHooks {
  dryRun?(key: string): Promise<void>;
  lost?(taken: KeyValue | undefined, reserves: boolean): void;
  readonly keepsOwners?: boolean;
}

/** 8 attempts give a million names per prefix with a chance of one in a thousand to collide */
const maxNameGenerationAttempts = 8;

interface StoreOptions {
  /** another store of the same objects (events are in two groups, custom resources in several versions), that shares its cache */
  readonly sibling?: Store | undefined;
  /** where the store below finds what values were made of */
  readonly writing?: WrittenObjects | undefined;
  /** entries of values that are known already */
  readonly written?: WeakMap<Buffer, StoredEntry> | undefined;
  /** how often keys were replaced; undefined: they stay as they are */
  readonly encryptionEra?: (() => number) | undefined;
}

/** Create, read and update of one resource. Deletion is in `delete.ts`, lists and watches read the cache. */
export class Store {
  readonly resource: Resource;
  readonly storage: Storage;
  readonly #newCache: (store: Store) => WatchCache<StoredEntry>;
  #cache: WatchCache<StoredEntry> | undefined;
  #isClosed = false;
  #knownPrefix: Buffer | undefined;
  /** entries of values that this store has written, so that the cache need not parse them again */
  readonly #written: WeakMap<Buffer, StoredEntry>;
  readonly #writing: WrittenObjects | undefined;
  /** see `isReadOtherwise` */
  #readOtherwise: WeakSet<Buffer> | undefined;
  readonly #encryptionEra: () => number;
  /** the era of encryption in which an entry was last found to be readable */
  #readableIn: WeakMap<StoredEntry, number> | undefined;
  /** what can be selected by, under the names of every resource that shares the cache */
  readonly #fields: Record<string, (object: KubeObject) => string>;

  constructor(
    resource: Resource,
    storage: Storage,
    cache: (store: Store) => WatchCache<StoredEntry>,
    { sibling, writing, written = new WeakMap(), encryptionEra = () => 0 }: StoreOptions = {},
  ) {
    this.resource = resource;
    this.#writing = writing;
    this.#encryptionEra = encryptionEra;
    this.storage = storage;
    this.#written = sibling === undefined ? written : sibling.#written;
    this.#fields = Object.assign(sibling === undefined ? {} : sibling.#fields, resource.definition.selectableFields);
    this.#newCache = cache;
  }

  get #bodyPrefix(): Buffer {
    if (this.#knownPrefix !== undefined) return this.#knownPrefix;
    const { profile, kind, apiVersion } = this.resource.storage;
    return (this.#knownPrefix = Buffer.from(profile.json.head(kind, apiVersion)));
  }

  /** Made when it is first asked for: most resources are not. */
  get cache(): WatchCache<StoredEntry> {
    if (this.#cache !== undefined) return this.#cache;
    this.#cache = this.#newCache(this);
    if (this.#isClosed) void this.#cache[Symbol.asyncDispose]();
    return this.#cache;
  }

  get hasCache(): boolean {
    return this.#cache !== undefined;
  }

  /** Who asks for the cache from now on gets one that is closed. */
  async closeCache(): Promise<void> {
    this.#isClosed = true;
    await this.#cache?.[Symbol.asyncDispose]();
  }

  /** Bytes to an entry; throws when they are not an object of this kind. */
  decode(kv: KeyValue): StoredEntry {
    if (kv.error !== undefined) throw kv.error;
    const stale = kv.stale === true || (kv.version === 1 && this.resource.strategy.createdWithoutDefaults === true);
    const known = this.#written.get(kv.value);
    if (known !== undefined) {
      if (known.revision === kv.modRevision && known.stale === stale) return known;
      const entry = known.at(kv.modRevision, stale);
      // A copy of the store has the value at the same revision, and what was made of the entry for one server is good for the other.
      this.#written.set(kv.value, entry);
      return entry;
    }
    const object = parseJson(kv.value.toString()) as KubeObject;
    const layout = locate(kv.value, this.#bodyPrefix, this.resource.storage.profile.json.sortsKeys);
    return new StoredEntry(kv.key, kv.modRevision, object.metadata.labels, this.selectableFields(object), kv.value, layout, stale);
  }

  selectableFields(object: KubeObject): Record<string, string> {
    const { name = '', namespace = '' } = object.metadata;
    const fields: Record<string, string> = this.resource.namespaced
      ? { 'metadata.name': name, 'metadata.namespace': namespace }
      : { 'metadata.name': name };
    for (const label in this.#fields) fields[label] = (this.#fields[label] as (object: KubeObject) => string)(object);
    return fields;
  }

  /** A parsed copy of the object, with its resource version. */
  parse(entry: StoredEntry): KubeObject {
    const { strategy, storage } = this.resource;
    const shared = storage.fieldTexts && strategy.readFloats === undefined ? entry.parseSharing(storage.fieldTexts) : undefined;
    if (shared !== undefined) return shared;
    // The revision stands where it belongs among its neighbours: messages quote objects in that order.
    const text = entry.text();
    const object = parseJson(text) as KubeObject;
    if (strategy.readFloats !== undefined && mayHoldBigints(text)) strategy.readFloats(object);
    return object;
  }

  key(namespace: string, name: string): string {
    return keyOf(this.resource, namespace, name);
  }

  /** Encodes and stores an object that has passed all rules; undefined: another write was first. */
  async put(key: string, object: KubeObject, expect: number, dryRun: boolean): Promise<StoredEntry | undefined> {
    const entry = await this.#encodeAsRead(key, object);
    if (dryRun) return entry.at(expect);
    const result = await this.storage.transact([{ type: 'put', key, value: entry.value, expect }]);
    return result.succeeded ? entry.at(result.revision) : undefined;
  }

  /** The newest state, from the store itself. */
  async getCurrent(namespace: string, name: string): Promise<StoredEntry | undefined> {
    const { kv } = await this.storage.get(this.key(namespace, name));
    return kv === undefined ? undefined : this.decode(kv);
  }

  /** The same for requests: what cannot be read is refused as `refusal` says. */
  async getReadable(
    name: string,
    { namespace, features }: Pick<WriteContext, 'namespace' | 'features'>,
    refusal: typeof corruptObject,
  ): Promise<StoredEntry | undefined> {
    const key = this.key(namespace, name);
    const { kv } = await this.storage.get(key);
    if (kv === undefined) return undefined;
    const entry = readValue(kv, (value) => this.decode(value));
    if (!(entry instanceof Unreadable)) return entry;
    // One that a converter refuses is not corrupt.
    if (entry.error instanceof ApiError) throw entry.error;
    const shown = key.slice(this.resource.storagePrefix.length);
    throw refusal({ key: shown, revision: kv.modRevision, error: entry.error }, features);
  }

  /** Whether what the cache has is known to be readable in the store: keys of encryption may have been replaced since. */
  isReadable(entry: StoredEntry): boolean {
    const era = this.#encryptionEra();
    return era === 0 || this.#readableIn?.get(entry) === era;
  }

  /** Looks at the store, where that is not known. */
  async assertReadable(entry: StoredEntry, namespace: string, name: string, features: FeatureGates): Promise<void> {
    const era = this.#encryptionEra();
    await this.getReadable(name, { namespace, features }, corruptObject);
    (this.#readableIn ??= new WeakMap()).set(entry, era);
  }

  async create(object: KubeObject, context: WriteContext, validate?: ValidateCreate): Promise<StoredEntry> {
    const { metadata } = object;
    await this.resource.strategy.authorize?.(object, undefined, context);
    if (!metadata.generateName || metadata.name) return this.#create(object, context, validate);
    let failure: unknown;
    for (let attempt = 0; attempt < maxNameGenerationAttempts; attempt++) {
      try {
        return await this.#create(attempt === maxNameGenerationAttempts - 1 ? object : deepCopy(object), context, validate);
      } catch (error) {
        if (!isReason(error, 'AlreadyExists')) throw error;
        failure = error;
      }
    }
    throw failure;
  }

  /** Stores an object whose bytes are known to be what all rules would make of it, unless one of that name is there. */
  async createAsStored(object: KubeObject, text: string): Promise<void> {
    const { name = '', namespace = '' } = object.metadata;
    const key = this.key(namespace, name);
    const value = keptBytes(text);
    this.#writing?.give(value, object);
    this.#entryOf(key, object, value, undefined, true);
    await this.storage.transact([{ type: 'put', key, value, expect: 0 }]);
  }

  async #create(object: KubeObject, context: WriteContext, validate: ValidateCreate | undefined): Promise<StoredEntry> {
    if (this.resource.strategy.beginCreate === undefined) return (await this.#tryCreate(object, context, validate)) as StoredEntry;
    for (;;) {
      const entry = await this.#tryCreate(deepCopy(object), context, validate);
      if (entry !== undefined) return entry;
    }
  }

  /** Undefined: what the object had reserved went to another writer. */
  async #tryCreate(object: KubeObject, context: WriteContext, validate: ValidateCreate | undefined): Promise<StoredEntry | undefined> {
    const { metadata } = object;
    fillSystemFields(metadata, context.now);
    if (metadata.generateName && !metadata.name)
      metadata.name = (this.resource.strategy.generateName ?? generateName)(metadata.generateName);
    return this.#insert(object, context, validate, {
      dryRun: async (key) => {
        const { kv } = await this.storage.get(key);
        if (kv !== undefined) throw this.#exists(kv, metadata.name as string, metadata.generateName);
      },
      lost: (kv, reserves) => {
        if (!reserves || kv !== undefined) throw this.#exists(kv, metadata.name as string, metadata.generateName);
      },
    });
  }

  /** The one way of an object that is not there into the store. Undefined: it is there, or what it had reserved went to another writer. */
  async #insert(
    object: KubeObject,
    context: WriteContext,
    validate: ValidateCreate | undefined,
    { dryRun, lost, keepsOwners = false }: InsertHooks = {},
  ): Promise<StoredEntry | undefined> {
    const { resource } = this;
    const reservation = await resource.strategy.beginCreate?.(object, context);
    let revision: number | undefined;
    try {
      if (context.turn !== undefined) await context.turn();
      prepareCreate(resource, object, context);
      if (context.turn !== undefined) await context.turn();
      const denials =
        resource.strategy.validateAccess === undefined ? noDenials : await resource.strategy.validateAccess(object, undefined, context);
      const passing = pass(checkCreate(resource, object, context, denials), resource.strategy, context);
      if (passing !== undefined) await passing;
      if (context.turn !== undefined) await context.turn();
      if (resource.strategy.validateReferences !== undefined)
        await checkReferences(resource, resource.strategy, object, undefined, context);
      await validate?.(object);
      if (context.turn !== undefined) await context.turn();
      const key = this.key(object.metadata.namespace ?? '', object.metadata.name as string);
      delete object.metadata.selfLink;
      const entry = await this.#encodeAsRead(key, object, true, context.turn);
      if (context.dryRun) {
        await dryRun?.(key);
        // A quirk kept: where nothing is stored, nothing takes the place of the revision that was given.
        const { resourceVersion } = object.metadata;
        return resourceVersion ? entry.showing(resourceVersion) : entry;
      }
      if (claimsRevision(object)) throw new Error('resourceVersion should not be set on objects to be created');
      const others = reservation === undefined ? [] : await reservation.operations();
      const { written, result } = await this.#write(object, entry, { expect: 0, others, ...this.#ttl(object, context) }, keepsOwners);
      if (!result.succeeded) {
        lost?.(result.values[0], reservation !== undefined);
        return undefined;
      }
      revision = result.revision;
      return written.at(revision);
    } finally {
      if (reservation !== undefined) await reservation.finish(revision);
    }
  }

  #exists(kv: KeyValue | undefined, name: string, generatedFrom: string | undefined): ApiError {
    const { groupResource } = this.resource;
    if (generatedFrom) return generateNameConflict(groupResource, name, 1);
    const error = alreadyExists(groupResource, name);
    // Most have no such word in them, and may be large.
    const mayBeDeleting = kv !== undefined && (kv.error !== undefined || kv.value.includes('"deletionTimestamp"'));
    const deleting = mayBeDeleting && this.parse(this.decode(kv)).metadata.deletionTimestamp !== undefined;
    return deleting ? new ApiError({ ...error.status, message: `object is being deleted: ${error.status.message}` }) : error;
  }

  async update(name: string, context: WriteContext, request: UpdateRequest): Promise<UpdateResult> {
    const key = this.key(context.namespace, name);
    await this.cache.ready();
    if (this.cache.prepare !== undefined) await this.cache.prepare.get(key);
    let entry = this.cache.get(key);
    // The cache may be behind. A failure that it caused is not the client's: look at the store and try again.
    let current = false;
    if (entry === undefined) {
      entry = await this.getReadable(name, context, corruptUpdate);
      current = true;
    }
    for (;;) {
      let attempt: UpdateResult | undefined;
      try {
        attempt =
          entry === undefined
            ? await this.#createByUpdate(name, context, request)
            : await this.#tryUpdate(name, key, { entry, current }, context, request);
      } catch (error) {
        if (current) throw error;
      }
      if (attempt !== undefined) return attempt;
      entry = await this.getReadable(name, context, corruptUpdate);
      current = true;
    }
  }

  async #createByUpdate(name: string, context: WriteContext, request: UpdateRequest): Promise<UpdateResult | undefined> {
    const { resource } = this;
    if (!resource.strategy.allowCreateOnUpdate && !request.forceAllowCreate) throw notFound(resource.groupResource, name);
    if (request.preconditions?.uid !== undefined)
      throw this.#preconditionFailed(context, name, `UID in precondition: ${request.preconditions.uid}, UID in object meta: `);
    const object = await request.transform(undefined, context.turn);
    // one that is no number is refused
    resourceVersionOf(object);
    await resource.strategy.authorize?.(object, undefined, context);
    wipeSystemFields(object.metadata);
    fillSystemFields(object.metadata, context.now);
    // where nothing is stored, nothing takes its place
    if (!context.dryRun) delete object.metadata.resourceVersion;
    const entry = await this.#insert(object, context, request.validateCreate, { keepsOwners: request.keepsOwners ?? false });
    return entry && { entry, created: true };
  }

  async #tryUpdate(
    name: string,
    key: string,
    { entry, current }: { readonly entry: StoredEntry; readonly current: boolean },
    given: WriteContext,
    request: UpdateRequest,
  ): Promise<UpdateResult | undefined> {
    const { resource } = this;
    // A small patch of a large object is much work too.
    const turn = given.turn ?? turnsFor(entry.value.length);
    const context = turn === given.turn && !entry.isVetted ? given : { ...given, turn, isVetted: entry.isVetted };
    if (turn !== undefined) await turn();
    const existing = this.parse(entry);
    this.#checkPreconditions(existing, request.preconditions, context);
    const object = await request.transform(existing, turn);
    const { authorize } = resource.strategy;
    if (authorize !== undefined && request.subresourceUpdate === undefined) await authorize(object, existing, context);
    this.#checkResourceVersion(name, object, entry, request, context.version);

    const reservation =
      request.subresourceUpdate === undefined ? await resource.strategy.beginUpdate?.(object, existing, context) : undefined;
    let revision: number | undefined;
    try {
      if (context.turn !== undefined) await context.turn();
      const hooks = request.subresourceUpdate ?? resource.strategy;
      if (request.subresourceUpdate === undefined) prepareUpdate(resource, object, existing, context);
      else prepareSubresourceUpdate(resource, hooks, object, existing, context);
      if (context.turn !== undefined) await context.turn();
      const denials = hooks.validateAccess === undefined ? noDenials : await hooks.validateAccess(object, existing, context);
      const checking =
        request.subresourceUpdate === undefined
          ? checkUpdate(resource, object, existing, context, denials)
          : checkSubresourceUpdate(resource, hooks, object, existing, context, denials);
      const passing = pass(checking, hooks, context);
      if (passing !== undefined) await passing;
      if (context.turn !== undefined) await context.turn();
      if (hooks.validateReferences !== undefined) await checkReferences(resource, hooks, object, existing, context);
      if (unchangedButForTimes(object, existing, resource.storage.type))
        setOrDelete(object.metadata, 'managedFields', existing.metadata.managedFields);
      if (context.turn !== undefined) await context.turn();
      await request.validateUpdate?.(object, existing);

      if (context.turn !== undefined) await context.turn();
      if (this.#emptiedFinalizers(object, existing, request)) return await this.#deleteFinalized(key, entry, object, context);
      // A quirk kept: only what is stored loses it.
      if (!context.dryRun) delete object.metadata.selfLink;
      const updated = await this.#encodeAsRead(key, object, request.subresourceUpdate === undefined, context.turn);
      // Nothing is written here that would tell of another's write: what the cache says must be confirmed.
      const isAlike = this.#readOtherwise?.has(updated.value) === this.#readOtherwise?.has(entry.value);
      const unchanged = !entry.stale && isAlike && updated.value.equals(entry.value);
      if ((unchanged || context.dryRun) && !current) return undefined;
      if (unchanged) return { entry, created: false };
      if (context.dryRun) return { entry: updated.at(entry.revision), created: false };
      const others = reservation === undefined ? [] : await reservation.operations();
      const condition = { expect: entry.revision, others, ...this.#ttl(object, context) };
      const { written, result } = await this.#write(object, updated, condition, request.keepsOwners ?? false);
      if (!result.succeeded) return undefined;
      revision = result.revision;
      request.subresourceUpdate?.written?.(object, existing);
      return { entry: written.at(revision), created: false };
    } finally {
      if (reservation !== undefined) await reservation.finish(revision);
    }
  }

  /** Stores an object. One that is too large for the store goes there without its managedFields, which may be large themselves. */
  async #write(
    object: KubeObject,
    entry: StoredEntry,
    { others, ...condition }: { readonly expect: number; readonly ttlSeconds?: number; readonly others: readonly Operation[] },
    keepsOwners: boolean,
  ): Promise<{ readonly written: StoredEntry; readonly result: TransactResult }> {
    const put = ({ key, value }: StoredEntry): Promise<TransactResult> =>
      this.storage.transact([{ type: 'put', key, value, ...condition }, ...others]);
    try {
      return { written: entry, result: await put(entry) };
    } catch (error) {
      if (!(error instanceof ValueTooLargeError) || keepsOwners || object.metadata.managedFields === undefined) throw error;
      delete object.metadata.managedFields;
      const written = await this.#encodeAsRead(entry.key, object);
      return { written, result: await put(written) };
    }
  }

  #checkResourceVersion(name: string, object: KubeObject, entry: StoredEntry, request: UpdateRequest, version: string): void {
    const { groupResource, strategy } = this.resource;
    const asked = resourceVersionOf(object);
    if (asked === 0) {
      const unconditional = request.subresourceUpdate?.allowUnconditionalUpdate ?? strategy.allowUnconditionalUpdate ?? true;
      if (forVersion(unconditional, version)) {
        object.metadata.resourceVersion = String(entry.revision);
        return;
      }
      const error = invalidField(FieldPath.root('metadata').child('resourceVersion'), 0, 'must be specified for an update');
      throw invalid({ group: groupResource.group, kind: groupResource.resource }, name, [error]);
    }
    if (asked !== entry.revision) throw conflict(groupResource, name, optimisticLockMessage);
  }

  #checkPreconditions({ metadata }: KubeObject, preconditions: Preconditions | undefined, context: WriteContext): void {
    const { name = '' } = metadata;
    // It may have been stored without one.
    if (preconditions?.uid !== undefined && preconditions.uid !== (metadata.uid ?? '')) {
      throw this.#preconditionFailed(context, name, `UID in precondition: ${preconditions.uid}, UID in object meta: ${metadata.uid ?? ''}`);
    }
    if (preconditions?.resourceVersion !== undefined && preconditions.resourceVersion !== metadata.resourceVersion) {
      throw this.#preconditionFailed(
        context,
        name,
        `ResourceVersion in precondition: ${preconditions.resourceVersion}, ResourceVersion in object meta: ${metadata.resourceVersion ?? ''}`,
      );
    }
  }

  /** A quirk kept: where nothing is stored, the key is the one that comes before the prefix of all keys is put to it. */
  #preconditionFailed({ namespace, dryRun }: WriteContext, name: string, message: string): ApiError {
    const key = this.key(namespace, name);
    const shown = dryRun ? key.slice(this.resource.storagePrefix.length) : key;
    return conflict(
      this.resource.groupResource,
      name,
      `StorageError: invalid object, Code: 4, Key: ${shown}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ${message}`,
    );
  }

  /** The last finalizer is gone from an object that waits to be deleted: the update becomes its deletion. */
  #emptiedFinalizers(object: KubeObject, existing: KubeObject, request: UpdateRequest): boolean {
    if (object.metadata.finalizers?.length || existing.metadata.deletionTimestamp === undefined) return false;
    if (existing.metadata.deletionGracePeriodSeconds) return false;
    return (request.subresourceUpdate?.deleteDuringUpdate ?? this.resource.strategy.deleteDuringUpdate)?.(object, existing) ?? true;
  }

  async #deleteFinalized(key: string, entry: StoredEntry, object: KubeObject, context: WriteContext): Promise<UpdateResult | undefined> {
    if (!context.dryRun && (await this.remove(entry, () => this.parse(entry), context)) === undefined) return undefined;
    return { entry: this.#encode(key, object).at(entry.revision), created: false };
  }

  /** Removes a stored object together with what it had reserved. Returns it at the revision of its end; undefined: another write was first. */
  async remove(entry: StoredEntry, object: () => KubeObject, context: WriteContext): Promise<StoredEntry | undefined> {
    const { key, revision } = entry;
    const reservation = await this.resource.strategy.beginDelete?.(object(), context);
    let removedAt: number | undefined;
    try {
      const result = await this.storage.transact([{ type: 'delete', key, expect: revision }, ...((await reservation?.operations()) ?? [])]);
      if (result.succeeded) removedAt = result.revision;
      else if (result.values[0] !== undefined) return undefined;
      return removedAt === undefined ? entry : entry.at(removedAt);
    } finally {
      await reservation?.finish(removedAt);
    }
  }

  /** A create of this object as part of a transaction on another one. */
  createOperation(object: KubeObject): Operation {
    const { name = '', namespace = '' } = object.metadata;
    const key = this.key(namespace, name);
    return { type: 'put', key, value: this.#encode(key, object).value, expect: 0 };
  }

  /** As `#encode`, as it will be read. */
  #encodeAsRead(key: string, object: KubeObject, isVetted = false, turn?: Turn): StoredEntry | Promise<StoredEntry> {
    const { readBack, storage } = this.resource;
    if (turn !== undefined && storage.encodingStored !== undefined) return this.#encodeInTurns(key, object, isVetted);
    const entry = this.#encode(key, object, isVetted);
    return readBack === undefined ? entry : this.#asRead(entry, readBack);
  }

  async #encodeInTurns(key: string, object: KubeObject, isVetted: boolean): Promise<StoredEntry> {
    const { readBack, storage } = this.resource;
    const resourceVersion = this.#dressForStorage(object);
    const value = await stepByStep(storage.encodingStored!(object));
    const entry = this.#entryOf(key, object, value, resourceVersion, isVetted);
    return readBack === undefined ? entry : this.#asRead(entry, readBack);
  }

  async #asRead({ key, value }: StoredEntry, readBack: NonNullable<Resource['readBack']>): Promise<StoredEntry> {
    return this.decode({ key, value: await readBack(value), modRevision: 0, createRevision: 0, version: 0 });
  }

  /** The entry that the object will be, at revision 0. The cache will recognise its bytes when they come back from the store. */
  #encode(key: string, object: KubeObject, isVetted = false): StoredEntry {
    const resourceVersion = this.#dressForStorage(object);
    const value = this.resource.storage.encodeStored(object, this.#writing);
    return this.#entryOf(key, object, value, resourceVersion, isVetted);
  }

  /** Its kind and version are those of the store, which has no revision in it; returns the one it had. */
  #dressForStorage(object: KubeObject): string | undefined {
    const { storage } = this.resource;
    object.kind = storage.kind;
    object.apiVersion = storage.apiVersion;
    const { resourceVersion } = object.metadata;
    delete object.metadata.resourceVersion;
    return resourceVersion;
  }

  #entryOf(key: string, object: KubeObject, value: Buffer, resourceVersion: string | undefined, isVetted: boolean): StoredEntry {
    const { metadata } = object;
    const { storage } = this.resource;
    if (this.resource.strategy.isReadOtherwise?.(object)) (this.#readOtherwise ??= new WeakSet()).add(value);
    setOrDelete(metadata, 'resourceVersion', resourceVersion);
    const entry = new StoredEntry(
      key,
      0,
      metadata.labels,
      this.selectableFields(object),
      value,
      locate(value, this.#bodyPrefix, storage.profile.json.sortsKeys),
      false,
      isVetted,
    );
    this.#written.set(value, entry);
    return entry;
  }

  #ttl(object: KubeObject, context: WriteContext): { ttlSeconds: number } | undefined {
    const ttlSeconds = this.resource.definition.ttlSeconds?.(object, context);
    return ttlSeconds === undefined ? undefined : { ttlSeconds };
  }
}

/** a number that needs no more than a float64 */
const shortNumber = /^[0-9]{1,15}$/;

/** Checks an object: at once where that cannot take long, which is so when it is small and its kind has no expressions to evaluate. */
function pass(
  checking: Steps<void>,
  { validateInSteps }: Pick<Strategy, 'validateInSteps'>,
  { turn }: WriteContext,
): Promise<void> | undefined {
  if (turn !== undefined || validateInSteps !== undefined) return stepByStep(checking);
  allSteps(checking);
  return undefined;
}

/** 0 when the object names none. What is not a number gives 500 and no reason, as by upstream: a plain Error. */
function resourceVersionOf({ metadata }: KubeObject): number {
  const { resourceVersion = '' } = metadata;
  if (shortNumber.test(resourceVersion)) return Number(resourceVersion);
  return resourceVersion === '' ? 0 : Number(parseUint64(resourceVersion));
}

/** A client that creates an object cannot know its revision. One that is no number, or too large for one, is overlooked, as by upstream. */
function claimsRevision({ metadata }: KubeObject): boolean {
  const { resourceVersion = '' } = metadata;
  if (!/^[0-9]+$/.test(resourceVersion)) return false;
  const revision = integerOf(resourceVersion);
  return revision > 0n && revision < 2n ** 64n;
}

/** Nothing differs but the times in managedFields: then the old ones stay, and the write is none. */
function unchangedButForTimes(object: KubeObject, existing: KubeObject, type: StructType): boolean {
  if (!deepEqual(object.metadata.labels, existing.metadata.labels)) return false;
  if (!deepEqual(object.metadata.annotations, existing.metadata.annotations)) return false;
  for (const key of new Set([...Object.keys(object), ...Object.keys(existing)])) {
    if (key === 'metadata' || key === 'kind' || key === 'apiVersion') continue;
    if (!semanticDeepEqual(object[key], existing[key], type.byName.get(key)?.type)) return false;
  }
  const withoutTimes = ({ metadata: { managedFields, resourceVersion: _, ...rest } }: KubeObject): unknown => ({
    ...rest,
    managedFields: managedFields?.map(({ time: __, ...entry }) => entry),
  });
  return deepEqual(withoutTimes(object), withoutTimes(existing));
}
