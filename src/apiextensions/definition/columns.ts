// Upstream: k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition/tableconvertor/tableconvertor.go
import type { Column } from '../../table/column.ts';
import { createdAtColumn } from '../../table/common-columns.ts';
import type { CustomResourceDefinition } from '../conditions/conditions.ts';
import { isConditionTrue } from '../conditions/conditions.ts';

export const definitionColumns: readonly Column<CustomResourceDefinition>[] = [
  { name: 'Scope', type: 'string', description: 'Cluster/Namespaced', cell: ({ spec }) => spec.scope },
  { name: 'Versions', type: 'string', description: 'Served versions', cell: servedVersions },
  createdAtColumn,
  { name: 'Group', type: 'string', description: 'API group', priority: 1, cell: ({ spec }) => spec.group },
  { name: 'Kind', type: 'string', description: 'CustomResource kind', priority: 1, cell: ({ spec }) => spec.names.kind },
  {
    name: 'ShortNames',
    type: 'string',
    description: 'Short names',
    priority: 1,
    cell: ({ spec }) => (spec.names.shortNames ?? []).join(','),
  },
  {
    name: 'Established',
    type: 'boolean',
    description: 'Established status',
    priority: 1,
    cell: (definition) => isConditionTrue(definition, 'Established'),
  },
];

function servedVersions({ spec }: CustomResourceDefinition): string {
  const served = (spec.versions ?? []).filter((version) => version.served);
  return served
    .map(({ name, storage }) => (storage ? `${name}(storage)` : name))
    .sort()
    .join(',');
}
