/** Groups whose unversioned types do not live in a package of the group's own name. */
const elsewhere: Readonly<Record<string, string>> = {
  '': 'core',
  'events.k8s.io': 'core',
  'internal.apiserver.k8s.io': 'apiserverinternal',
};

/** The Go package of a group's unversioned types: some messages name those types. */
export function internalPackage(group: string): string {
  return elsewhere[group] ?? (group.split('.')[0] as string);
}
