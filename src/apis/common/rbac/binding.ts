// Upstream: k8s.io/kubernetes/pkg/apis/rbac/v1/defaults.go, k8s.io/kubernetes/pkg/printers/internalversion/printers.go#printRoleBinding
import type { RoleBinding, Subject } from '../../../schema/types/rbac-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import type { Column } from '../../../table/column.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import { docOf } from '../../../table/described.ts';
import { rbacGroup } from './validation.ts';

/** RoleBindings and ClusterRoleBindings have the same shape. */
export type Binding = RoleBinding & KubeObject;

export function bindingDefaults({ roleRef, subjects }: Binding): void {
  roleRef.apiGroup ||= rbacGroup;
  for (const subject of subjects ?? []) {
    if (!subject.apiGroup && (subject.kind === 'User' || subject.kind === 'Group')) subject.apiGroup = rbacGroup;
  }
}

export function bindingColumns(kind: 'RoleBinding' | 'ClusterRoleBinding'): readonly Column<Binding>[] {
  const shown = kind === 'RoleBinding' ? 'roleBinding' : 'clusterRoleBinding';
  const subjects = (name: string, wanted: string, label: (subject: Subject) => string): Column<Binding> => ({
    name,
    type: 'string',
    priority: 1,
    description: `${name} in the ${shown}`,
    cell: (binding) =>
      (binding.subjects ?? [])
        .filter((subject) => subject.kind === wanted)
        .map(label)
        .join(', '),
  });
  return [
    {
      name: 'Role',
      type: 'string',
      description: docOf(`io.k8s.api.rbac.v1beta1.${kind}`, 'roleRef'),
      cell: ({ roleRef }) => `${roleRef.kind}/${roleRef.name}`,
    },
    ageColumn,
    subjects('Users', 'User', ({ name }) => name),
    subjects('Groups', 'Group', ({ name }) => name),
    subjects('ServiceAccounts', 'ServiceAccount', ({ namespace = '', name }) => `${namespace}/${name}`),
  ];
}
