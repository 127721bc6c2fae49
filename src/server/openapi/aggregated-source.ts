// Upstream: k8s.io/kube-aggregator/pkg/controllers/openapi/aggregator/{aggregator,priority}.go
import type { MergeableV2 } from '../../openapi/merge-v2.ts';

/** What another server says of one of its group versions. */
export interface AggregatedDocument {
  /** of its APIService */
  readonly name: string;
  readonly group: string;
  readonly groupPriority: number;
  readonly document: MergeableV2;
}

/** Documents of OpenAPI 2 of other servers, to be merged into ours. */
export class AggregatedSource {
  readonly #documents = new Map<string, AggregatedDocument>();
  #generation = 0;

  put(document: AggregatedDocument): void {
    this.#documents.set(document.name, document);
    this.#generation++;
  }

  remove(name: string): void {
    if (this.#documents.delete(name)) this.#generation++;
  }

  get generation(): number {
    return this.#generation;
  }

  /** Groups of higher priority first: they keep the names that others want too. */
  get documents(): readonly MergeableV2[] {
    const priorities = new Map<string, number>();
    for (const { group, groupPriority } of this.#documents.values()) {
      priorities.set(group, Math.max(groupPriority, priorities.get(group) ?? 0));
    }
    return [...this.#documents.values()]
      .sort((a, b) => (priorities.get(b.group) ?? 0) - (priorities.get(a.group) ?? 0) || (a.name < b.name ? -1 : 1))
      .map(({ document }) => document);
  }
}
