import type { AdmissionOperation, AdmittedResource } from '../admission.ts';
import type { EndpointMatch, MatchCriteria, MatchedEndpoint, EquivalentResources } from './match-criteria.ts';

/** Something that applies to some requests: a webhook, or a policy. */
export interface Matchable {
  readonly criteria: MatchCriteria;
}

export interface Candidate<T> {
  readonly item: T;
  readonly at: EndpointMatch;
}

type ByOperation<T> = Partial<Record<AdmissionOperation, readonly Candidate<T>[]>>;

/**
 * Which of many webhooks or policies may apply to requests of an endpoint, worked out when the first such request comes. Requests that
 * nothing applies to, which are nearly all, cost three lookups. Made anew when the items change; a resource that changes is a new one,
 * so that what was known of the old one is forgotten with it.
 */
export class EndpointIndex<T extends Matchable> {
  readonly #items: readonly T[];
  readonly #equivalentTo: EquivalentResources;
  readonly #known = new WeakMap<AdmittedResource, Map<string, Map<string, ByOperation<T>>>>();

  constructor(items: readonly T[], equivalentTo: EquivalentResources) {
    this.#items = items;
    this.#equivalentTo = equivalentTo;
  }

  /** In the order of the items. */
  candidates(endpoint: MatchedEndpoint): readonly Candidate<T>[] {
    if (this.#items.length === 0) return none;
    const { resource, version, subresource, operation } = endpoint;
    let byVersion = this.#known.get(resource);
    if (byVersion === undefined) this.#known.set(resource, (byVersion = new Map<string, Map<string, ByOperation<T>>>()));
    let bySubresource = byVersion.get(version);
    if (bySubresource === undefined) byVersion.set(version, (bySubresource = new Map<string, ByOperation<T>>()));
    let byOperation = bySubresource.get(subresource);
    if (byOperation === undefined) bySubresource.set(subresource, (byOperation = {}));
    return (byOperation[operation] ??= this.#find(endpoint));
  }

  #find(endpoint: MatchedEndpoint): readonly Candidate<T>[] {
    const found: Candidate<T>[] = [];
    for (const item of this.#items) {
      const at = item.criteria.at(endpoint, this.#equivalentTo);
      if (at !== undefined) found.push({ item, at });
    }
    return found;
  }
}

const none: readonly never[] = Object.freeze([]);
