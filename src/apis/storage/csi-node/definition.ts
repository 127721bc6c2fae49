// Upstream: k8s.io/kubernetes/pkg/registry/storage/csinode/strategy.go
import { defineResource } from '../../../server/registry/definition.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import { resetMetadataForStatus } from '../../common/status-metadata.ts';
import { validateStatusUpdate } from './storage-health.ts';
import { validate, validateUpdate } from './validation.ts';
import type { CsiNodeObject } from './validation.ts';

export const csiNodes = defineResource<CsiNodeObject>({
  group: 'storage.k8s.io',
  plural: 'csinodes',
  strategy: { allowUnconditionalUpdate: false, returnDeletedObject: true, validate, validatesMetadataOnUpdate: true, validateUpdate },
  status: {
    prepareForUpdate({ metadata, status }, old, { features }) {
      resetMetadataForStatus(metadata, old.metadata);
      if (!features.enabled('CSIVolumeHealth') && !old.status.storageHealth?.length) delete status.storageHealth;
    },
    validateUpdate: validateStatusUpdate,
    resetFields: [['metadata'], ['spec']],
  },
  columns: [
    {
      name: 'Drivers',
      type: 'integer',
      description: 'Drivers indicates the number of CSI drivers registered on the node',
      cell: ({ spec }) => spec.drivers?.length ?? 0,
    },
    ageColumn,
  ],
});
