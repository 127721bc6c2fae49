// Upstream: k8s.io/kubernetes/pkg/controller/resourcequota/resource_quota_monitor.go
import type { Evaluator } from '../../apis/common/quota/evaluators.ts';
import { evaluatorOf } from '../../apis/common/quota/evaluators.ts';
import { isUncounted } from '../../apis/common/quota/scopes.ts';
import { deepEqual } from '../../machinery/deep-equal.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import { IndexOf } from '../common/index-of.ts';
import type { Informer } from '../common/informer.ts';
import type { Informers } from '../common/informers.ts';
import type { ServedResource } from '../common/served-resources.ts';
import { resourcePath } from '../common/served-resources.ts';
import type { Counted } from './usage.ts';

/** Kinds whose usage follows from more than that they are there. */
const evaluatedWhole: ReadonlySet<string> = new Set(['/pods', '/services', '/persistentvolumeclaims', 'resource.k8s.io/resourceclaims']);
const features = { volumeAttributes: true, podLevel: true };

interface Monitor {
  readonly evaluator: Evaluator;
  readonly informer: Informer<KubeObject>;
  readonly byNamespace: IndexOf<KubeObject>;
  readonly subscription: Disposable;
}

/** Follows the resources that quotas limit, and no others. `freed` is called when an object of a namespace takes less than before. */
export class Monitors implements Disposable {
  readonly #informers: Informers;
  readonly #freed: (namespace: string, evaluator: Evaluator) => void;
  readonly #now: () => number;
  readonly #watched = new Map<string, Monitor>();

  constructor(informers: Informers, now: () => number, freed: (namespace: string, evaluator: Evaluator) => void) {
    this.#informers = informers;
    this.#now = now;
    this.#freed = freed;
  }

  /** Resolves when all objects of what these names of quotas stand for are known. */
  async watch(resources: readonly ServedResource[], names: ReadonlySet<string>): Promise<void> {
    const wanted = new Map<string, () => Monitor>();
    for (const resource of resources) {
      const { group, resource: plural, namespaced, verbs } = resource;
      if (!namespaced || isUncounted(group, plural) || !['create', 'list', 'watch', 'delete'].every((verb) => verbs.includes(verb)))
        continue;
      const evaluator = evaluatorOf(group, plural, features);
      if (names.values().some((name) => evaluator.evaluates(name)))
        wanted.set(`${group}/${plural}`, () => this.#follow(resource, evaluator));
    }
    for (const [key, monitor] of this.#watched) {
      if (wanted.has(key)) continue;
      this.#watched.delete(key);
      end(monitor);
    }
    for (const [key, follow] of wanted) if (!this.#watched.has(key)) this.#watched.set(key, follow());
    await Promise.all(this.#watched.values().map(({ informer }) => informer.synced));
  }

  *counted(namespace: string): Generator<Counted> {
    for (const { evaluator, byNamespace } of this.#watched.values()) yield { evaluator, objects: () => byNamespace.get(namespace) };
  }

  /** How many objects that is. */
  count(namespace: string): number {
    return this.#watched.values().reduce((sum, { byNamespace }) => sum + byNamespace.count(namespace), 0);
  }

  [Symbol.dispose](): void {
    for (const monitor of this.#watched.values()) end(monitor);
    this.#watched.clear();
  }

  #follow(resource: ServedResource, evaluator: Evaluator): Monitor {
    const path = resourcePath(resource);
    const isWhole = evaluatedWhole.has(`${resource.group}/${resource.resource}`);
    const informer = (isWhole ? this.#informers.of(path) : this.#informers.ownership(path)) as Informer<KubeObject>;
    // Before the subscription below: who counts because of a change must find what is there after it.
    const byNamespace = new IndexOf(informer, ({ metadata }) => metadata.namespace);
    const freed = ({ metadata }: KubeObject): void => this.#freed(metadata.namespace ?? '', evaluator);
    const subscription = informer.subscribe({
      // What is added was charged by admission before it was stored.
      changed: (object, old) => {
        if (isWhole && old !== undefined && this.#differs(evaluator, object, old)) freed(object);
      },
      deleted: freed,
    });
    return { evaluator, informer, byNamespace, subscription };
  }

  #differs(evaluator: Evaluator, object: KubeObject, old: KubeObject): boolean {
    const now = this.#now();
    const shown = (one: KubeObject): object =>
      Object.fromEntries([...evaluator.usage(one, now)].map(([name, amount]) => [name, String(amount)]));
    return !deepEqual(shown(object), shown(old));
  }
}

function end({ byNamespace, subscription }: Monitor): void {
  subscription[Symbol.dispose]();
  byNamespace[Symbol.dispose]();
}
