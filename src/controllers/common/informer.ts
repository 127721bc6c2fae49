// Upstream: k8s.io/client-go/tools/cache
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import { pause } from '../../base/pause.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { Client } from './client.ts';

export interface InformerHandlers<T> {
  /** An object is there; `old` is what it was before, if it was known. */
  changed?(object: T, old: T | undefined): void;
  deleted?(object: T): void;
}

export interface InformerOptions<T> {
  readonly client: Client;
  /** of the list; may have a query */
  readonly path: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** media types of the list and of single objects; default JSON */
  readonly forms?: { readonly list: string; readonly object: string };
  /** What is kept of each object; default everything. */
  readonly reduce?: (object: KubeObject) => T;
}

interface List {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items?: readonly KubeObject[] | null;
}

/** of a list at a time: a page is parsed in one go */
const pageSize = 250;
const shortestPauseMs = 50;
const longestPauseMs = 30_000;

/** Knows all objects of a path, as long as there is a listener. */
export class Informer<T extends KubeObject = KubeObject> {
  readonly #options: InformerOptions<T>;
  readonly #listeners = new Set<InformerHandlers<T>>();
  #objects = new Map<string, T>();
  #synced = Promise.withResolvers<void>();
  #stopping: AbortController | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(options: InformerOptions<T>) {
    this.#options = options;
  }

  /** Resolves when the objects of the first list have been delivered. */
  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  get(namespace: string, name: string): T | undefined {
    return this.#objects.get(`${namespace}/${name}`);
  }

  values(): IteratorObject<T> {
    return this.#objects.values();
  }

  /** Tells of everything that is known, then of every change, until disposed. */
  subscribe(handlers: InformerHandlers<T>): Disposable {
    this.#listeners.add(handlers);
    if (this.#stopping === undefined) {
      this.#stopping = new AbortController();
      this.#running = this.#run(this.#running, this.#stopping.signal);
    } else if (handlers.changed !== undefined) {
      for (const object of this.#objects.values()) handlers.changed(object, undefined);
    }
    return { [Symbol.dispose]: () => this.#unsubscribe(handlers) };
  }

  /** Resolves when nothing is under way any more; all listeners must have gone. */
  get stopped(): Promise<void> {
    return this.#running;
  }

  #unsubscribe(handlers: InformerHandlers<T>): void {
    if (!this.#listeners.delete(handlers) || this.#listeners.size > 0) return;
    this.#stopping?.abort();
    this.#stopping = undefined;
    this.#objects = new Map();
    this.#synced = Promise.withResolvers();
  }

  async #run(previous: Promise<void>, signal: AbortSignal): Promise<void> {
    const { clock, log, path } = this.#options;
    await previous;
    let failures = 0;
    let resourceVersion: string | undefined;
    while (!signal.aborted) {
      try {
        resourceVersion ??= await this.#list(signal);
        const before = resourceVersion;
        resourceVersion = await this.#watch(resourceVersion, signal);
        // A watch that ends is a matter of course, one that ends again and again without having said anything is not.
        failures = before === resourceVersion || resourceVersion === undefined ? failures + 1 : 0;
      } catch (error) {
        if (signal.aborted) return;
        resourceVersion = undefined;
        failures++;
        log.v(2)?.info('watch failed and will start again', { path, err: error });
      }
      if (failures > 1) await pause(clock, Math.min(shortestPauseMs * 2 ** failures, longestPauseMs), signal);
    }
  }

  async #list(signal: AbortSignal): Promise<string> {
    const { client, path, forms } = this.#options;
    const gone = new Map(this.#objects);
    const query = new URLSearchParams({ limit: String(pageSize) });
    for (;;) {
      const { metadata, items } = (await client.get(`${path}${path.includes('?') ? '&' : '?'}${query}`, forms?.list)) as List;
      if (signal.aborted) return metadata.resourceVersion;
      for (const item of items ?? []) {
        gone.delete(keyOf(item));
        this.#put(item);
      }
      if (metadata.continue) {
        query.set('continue', metadata.continue);
        continue;
      }
      for (const object of gone.values()) this.#remove(object);
      this.#synced.resolve();
      return metadata.resourceVersion;
    }
  }

  /** The version to go on from; undefined when only a new list helps. */
  async #watch(from: string, signal: AbortSignal): Promise<string | undefined> {
    const { client, path, forms } = this.#options;
    let resourceVersion = from;
    for await (const { type, object } of client.watch(path, {
      resourceVersion,
      signal,
      ...(forms !== undefined && { accept: forms.object }),
    })) {
      if (signal.aborted || type === 'ERROR') return undefined;
      if (type === 'DELETED') this.#remove(object);
      else if (type !== 'BOOKMARK') this.#put(object);
      resourceVersion = object.metadata.resourceVersion ?? resourceVersion;
    }
    return resourceVersion;
  }

  #put(object: KubeObject): void {
    const key = keyOf(object);
    const old = this.#objects.get(key);
    if (old !== undefined && old.metadata.uid !== object.metadata.uid) this.#remove(old);
    const { reduce = (whole) => whole as T } = this.#options;
    const reduced = reduce(object);
    this.#objects.set(key, reduced);
    for (const { changed } of this.#listeners) changed?.(reduced, old?.metadata.uid === object.metadata.uid ? old : undefined);
  }

  #remove(object: KubeObject): void {
    const known = this.#objects.get(keyOf(object));
    if (known === undefined) return;
    this.#objects.delete(keyOf(object));
    for (const { deleted } of this.#listeners) deleted?.(known);
  }
}

function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}
