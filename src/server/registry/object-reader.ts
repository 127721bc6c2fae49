import { notFound } from '../../machinery/errors.ts';
import type { GroupVersionKind } from '../../machinery/type-model.ts';
import type { KubeObject } from './definition.ts';
import type { StoredEntry } from './entry.ts';
import type { Resource } from './resource.ts';

/** Reading other objects of the same server: for hooks of kinds, admission plugins and authorizers. Reads from the watch cache. */
export class ObjectReader {
  readonly #resource: (group: string, plural: string) => Resource | undefined;
  readonly #resources: () => Iterable<Resource>;
  readonly #recent: RecentObjects;

  constructor(
    resource: (group: string, plural: string) => Resource | undefined,
    resources: () => Iterable<Resource> = () => [],
    recent = new RecentObjects(),
  ) {
    this.#resource = resource;
    this.#resources = resources;
    this.#recent = recent;
  }

  /** The resource that serves a kind; undefined when this server has none. */
  resourceOf({ group, version, kind }: GroupVersionKind): Resource | undefined {
    for (const resource of this.#resources()) {
      if (resource.group === group && resource.kind === kind && resource.versions.has(version)) return resource;
    }
    return undefined;
  }

  /** Resources that show the same stored objects, the one named among them: events are in two groups. None when it is not stored. */
  equivalentResources(group: string, plural: string): Resource[] {
    const own = this.find(group, plural);
    return own === undefined ? [] : [...this.#resources()].filter(({ keyPrefix }) => keyPrefix === own.keyPrefix);
  }

  /** undefined: this server does not have it, or is configured not to serve it. */
  find(group: string, plural: string): Resource | undefined {
    return this.#resource(group, plural);
  }

  /** Throws when the server has no such resource: a fault of ours, not of a client. */
  resource(group: string, plural: string): Resource {
    const found = this.find(group, plural);
    if (found === undefined) throw new Error(`this server has no resource ${plural} in group ${JSON.stringify(group)}`);
    return found;
  }

  /** The object as it is now; undefined when there is none. Shared with other readers: not to be changed. */
  get<T extends KubeObject>(group: string, plural: string, namespace: string, name: string): T | Promise<T | undefined> {
    const resource = this.resource(group, plural);
    return (
      (resource.store.cache.isReady ? this.#cached<T>(resource, namespace, name) : undefined) ?? this.#read<T>(resource, namespace, name)
    );
  }

  #cached<T extends KubeObject>(resource: Resource, namespace: string, name: string): T | undefined {
    const { store } = resource;
    const cached = store.cache.get(store.key(namespace, name));
    return cached === undefined ? undefined : this.parse<T>(resource, cached);
  }

  async #read<T extends KubeObject>(resource: Resource, namespace: string, name: string): Promise<T | undefined> {
    const { store } = resource;
    await store.cache.ready();
    const cached = this.#cached<T>(resource, namespace, name);
    if (cached !== undefined) return cached;
    // Not in the cache may mean not yet in the cache.
    const entry = await store.getCurrent(namespace, name);
    return entry === undefined ? undefined : (store.parse(entry) as T);
  }

  async require<T extends KubeObject>(group: string, plural: string, namespace: string, name: string): Promise<T> {
    const object = await this.get<T>(group, plural, namespace, name);
    if (object === undefined) throw notFound({ group, resource: plural }, name);
    return object;
  }

  /** An entry that is parsed again and again. Shared with other readers: not to be changed. */
  parse<T extends KubeObject>({ store }: Resource, entry: StoredEntry): T {
    return this.#recent.get(entry, () => store.parse(entry)) as T;
  }

  /** Whether it is known that there is none in a namespace. */
  hasNone(group: string, plural: string, namespace: string): boolean {
    const { store, keyPrefix } = this.resource(group, plural);
    return store.cache.isReady && store.cache.list({ prefix: `${keyPrefix}${namespace}/` }).total === 0;
  }

  /**
   * All objects of a namespace ('' for the whole cluster), or those whose labels match, parsed one by one as they are asked for. There may
   * be many, and each may be large: callers let others through meanwhile.
   */
  async list<T extends KubeObject>(
    group: string,
    plural: string,
    namespace: string,
    matches: (labels: Readonly<Record<string, string>>) => boolean = () => true,
  ): Promise<Iterable<T>> {
    const { store, keyPrefix } = this.resource(group, plural);
    await store.cache.ready();
    const { items } = store.cache.list({ prefix: namespace === '' ? keyPrefix : `${keyPrefix}${namespace}/` });
    return parseAll<T>(items, store, matches);
  }

  /** The same of few objects that are asked for again and again. Shared with other readers: not to be changed. */
  async listShared<T extends KubeObject>(group: string, plural: string, namespace: string): Promise<T[]> {
    const resource = this.resource(group, plural);
    const { store, keyPrefix } = resource;
    await store.cache.ready();
    const { items } = store.cache.list({ prefix: namespace === '' ? keyPrefix : `${keyPrefix}${namespace}/` });
    return Array.from(items, (entry) => this.parse<T>(resource, entry));
  }
}

/**
 * What is asked for again and again: namespaces, service accounts, quotas. Parsed objects of the last few hundred entries, or of
 * fewer large ones; what is not asked for during a whole generation is forgotten.
 */
export class RecentObjects {
  readonly #limit: number;
  /** bytes of the entries of a generation: what is parsed takes several times as much */
  readonly #mostBytes: number;
  #bytes = 0;
  #young = new Map<StoredEntry, KubeObject>();
  #old = new Map<StoredEntry, KubeObject>();

  constructor(limit = 256, mostBytes = 4 * 1024 * 1024) {
    this.#limit = limit;
    this.#mostBytes = mostBytes;
  }

  get(entry: StoredEntry, parse: () => KubeObject): KubeObject {
    const young = this.#young.get(entry);
    if (young !== undefined) return young;
    const object = this.#old.get(entry) ?? parse();
    if (this.#young.size >= this.#limit || this.#bytes + entry.value.length > this.#mostBytes) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#bytes = 0;
    }
    this.#young.set(entry, object);
    this.#bytes += entry.value.length;
    return object;
  }
}

function* parseAll<T extends KubeObject>(
  items: Iterable<StoredEntry>,
  store: Resource['store'],
  matches: (labels: Readonly<Record<string, string>>) => boolean,
): Generator<T> {
  for (const entry of items) if (matches(entry.labels ?? {})) yield store.parse(entry) as T;
}
