// Upstream: k8s.io/kubernetes/pkg/printers/internalversion/printers.go#printPersistentVolumeClaim
import type { PersistentVolumeClaim } from '../../../schema/types/core-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import type { Column } from '../../../table/column.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import { docOf } from '../../../table/described.ts';
import { accessModesText, classNameOf } from '../../common/volume-columns.ts';

const specType = 'io.k8s.api.core.v1.PersistentVolumeClaimSpec';
const statusType = 'io.k8s.api.core.v1.PersistentVolumeClaimStatus';

export const columns: readonly Column<PersistentVolumeClaim & KubeObject>[] = [
  {
    name: 'Status',
    type: 'string',
    description: docOf(statusType, 'phase'),
    cell: ({ metadata, status }) => (metadata.deletionTimestamp === undefined ? (status.phase ?? '') : 'Terminating'),
  },
  { name: 'Volume', type: 'string', description: docOf(specType, 'volumeName'), cell: ({ spec }) => spec.volumeName ?? '' },
  {
    name: 'Capacity',
    type: 'string',
    description: docOf(statusType, 'capacity'),
    cell: ({ spec, status }) => (spec.volumeName ? (status.capacity?.['storage'] ?? '0') : ''),
  },
  {
    name: 'Access Modes',
    type: 'string',
    description: docOf(statusType, 'accessModes'),
    cell: ({ spec, status }) => (spec.volumeName ? accessModesText(status.accessModes) : ''),
  },
  {
    name: 'StorageClass',
    type: 'string',
    description: 'StorageClass of the pvc',
    cell: ({ metadata, spec }) => classNameOf(metadata, spec.storageClassName),
  },
  {
    name: 'VolumeAttributesClass',
    type: 'string',
    description: 'VolumeAttributesClass of the pvc',
    cell: ({ spec }) => spec.volumeAttributesClassName ?? '<unset>',
  },
  ageColumn,
  {
    name: 'VolumeMode',
    type: 'string',
    priority: 1,
    description: docOf(specType, 'volumeMode'),
    cell: ({ spec }) => spec.volumeMode ?? '<unset>',
  },
];
