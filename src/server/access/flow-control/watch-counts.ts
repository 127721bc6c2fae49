// Upstream: k8s.io/apiserver/pkg/util/flowcontrol/watch_tracker.go
import { FieldSelectorError, parseFieldSelector } from '../../../machinery/fields.ts';
import type { ParsedRequest } from '../../request/stages.ts';
import type { RequestInfo } from '../../request/request-info.ts';

/** Watches of one value of this field are found without looking at the others: they are not counted as woken by every write. */
const indexedFields: Readonly<Record<string, string>> = { pods: 'spec.nodeName' };

/** How many watches a write would wake. */
export class WatchCounts {
  readonly #counts = new Map<string, number>();

  /** Counts a watch until what is returned is called. */
  add(request: ParsedRequest): () => void {
    const { group, resource, namespace, name } = request.info;
    const field = indexedFields[resource];
    if (field !== undefined && isIndexed(request, field)) return () => {};
    const key = keyOf(group, resource, namespace, name);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    return () => {
      const left = (this.#counts.get(key) ?? 1) - 1;
      if (left === 0) this.#counts.delete(key);
      else this.#counts.set(key, left);
    };
  }

  interestedIn({ group, resource, namespace, name }: RequestInfo): number {
    const counts = this.#counts;
    if (counts.size === 0) return 0;
    let found = counts.get(keyOf(group, resource, '', '')) ?? 0;
    if (namespace !== '') found += counts.get(keyOf(group, resource, namespace, '')) ?? 0;
    if (name !== '') found += counts.get(keyOf(group, resource, namespace, name)) ?? 0;
    return found;
  }
}

function keyOf(group: string, resource: string, namespace: string, name: string): string {
  return `${group}/${resource}/${namespace}/${name}`;
}

function isIndexed({ query }: ParsedRequest, field: string): boolean {
  const selector = query.get('fieldSelector');
  if (selector === null) return false;
  try {
    return (parseFieldSelector(selector).exactMatch(field) ?? '') !== '';
  } catch (error) {
    // The watch itself says what is wrong with it.
    if (error instanceof FieldSelectorError) return false;
    throw error;
  }
}
