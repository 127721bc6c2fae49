// Upstream: k8s.io/kubernetes/pkg/printers/internalversion/printers.go#printEndpointSlice
import type { EndpointSlice } from '../../../schema/types/discovery-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import type { Column } from '../../../table/column.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import { docOf } from '../../../table/described.ts';

const typeName = 'io.k8s.api.discovery.v1.EndpointSlice';
const shownItems = 3;

export const columns: readonly Column<EndpointSlice & KubeObject>[] = [
  { name: 'AddressType', type: 'string', description: docOf(typeName, 'addressType'), cell: ({ addressType }) => addressType },
  {
    name: 'Ports',
    type: 'string',
    description: docOf(typeName, 'ports'),
    cell: ({ ports }) => shorten((ports ?? []).map(({ port, name }) => String(port ?? name ?? '*'))),
  },
  {
    name: 'Endpoints',
    type: 'string',
    description: docOf(typeName, 'endpoints'),
    cell: ({ endpoints }) => shorten((endpoints ?? []).flatMap(({ addresses }) => addresses ?? [])),
  },
  ageColumn,
];

function shorten(items: readonly string[]): string {
  const shown = items.slice(0, shownItems).join(',');
  return items.length > shownItems ? `${shown} + ${items.length - shownItems} more...` : shown || '<unset>';
}
