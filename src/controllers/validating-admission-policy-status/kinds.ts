// Upstream: k8s.io/apiserver/pkg/admission/plugin/policy/validating/typechecking.go#typesToCheck, k8s.io/apimachinery/pkg/api/meta/restmapper.go
import type { GroupVersionKind } from '../../machinery/type-model.ts';
import type { RuleWithOperations } from '../../schema/types/admissionregistration-v1.ts';
import type { ServedResource } from '../common/served-resources.ts';

const mostKinds = 10;
/** The kinds that rules speak of by name, in order; rules for everything say nothing about types. */
export function kindsOf(rules: readonly RuleWithOperations[], served: readonly ServedResource[]): GroupVersionKind[] {
  const kinds = new Map<string, GroupVersionKind>();
  for (const rule of rules) {
    const found = namedBy(rule).flatMap(({ group, version, resource }) => matching(served, group, version, resource));
    for (const { group, version, kind } of found.slice(0, mostKinds)) kinds.set(`${group}/${version}/${kind}`, { group, version, kind });
    if (found.length >= mostKinds) break;
  }
  const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  return [...kinds.values()].toSorted((a, b) => order(a.group, b.group) || order(a.version, b.version) || order(a.kind, b.kind));
}

function namedBy({ apiGroups = [], apiVersions = [], resources = [] }: RuleWithOperations) {
  if ([...apiGroups, ...apiVersions].some((name) => name.includes('*'))) return [];
  const named = resources.filter((name) => !/[*/]/.test(name)).toSorted();
  return apiGroups
    .toSorted()
    .flatMap((group) => apiVersions.toSorted().flatMap((version) => named.map((resource) => ({ group, version, resource }))));
}

/** A quirk: the core group's name, which is empty, stands for any group. */
function matching(served: readonly ServedResource[], group: string, version: string, name: string): ServedResource[] {
  const wanted = name.toLowerCase();
  return served.filter(
    (one) => (group === '' || one.group === group) && one.version === version && (one.resource === wanted || one.singular === wanted),
  );
}
