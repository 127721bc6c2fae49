// Upstream: k8s.io/kubernetes/pkg/printers/internalversion/printers.go#printResourceSlice
import type { Column } from '../../../table/column.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import { docOf } from '../../../table/described.ts';
import type { SliceObject } from './validation.ts';

const specType = 'io.k8s.api.resource.v1.ResourceSliceSpec';

export const columns: readonly Column<SliceObject>[] = [
  { name: 'Node', type: 'string', description: docOf(specType, 'nodeName'), cell: ({ spec }) => spec.nodeName ?? '' },
  { name: 'Driver', type: 'string', description: docOf(specType, 'driver'), cell: ({ spec }) => spec.driver },
  { name: 'Pool', type: 'string', description: docOf('io.k8s.api.resource.v1.ResourcePool', 'name'), cell: ({ spec }) => spec.pool.name },
  ageColumn,
];
