// Upstream: k8s.io/kubernetes/pkg/controller/resourcequota/resource_quota_monitor.go
import type { Evaluator } from '../../apis/common/quota/evaluators.ts';
import { evaluatorOf } from '../../apis/common/quota/evaluators.ts';
import { isUncounted } from '../../apis/common/quota/scopes.ts';
import { deepEqual } from '../../machinery/deep-equal.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
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
    for (const [key, { subscription }] of this.#watched) {
      if (wanted.has(key)) continue;
      this.#watched.delete(key);
      subscription[Symbol.dispose]();
    }
    for (const [key, follow] of wanted) if (!this.#watched.has(key)) this.#watched.set(key, follow());
    await Promise.all(this.#watched.values().map(({ informer }) => informer.synced));
  }

  *counted(namespace: string): Generator<Counted> {
    for (const { evaluator, informer } of this.#watched.values())
      yield { evaluator, objects: () => informer.values().filter(({ metadata }) => metadata.namespace === namespace) };
  }

  [Symbol.dispose](): void {
    for (const { subscription } of this.#watched.values()) subscription[Symbol.dispose]();
    this.#watched.clear();
  }

  #follow(resource: ServedResource, evaluator: Evaluator): Monitor {
    const path = resourcePath(resource);
    const isWhole = evaluatedWhole.has(`${resource.group}/${resource.resource}`);
    const informer = (isWhole ? this.#informers.of(path) : this.#informers.ownership(path)) as Informer<KubeObject>;
    const freed = ({ metadata }: KubeObject): void => this.#freed(metadata.namespace ?? '', evaluator);
    const subscription = informer.subscribe({
      // What is added was charged by admission before it was stored.
      changed: (object, old) => {
        if (isWhole && old !== undefined && this.#differs(evaluator, object, old)) freed(object);
      },
      deleted: freed,
    });
    return { evaluator, informer, subscription };
  }

  #differs(evaluator: Evaluator, object: KubeObject, old: KubeObject): boolean {
    const now = this.#now();
    const shown = (one: KubeObject): object =>
      Object.fromEntries([...evaluator.usage(one, now)].map(([name, amount]) => [name, String(amount)]));
    return !deepEqual(shown(object), shown(old));
  }
}
