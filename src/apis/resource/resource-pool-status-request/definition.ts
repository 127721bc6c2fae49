// Upstream: k8s.io/kubernetes/pkg/registry/resource/resourcepoolstatusrequest/strategy.go
import type { FeatureGates } from '../../../server/registry/features.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { resetMetadataForStatus } from '../../common/status-metadata.ts';
import { columns } from './columns.ts';
import type { PoolStatusRequestObject } from './validation.ts';
import { validateStatusUpdate } from './validation.ts';

export const resourcePoolStatusRequests = defineResource<PoolStatusRequestObject>({
  group: 'resource.k8s.io',
  plural: 'resourcepoolstatusrequests',
  strategy: {
    allowUnconditionalUpdate: false,
    returnDeletedObject: true,
    prepareForCreate: (request, { features }) => dropDisabledFields(request, undefined, features),
    prepareForUpdate: (request, old, { features }) => dropDisabledFields(request, old, features),
  },
  status: {
    prepareForUpdate: ({ metadata }, old) => resetMetadataForStatus(metadata, old.metadata),
    validateUpdate: validateStatusUpdate,
    resetFields: [['metadata'], ['spec']],
  },
  columns,
});

function dropDisabledFields({ spec }: PoolStatusRequestObject, old: PoolStatusRequestObject | undefined, features: FeatureGates): void {
  if (features.enabled('DRAPartitionableDevicesType') || old?.spec.defaultPartitionTypeAttribute !== undefined) return;
  delete spec.defaultPartitionTypeAttribute;
}
