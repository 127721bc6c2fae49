// Upstream: k8s.io/kubernetes/pkg/registry/flowcontrol/flowschema/strategy.go
import { defineResource } from '../../../server/registry/definition.ts';
import { validateMetadata } from '../../../server/registry/rules.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import { docOf } from '../../../table/described.ts';
import { flowControlGroup } from '../../common/flow-control/mandatory.ts';
import { flowControlStatus } from '../../common/flow-control/status.ts';
import type { FlowSchemaObject } from './validation.ts';
import { validateFlowSchema } from './validation.ts';

const defaultPrecedence = 1000;
const specType = 'io.k8s.api.flowcontrol.v1.FlowSchemaSpec';

export const flowSchemas = defineResource<FlowSchemaObject>({
  group: flowControlGroup,
  plural: 'flowschemas',
  strategy: {
    generation: true,
    defaults: ({ spec }) => void (spec.matchingPrecedence ||= defaultPrecedence),
    validate: validateFlowSchema,
    validatesMetadataOnUpdate: true,
    validateUpdate: (schema, _, context) => [...validateMetadata(schema.metadata, false), ...validateFlowSchema(schema, context)],
  },
  status: flowControlStatus,
  rowOrder: (a, b) => a.spec.matchingPrecedence - b.spec.matchingPrecedence,
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
