import type { KubeObject } from '../../server/registry/definition.ts';

/** Of several objects that say they are the default, the newest is it; among equals the first by name. */
export function newestDefault<T extends KubeObject>(objects: Iterable<T>, isDefault: (object: T) => boolean): T | undefined {
  const [first] = [...objects].filter(isDefault).toSorted((left, right) => {
    const [a, b] = [left.metadata, right.metadata];
    if (a.creationTimestamp !== b.creationTimestamp) return (a.creationTimestamp ?? '') > (b.creationTimestamp ?? '') ? -1 : 1;
    return (a.name ?? '') < (b.name ?? '') ? -1 : 1;
  });
  return first;
}
