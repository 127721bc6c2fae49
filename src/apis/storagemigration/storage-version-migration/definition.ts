// Upstream: k8s.io/kubernetes/pkg/registry/storagemigration/storagemigration/strategy.go
import { defineResource } from '../../../server/registry/definition.ts';
import { docOf } from '../../../table/described.ts';
import { resetMetadataForStatus } from '../../common/status-metadata.ts';
import { states, validate, validateStatus, validateUpdate } from './validation.ts';
import type { StorageVersionMigrationObject } from './validation.ts';

export const storageVersionMigrations = defineResource<StorageVersionMigrationObject>({
  group: 'storagemigration.k8s.io',
  plural: 'storageversionmigrations',
  strategy: { allowUnconditionalUpdate: false, validate, validatesMetadataOnUpdate: true, validateUpdate },
  status: {
    prepareForUpdate: ({ metadata }, old) => resetMetadataForStatus(metadata, old.metadata),
    validateUpdate: validateStatus,
    resetFields: [['metadata'], ['spec']],
  },
  columns: [
    // not announced as a name by upstream
    {
      name: 'Name',
      type: 'string',
      description: docOf('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta', 'name'),
      cell: ({ metadata }) => metadata.name ?? '',
    },
    {
      name: 'Resource',
      type: 'string',
      description: 'GroupResource to migrate',
      cell: ({
        spec: {
          resource: { group, resource },
        },
      }) => (group ? `${resource}.${group}` : resource),
    },
    {
      name: 'Status',
      type: 'string',
      description: 'Status of the migration',
      cell: ({ status }) =>
        status.conditions?.findLast((condition) => condition.status === 'True' && states.includes(condition.type))?.type ?? 'Unknown',
    },
  ],
});
