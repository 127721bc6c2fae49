import type { GroupVersion } from '../../machinery/type-model.ts';
import type { DiscoveredGroupVersion, Origin } from './group-version.ts';
import type { DiscoveredGroup } from './order.ts';
import { groupsInOrder } from './order.ts';

/**
 * What a server serves at this moment. Built-in group versions come from the schema's facts, others come and go while it runs: the part that
 * serves custom resources or registers an APIService puts a group version here, whole, and removes it.
 */
export class DiscoveryRegistry {
  /** Of several origins that have the same group version the first one is shown. */
  readonly #origins: Readonly<Record<Origin, Map<string, DiscoveredGroupVersion>>> = {
    'built-in': new Map(),
    aggregated: new Map(),
    custom: new Map(),
  };
  readonly #listeners = new Set<() => void>();
  #groups: readonly DiscoveredGroup[] | undefined;
  #generation = 0;

  put(groupVersion: DiscoveredGroupVersion): void {
    this.#origins[groupVersion.origin].set(keyOf(groupVersion), groupVersion);
    this.#changed();
  }

  remove(groupVersion: GroupVersion, origin: Origin): void {
    if (this.#origins[origin].delete(keyOf(groupVersion))) this.#changed();
  }

  get(group: string, version: string): DiscoveredGroupVersion | undefined {
    const key = `${group}/${version}`;
    for (const groupVersions of Object.values(this.#origins)) {
      const found = groupVersions.get(key);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Whether a version of the group is built in. */
  isBuiltIn(group: string): boolean {
    return this.from('built-in').some((one) => one.group === group);
  }

  /** What one of the origins has, shown or not. */
  from(origin: Origin): readonly DiscoveredGroupVersion[] {
    return [...this.#origins[origin].values()];
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
    const shown = new Map<string, DiscoveredGroupVersion>();
    for (const groupVersions of Object.values(this.#origins)) {
      for (const [key, one] of groupVersions) if (!shown.has(key)) shown.set(key, one);
    }
    return [...shown.values()];
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
