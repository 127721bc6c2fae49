// Upstream: k8s.io/kubernetes/pkg/controller/garbagecollector/graph_builder.go#syncMonitors
import type { Informers, Ownership } from '../common/informers.ts';
import type { ServedResource } from '../common/served-resources.ts';
import { resourcePath } from '../common/served-resources.ts';
import type { Graph } from './graph.ts';
import type { Kinds } from './kinds.ts';

/** Tells the graph of every object: one watch of metadata for each resource. */
export class Monitors implements Disposable {
  readonly #informers: Informers;
  readonly #graph: Graph;
  readonly #watched = new Map<string, { readonly groupVersion: string; readonly subscription: Disposable }>();

  constructor(informers: Informers, graph: Graph) {
    this.#informers = informers;
    this.#graph = graph;
  }

  /** These resources and no others, from now on; what a server that does not respond had before stays. */
  watch({ collected, unknown }: Kinds): void {
    const wanted = new Map(collected.map((resource) => [resourcePath(resource), resource]));
    for (const [path, { groupVersion, subscription }] of this.#watched) {
      if (wanted.has(path) || unknown.has(groupVersion)) continue;
      this.#watched.delete(path);
      subscription[Symbol.dispose]();
    }
    for (const [path, resource] of wanted) if (!this.#watched.has(path)) this.#watched.set(path, this.#subscribe(path, resource));
  }

  /** Resolves when all objects of the first lists have been delivered. */
  async synced(): Promise<void> {
    await Promise.all([...this.#watched.keys()].map((path) => this.#informers.ownership(path).synced));
  }

  [Symbol.dispose](): void {
    for (const { subscription } of this.#watched.values()) subscription[Symbol.dispose]();
    this.#watched.clear();
  }

  #subscribe(path: string, { group, version, kind }: ServedResource): { groupVersion: string; subscription: Disposable } {
    const apiVersion = group === '' ? version : `${group}/${version}`;
    const changed = ({ metadata }: Ownership): void => {
      const { name = '', namespace = '', uid = '' } = metadata;
      this.#graph.observe({ apiVersion, kind, namespace, name, uid }, metadata);
    };
    const deleted = ({ metadata }: Ownership): void => this.#graph.remove(metadata.uid ?? '');
    return { groupVersion: `${group}/${version}`, subscription: this.#informers.ownership(path).subscribe({ changed, deleted }) };
  }
}
