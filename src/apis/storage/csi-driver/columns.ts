// Upstream: k8s.io/kubernetes/pkg/printers/internalversion/printers.go#printCSIDriver
import type { Column } from '../../../table/column.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import { docOf } from '../../../table/described.ts';
import type { CsiDriverObject } from './validation.ts';

const specType = 'io.k8s.api.storage.v1.CSIDriverSpec';

export const columns: readonly Column<CsiDriverObject>[] = [
  {
    name: 'AttachRequired',
    type: 'boolean',
    description: docOf(specType, 'attachRequired'),
    cell: ({ spec }) => spec.attachRequired ?? true,
  },
  {
    name: 'PodInfoOnMount',
    type: 'boolean',
    description: docOf(specType, 'podInfoOnMount'),
    cell: ({ spec }) => spec.podInfoOnMount ?? false,
  },
  {
    name: 'StorageCapacity',
    type: 'boolean',
    description: docOf(specType, 'storageCapacity'),
    cell: ({ spec }) => spec.storageCapacity ?? false,
  },
  {
    name: 'TokenRequests',
    type: 'string',
    description: docOf(specType, 'tokenRequests'),
    cell: ({ spec }) => spec.tokenRequests?.map(({ audience }) => audience).join(',') ?? '<unset>',
  },
  {
    name: 'RequiresRepublish',
    type: 'boolean',
    description: docOf(specType, 'requiresRepublish'),
    cell: ({ spec }) => spec.requiresRepublish ?? false,
  },
  {
    name: 'Modes',
    type: 'string',
    description: docOf(specType, 'volumeLifecycleModes'),
    cell: ({ spec }) => spec.volumeLifecycleModes?.join(',') || '<none>',
  },
  ageColumn,
];
