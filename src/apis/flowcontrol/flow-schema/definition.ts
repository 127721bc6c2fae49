// Upstream: pkg/registry/flowcontrol/flowschema/strategy.go
import type { FlowSchema } from '../../../schema/types/flowcontrol-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import { docOf } from '../../../table/described.ts';

const specType = 'io.k8s.api.flowcontrol.v1.FlowSchemaSpec';

export const flowSchemas = defineResource<FlowSchema & KubeObject>({
  group: 'flowcontrol.apiserver.k8s.io',
  plural: 'flowschemas',
  strategy: { generation: true },
  columns: [
    {
      name: 'PriorityLevel',
      type: 'string',
      description: docOf('io.k8s.api.flowcontrol.v1.PriorityLevelConfigurationReference', 'name'),
      cell: ({ spec }) => spec.priorityLevelConfiguration.name,
    },
    {
      name: 'MatchingPrecedence',
      type: 'string',
      description: docOf(specType, 'matchingPrecedence'),
      cell: ({ spec }) => spec.matchingPrecedence,
    },
    {
      name: 'DistinguisherMethod',
      type: 'string',
      description: docOf(specType, 'distinguisherMethod'),
      cell: ({ spec }) => spec.distinguisherMethod?.type ?? '<none>',
    },
    ageColumn,
    {
      name: 'MissingPL',
      type: 'string',
      description: 'references a broken or non-existent PriorityLevelConfiguration',
      cell: ({ status }) => status.conditions?.find(({ type }) => type === 'Dangling')?.status ?? '?',
    },
  ],
});
