// Upstream: k8s.io/kubernetes/pkg/registry/lifecycle/evictionrequest/strategy.go
import { validateConditions } from '../../../machinery/conditions.ts';
import { FieldPath } from '../../../machinery/field.ts';
import type { EvictionRequest } from '../../../schema/types/lifecycle-v1alpha1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import { docOf } from '../../../table/described.ts';
import { evictionStatusText } from '../../common/eviction-status.ts';
import { resetMetadataForStatus } from '../../common/status-metadata.ts';

const specType = 'io.k8s.api.lifecycle.v1alpha1.EvictionRequestSpec';

export const evictionRequests = defineResource<EvictionRequest & KubeObject>({
  group: 'lifecycle.k8s.io',
  plural: 'evictionrequests',
  strategy: { allowUnconditionalUpdate: false, generation: true },
  status: {
    prepareForUpdate: ({ metadata }, old) => resetMetadataForStatus(metadata, old.metadata),
    validateUpdate: ({ status }) =>
      validateConditions(status.conditions as Parameters<typeof validateConditions>[0], FieldPath.root('status', 'conditions')),
    resetFields: [['metadata'], ['spec']],
  },
  columns: [
    { name: 'Target', type: 'string', description: docOf(specType, 'target'), cell: ({ spec }) => spec.target.pod?.name ?? '<unset>' },
    {
      name: 'Target Type',
      type: 'string',
      description: docOf(specType, 'target'),
      cell: ({ spec }) => (spec.target.pod === undefined ? '<unset>' : 'Pod'),
    },
    {
      name: 'Status',
      type: 'string',
      description: docOf('io.k8s.api.lifecycle.v1alpha1.EvictionRequestStatus', 'conditions'),
      cell: ({ status }) => evictionStatusText(status),
    },
    { name: 'Requester', type: 'string', description: docOf(specType, 'requester'), cell: ({ spec }) => spec.requester },
    { name: 'Intent', type: 'string', description: docOf(specType, 'intent'), cell: ({ spec }) => spec.intent },
    ageColumn,
  ],
});
