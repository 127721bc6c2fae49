import type { GroupVersion } from '../../machinery/type-model.ts';
import type { DiscoveredGroupVersion } from './group-version.ts';
import type { DiscoveredGroup } from './order.ts';
import { groupsInOrder } from './order.ts';

/**
 * What a server serves at this moment. Built-in group versions come from the schema's facts, others come and go while it runs: whoever
 * serves custom resources or registers an APIService puts a group version here, whole, and removes it.
 */
export class DiscoveryRegistry {
  readonly #groupVersions = new Map<string, DiscoveredGroupVersion>();
  readonly #listeners = new Set<() => void>();
  #groups: readonly DiscoveredGroup[] | undefined;
  #generation = 0;

  put(groupVersion: DiscoveredGroupVersion): void {
    this.#groupVersions.set(keyOf(groupVersion), groupVersion);
    this.#changed();
  }

  remove(groupVersion: GroupVersion): void {
    if (this.#groupVersions.delete(keyOf(groupVersion))) this.#changed();
  }

  get(group: string, version: string): DiscoveredGroupVersion | undefined {
    return this.#groupVersions.get(`${group}/${version}`);
  }

  /** The group with its versions in order of preference. */
  group(name: string): DiscoveredGroup | undefined {
    return this.groups.find((group) => group.name === name);
  }

  /** In the order of `/apis`, and the core group among them. */
  get groups(): readonly DiscoveredGroup[] {
    return (this.#groups ??= groupsInOrder(this.all, false));
  }

  get all(): readonly DiscoveredGroupVersion[] {
    return [...this.#groupVersions.values()];
  }

  /** Changes whenever the content does. */
  get generation(): number {
    return this.#generation;
  }

  /** Calls back after each change, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #changed(): void {
    this.#generation++;
    this.#groups = undefined;
    for (const listener of this.#listeners) listener();
  }
}

function keyOf({ group, version }: GroupVersion): string {
  return `${group}/${version}`;
}
