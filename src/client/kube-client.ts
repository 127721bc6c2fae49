import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import { InProcessCaller } from '../controlplane/in-process-call.ts';
import { InProcessClient } from '../controlplane/in-process-client.ts';
import type { Handler } from '../server/http/response.ts';
import type { KubeObject } from '../machinery/kube-object.ts';
import type { Fetch } from './in-process-fetch.ts';
import { inProcessFetch } from './in-process-fetch.ts';
import type { ApiVersion, BuiltInKinds, Draft, Manifest, ObjectOf, ObjectReference } from './kinds.ts';
import { readManifests } from './manifests.ts';
import type { ApplyOptions, DeleteOptions, ReadOptions, ResourceClientParts, WriteOptions } from './resource-client.ts';
import { ResourceClient } from './resource-client.ts';
import { ResourcePaths } from './resource-paths.ts';
import type { Condition, WaitOptions } from './wait-for.ts';

export interface KubeClientOptions {
  /** the server as it serves the user of this client */
  readonly handler: Handler;
  readonly clock: Clock;
  readonly log: Logger;
  /** aborted when the server stops */
  readonly stopping: AbortSignal;
}

/** A client of the server in this process, as one user: no socket, no certificates, all checks. Failures are thrown as ApiError. */
export class KubeClient {
  readonly #parts: ResourceClientParts;
  /** as the global `fetch`, straight into the server */
  readonly fetch: Fetch;

  constructor({ handler, ...parts }: KubeClientOptions) {
    const caller = new InProcessCaller(handler, 'wheelhouse');
    const client = new InProcessClient(caller);
    this.fetch = inProcessFetch(caller);
    this.#parts = { ...parts, client, paths: new ResourcePaths(client) };
  }

  /**
   * Objects of one kind. Built-in kinds have their types; say yours for others: `resource<Widget>('example.com/v1', 'Widget')`.
   * Without a namespace, lists and watches have all namespaces, and single objects are in the namespace that they name, else in `default`.
   */
  resource<A extends ApiVersion, K extends keyof BuiltInKinds[A] & string>(
    apiVersion: A,
    kind: K,
    namespace?: string,
  ): ResourceClient<BuiltInKinds[A][K] & object>;
  resource<T extends object = KubeObject>(apiVersion: string, kind: string, namespace?: string): ResourceClient<T>;
  resource(apiVersion: string, kind: string, namespace?: string): ResourceClient {
    return new ResourceClient(this.#parts, apiVersion, kind, namespace);
  }

  /** The object as it is now. */
  get<T extends object = KubeObject>(object: ObjectReference, options?: ReadOptions): Promise<T> {
    return this.#resourceOf<T>(object).get(object.metadata.name ?? '', options);
  }

  async create<A extends string, K extends string>(object: Manifest<A, K>, options?: WriteOptions): Promise<ObjectOf<A, K>> {
    return this.#resourceOf<ObjectOf<A, K> & object>(object as ObjectReference).create(object as Draft<ObjectOf<A, K> & object>, options);
  }

  update<T extends ObjectReference>(object: T, options?: WriteOptions): Promise<T> {
    return this.#resourceOf<T>(object).update(object as Draft<T>, options);
  }

  /** Server-side apply. */
  async apply<A extends string, K extends string>(object: Manifest<A, K>, options?: ApplyOptions): Promise<ObjectOf<A, K>> {
    return this.#resourceOf<ObjectOf<A, K> & object>(object as ObjectReference).apply(object as Draft<ObjectOf<A, K> & object>, options);
  }

  delete(object: ObjectReference, options?: Omit<DeleteOptions, 'namespace'>): Promise<void> {
    return this.#resourceOf(object).delete(object.metadata.name ?? '', options);
  }

  /** Resolves with the object when the condition holds for it; rejects with what it was last when that takes too long. */
  waitFor<T extends ObjectReference>(object: T, condition: Condition<T>, options?: WaitOptions): Promise<T | undefined> {
    return this.#resourceOf<T>(object).waitFor(object.metadata.name ?? '', condition, options);
  }

  /**
   * Applies all objects in YAML and JSON files, and in those of folders: definitions and namespaces first. Resolves with the objects when
   * custom resource definitions are established.
   */
  async applyFiles(...places: readonly string[]): Promise<KubeObject[]> {
    const manifests = await readManifests(places);
    const applied: KubeObject[] = [];
    for (const manifest of manifests.toSorted((left, right) => precedence(left) - precedence(right))) {
      const object = await this.apply(manifest as Manifest, { force: true });
      applied.push(manifest.kind === 'CustomResourceDefinition' ? ((await this.waitFor(object, 'Established')) ?? object) : object);
    }
    return applied;
  }

  #resourceOf<T extends object = KubeObject>({ apiVersion, kind, metadata = {} }: ObjectReference): ResourceClient<T> {
    if (apiVersion === undefined || kind === undefined) throw new TypeError('an object without apiVersion and kind cannot be found');
    return new ResourceClient<T>(this.#parts, apiVersion, kind, metadata.namespace ?? 'default');
  }
}

const first: readonly string[] = ['Namespace', 'CustomResourceDefinition'];

function precedence({ kind }: Manifest): number {
  return first.includes(kind) ? 0 : 1;
}
