import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import type { WatchEvent } from '../controllers/common/client.ts';
import { Informer } from '../controllers/common/informer.ts';
import type { InProcessClient } from '../controlplane/in-process-client.ts';
import type { KubeObject } from '../machinery/kube-object.ts';
import { ApiError } from '../machinery/errors.ts';
import type { Draft } from './kinds.ts';
import type { Reconcile, Reconciler } from './reconciler.ts';
import { startReconciler } from './reconciler.ts';
import type { ResourcePath, ResourcePaths } from './resource-paths.ts';
import type { Condition, WaitOptions } from './wait-for.ts';
import { waitFor } from './wait-for.ts';

export interface ReadOptions {
  /** of the object; default that of the resource client, else `default` */
  readonly namespace?: string;
  /** `status`, `scale` */
  readonly subresource?: string;
}

export interface WriteOptions extends ReadOptions {
  /** who manages the fields that are written; default `wheelhouse` */
  readonly fieldManager?: string;
  /** go through everything, but store nothing */
  readonly dryRun?: boolean;
  /** what to do with unknown and duplicate fields; default Strict, so that tests find misspellings */
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict';
}

export interface ApplyOptions extends WriteOptions {
  /** take over fields that others manage */
  readonly force?: boolean;
}

export interface PatchOptions extends WriteOptions {
  /** default: a merge patch for an object, a JSON patch for a list */
  readonly type?: 'json' | 'merge' | 'strategic';
}

export interface DeleteOptions extends Omit<ReadOptions, 'subresource'> {
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground';
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun?: boolean;
}

export interface ListOptions {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** at most this many; `continue` of the result leads on */
  readonly limit?: number;
  readonly continue?: string;
  readonly resourceVersion?: string;
}

export interface ObjectList<T> {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string; readonly remainingItemCount?: number };
  readonly items: T[];
}

export interface ResourceEvent<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: T;
}

export interface ResourceClientParts {
  readonly client: InProcessClient;
  readonly paths: ResourcePaths;
  readonly clock: Clock;
  readonly log: Logger;
  /** aborted when the server stops */
  readonly stopping: AbortSignal;
}

const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

/** Objects of one kind: in one namespace, in all of them, or of the cluster. Failures are thrown as ApiError. */
export class ResourceClient<T extends object = KubeObject> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly #parts: ResourceClientParts;

  constructor(parts: ResourceClientParts, apiVersion: string, kind: string, namespace?: string) {
    this.#parts = parts;
    this.apiVersion = apiVersion;
    this.kind = kind;
    this.namespace = namespace;
  }

  async get(name: string, options: ReadOptions = {}): Promise<T> {
    return (await this.#parts.client.get(await this.#pathOf(name, options))) as T;
  }

  /** The object, or undefined if there is none. */
  async find(name: string, options: ReadOptions = {}): Promise<T | undefined> {
    try {
      return await this.get(name, options);
    } catch (error) {
      if (error instanceof ApiError && error.code === 404) return undefined;
      throw error;
    }
  }

  async list(options: ListOptions = {}): Promise<ObjectList<T>> {
    const target = `${await this.#collection()}${queryOf({ ...options })}`;
    const { metadata, items } = (await this.#parts.client.get(target)) as { metadata: ObjectList<T>['metadata']; items: T[] | null };
    // Items of built-in lists do not say what they are.
    return { metadata, items: (items ?? []).map((item) => ({ ...item, apiVersion: this.apiVersion, kind: this.kind })) };
  }

  /** Changes, from a version on or from now on, until the loop over them is left or the signal is aborted. */
  async *watch({ signal, resourceVersion, ...options }: ListOptions & { readonly signal?: AbortSignal } = {}): AsyncGenerator<
    ResourceEvent<T>
  > {
    const from = resourceVersion ?? (await this.list({ ...options, limit: 1 })).metadata.resourceVersion;
    const path = `${await this.#collection()}${queryOf({ ...options })}`;
    using left = new Left(signal);
    const events: AsyncIterable<WatchEvent> = this.#parts.client.watch(path, { resourceVersion: from, signal: left.signal });
    for await (const event of events) yield event as WatchEvent & { readonly object: T };
  }

  async create(object: Draft<T>, options: WriteOptions = {}): Promise<T> {
    const whole = this.#complete(object);
    const { name } = whole.metadata;
    const path =
      options.subresource === undefined ? await this.#collectionOf(whole, options) : await this.#pathOf(name ?? '', options, whole);
    return this.#write('POST', path, 'application/json', whole, options);
  }

  async update(object: Draft<T>, options: WriteOptions = {}): Promise<T> {
    const whole = this.#complete(object);
    return this.#write('PUT', await this.#pathOf(nameOf(whole), options, whole), 'application/json', whole, options);
  }

  async patch(name: string, patch: Draft<T> | readonly object[], options: PatchOptions = {}): Promise<T> {
    const type = patchTypes[options.type ?? (Array.isArray(patch) ? 'json' : 'merge')];
    return this.#write('PATCH', await this.#pathOf(name, options), type, patch, options);
  }

  /** Server-side apply. */
  async apply(object: Draft<T>, { force = false, ...options }: ApplyOptions = {}): Promise<T> {
    const whole = this.#complete(object);
    const path = await this.#pathOf(nameOf(whole), options, whole);
    return this.#write('PATCH', path, 'application/apply-patch+yaml', whole, options, { force: String(force) });
  }

  async delete(name: string, { namespace, dryRun = false, ...options }: DeleteOptions = {}): Promise<void> {
    const path = await this.#pathOf(name, { ...(namespace !== undefined && { namespace }) });
    await this.#parts.client.write('DELETE', path, 'application/json', deleteOptions(options, dryRun));
  }

  /** All that a list with the same options has. */
  async deleteCollection(
    options: Pick<ListOptions, 'labelSelector' | 'fieldSelector'> & Omit<DeleteOptions, 'namespace' | 'preconditions'> = {},
  ): Promise<void> {
    const { labelSelector, fieldSelector, dryRun = false, ...rest } = options;
    const target = `${await this.#collection()}${queryOf({ labelSelector, fieldSelector })}`;
    await this.#parts.client.write('DELETE', target, 'application/json', deleteOptions(rest, dryRun));
  }

  /** Resolves with the object when the condition holds for it; rejects with what it was last when that takes too long. */
  waitFor(name: string, condition: Condition<T>, options: WaitOptions & ReadOptions = {}): Promise<T | undefined> {
    const { namespace } = options;
    const one = namespace === undefined ? this : new ResourceClient<T>(this.#parts, this.apiVersion, this.kind, namespace);
    return waitFor(one, name, condition, options);
  }

  /** A copy of the objects that is kept up to date while it has a subscriber. */
  async informer(options: Pick<ListOptions, 'labelSelector' | 'fieldSelector'> = {}): Promise<Informer<T & KubeObject>> {
    const { client, clock, log } = this.#parts;
    return new Informer<T & KubeObject>({ client, clock, log, path: `${await this.#collection()}${queryOf({ ...options })}` });
  }

  /** A controller of these objects: calls the function for each that is there and after each change, until it or the server stops. */
  async reconcile(
    reconcile: Reconcile<T & KubeObject>,
    options: Pick<ListOptions, 'labelSelector' | 'fieldSelector'> = {},
  ): Promise<Reconciler> {
    const { clock, log, stopping: signal } = this.#parts;
    return startReconciler(await this.informer(options), reconcile, { clock, log, signal });
  }

  #complete(object: Draft<T>): KubeObject {
    const { apiVersion, kind } = this;
    const { metadata, ...rest } = object as KubeObject;
    return { ...rest, apiVersion, kind, metadata: metadata ?? {} };
  }

  async #write(
    method: string,
    path: string,
    type: string,
    body: unknown,
    options: WriteOptions,
    more: Record<string, string> = {},
  ): Promise<T> {
    const { fieldManager = 'wheelhouse', fieldValidation = 'Strict', dryRun = false } = options;
    const query = queryOf({ fieldManager, fieldValidation, dryRun: dryRun ? 'All' : undefined, ...more });
    return (await this.#parts.client.write(method, `${path}${query}`, type, body)) as object as T;
  }

  #path(): Promise<ResourcePath> {
    return this.#parts.paths.of(this.apiVersion, this.kind);
  }

  /** Of all that this client is for. */
  async #collection(): Promise<string> {
    return collectionPath(await this.#path(), this.namespace);
  }

  async #collectionOf({ metadata }: KubeObject, { namespace }: ReadOptions): Promise<string> {
    return collectionPath(await this.#path(), namespace ?? metadata.namespace ?? this.namespace ?? 'default');
  }

  async #pathOf(name: string, options: ReadOptions, object?: KubeObject): Promise<string> {
    // An empty name would be the collection: a delete of one object must not become one of all.
    if (name === '') throw new TypeError(`the name of a ${this.kind} is missing`);
    const { subresource } = options;
    const collection = await this.#collectionOf(object ?? { metadata: {} }, options);
    return `${collection}/${encodeURIComponent(name)}${subresource === undefined ? '' : `/${subresource}`}`;
  }
}

/** A signal for a loop that may be left early. */
class Left implements Disposable {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #abort = (): void => this.#controller.abort();

  constructor(outer: AbortSignal | undefined) {
    this.#outer = outer;
    outer?.addEventListener('abort', this.#abort, { once: true });
    if (outer?.aborted) this.#abort();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  [Symbol.dispose](): void {
    this.#outer?.removeEventListener('abort', this.#abort);
    this.#abort();
  }
}

function collectionPath({ root, plural, namespaced }: ResourcePath, namespace: string | undefined): string {
  return namespaced && namespace !== undefined ? `${root}/namespaces/${encodeURIComponent(namespace)}/${plural}` : `${root}/${plural}`;
}

function nameOf({ kind, metadata }: KubeObject): string {
  if (metadata.name === undefined) throw new TypeError(`metadata.name of a ${kind} is missing`);
  return metadata.name;
}

function deleteOptions(options: object, dryRun: boolean): object {
  return { apiVersion: 'v1', kind: 'DeleteOptions', ...options, ...(dryRun && { dryRun: ['All'] }) };
}

function queryOf(parameters: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string | number] => entry[1] !== undefined);
  return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}
