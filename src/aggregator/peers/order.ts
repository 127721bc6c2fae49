// Upstream: k8s.io/apimachinery/pkg/util/sort/sort.go

/**
 * All names of several lists, in an order that keeps to that of each of them; where they say nothing, by name. Lists that contradict each
 * other give an order by name, unless one of them has all names.
 */
export function mergedOrder(lists: readonly (readonly string[])[]): readonly string[] {
  const after = new Map<string, Set<string>>();
  const waitsFor = new Map<string, number>();
  const known = (name: string): Set<string> => {
    let followers = after.get(name);
    if (followers === undefined) {
      after.set(name, (followers = new Set()));
      waitsFor.set(name, 0);
    }
    return followers;
  };
  for (const list of lists) {
    for (const [index, name] of list.entries()) {
      const followers = known(name);
      const next = list[index + 1];
      if (next === undefined || followers.has(next)) continue;
      known(next);
      followers.add(next);
      waitsFor.set(next, (waitsFor.get(next) ?? 0) + 1);
    }
  }
  const whole = lists.find((list) => list.length === after.size && new Set(list).size === list.length);
  if (whole !== undefined) return whole;
  const free = [...after.keys()].filter((name) => waitsFor.get(name) === 0);
  const ordered: string[] = [];
  // Lists are short: groups of a cluster, versions of a group.
  while (free.length > 0) {
    free.sort().reverse();
    const name = free.pop() as string;
    ordered.push(name);
    for (const next of after.get(name) ?? []) {
      const left = (waitsFor.get(next) ?? 0) - 1;
      waitsFor.set(next, left);
      if (left === 0) free.push(next);
    }
  }
  return ordered.length === after.size ? ordered : [...after.keys()].toSorted();
}
