// Upstream: k8s.io/kubernetes/pkg/printers/internalversion/printers.go#printPersistentVolume
import type { PersistentVolume } from '../../../schema/types/core-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import type { Column } from '../../../table/column.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import { docOf } from '../../../table/described.ts';
import { accessModesText, classNameOf } from '../../common/volume-columns.ts';

const specType = 'io.k8s.api.core.v1.PersistentVolumeSpec';
const statusType = 'io.k8s.api.core.v1.PersistentVolumeStatus';

export const columns: readonly Column<PersistentVolume & KubeObject>[] = [
  { name: 'Capacity', type: 'string', description: docOf(specType, 'capacity'), cell: ({ spec }) => spec.capacity?.['storage'] ?? '0' },
  {
    name: 'Access Modes',
    type: 'string',
    description: docOf(specType, 'accessModes'),
    cell: ({ spec }) => accessModesText(spec.accessModes),
  },
  {
    name: 'Reclaim Policy',
    type: 'string',
    description: docOf(specType, 'persistentVolumeReclaimPolicy'),
    cell: ({ spec }) => spec.persistentVolumeReclaimPolicy ?? '',
  },
  {
    name: 'Status',
    type: 'string',
    description: docOf(statusType, 'phase'),
    cell: ({ metadata, status }) => (metadata.deletionTimestamp === undefined ? (status.phase ?? '') : 'Terminating'),
  },
  {
    name: 'Claim',
    type: 'string',
    description: docOf(specType, 'claimRef'),
    cell: ({ spec: { claimRef } }) => (claimRef === undefined ? '' : `${claimRef.namespace ?? ''}/${claimRef.name ?? ''}`),
  },
  {
    name: 'StorageClass',
    type: 'string',
    description: 'StorageClass of the pv',
    cell: ({ metadata, spec }) => classNameOf(metadata, spec.storageClassName),
  },
  {
    name: 'VolumeAttributesClass',
    type: 'string',
    description: 'VolumeAttributesClass of the pv',
    cell: ({ spec }) => spec.volumeAttributesClassName ?? '<unset>',
  },
  { name: 'Reason', type: 'string', description: docOf(statusType, 'reason'), cell: ({ status }) => status.reason ?? '' },
  ageColumn,
  {
    name: 'VolumeMode',
    type: 'string',
    priority: 1,
    description: docOf(specType, 'volumeMode'),
    cell: ({ spec }) => spec.volumeMode ?? '<unset>',
  },
];
