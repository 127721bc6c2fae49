// Upstream: k8s.io/kubernetes/pkg/registry/lifecycle/eviction/strategy.go
import { defineResource } from '../../../server/registry/definition.ts';
import { resetMetadataForStatus } from '../../common/status-metadata.ts';
import { columns } from './columns.ts';
import { validateStatus } from './status-validation.ts';
import type { EvictionObject } from './status-validation.ts';

export const evictions = defineResource<EvictionObject>({
  group: 'lifecycle.k8s.io',
  plural: 'evictions',
  strategy: { allowUnconditionalUpdate: false, generation: true },
  status: {
    prepareForUpdate: ({ metadata }, old) => resetMetadataForStatus(metadata, old.metadata),
    validateUpdate: validateStatus,
    resetFields: [['metadata'], ['spec']],
  },
  columns,
});
