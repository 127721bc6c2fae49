// Upstream: k8s.io/kubernetes/pkg/registry/flowcontrol/prioritylevelconfiguration/strategy.go
import type { QueuingConfiguration } from '../../../schema/types/flowcontrol-v1.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { validateMetadata } from '../../../server/registry/rules.ts';
import type { Column } from '../../../table/column.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import { docOf } from '../../../table/described.ts';
import { flowControlGroup } from '../../common/flow-control/mandatory.ts';
import { flowControlStatus } from '../../common/flow-control/status.ts';
import type { PriorityLevelObject } from './validation.ts';
import { validatePriorityLevel } from './validation.ts';

const types = 'io.k8s.api.flowcontrol.v1';
const none = '<none>';

export const priorityLevelConfigurations = defineResource<PriorityLevelObject>({
  group: flowControlGroup,
  plural: 'prioritylevelconfigurations',
  strategy: {
    generation: true,
    defaults,
    writesDeclaredRules: true,
    validate: validatePriorityLevel,
    validatesMetadataOnUpdate: true,
    validateUpdate: (level, _, context) => [...validateMetadata(level.metadata, false), ...validatePriorityLevel(level, context)],
  },
  status: flowControlStatus,
  columns: [
    {
      name: 'Type',
      type: 'string',
      description: docOf(`${types}.PriorityLevelConfigurationSpec`, 'type'),
      cell: ({ spec }) => spec.type,
    },
    {
      name: 'NominalConcurrencyShares',
      type: 'string',
      description: docOf(`${types}.LimitedPriorityLevelConfiguration`, 'nominalConcurrencyShares'),
      cell: ({ spec }) => (spec.limited === undefined ? none : (spec.limited.nominalConcurrencyShares ?? 0)),
    },
    queuingColumn('Queues', 'queues'),
    queuingColumn('HandSize', 'handSize'),
    queuingColumn('QueueLengthLimit', 'queueLengthLimit'),
    ageColumn,
  ],
});

/** What the shares, the lending and the queues are by default. */
function defaults({ spec }: PriorityLevelObject): void {
  if (spec?.exempt !== undefined) {
    spec.exempt.nominalConcurrencyShares ??= 0;
    spec.exempt.lendablePercent ??= 0;
  }
  if (spec?.limited === undefined) return;
  spec.limited.nominalConcurrencyShares ??= 30;
  spec.limited.lendablePercent ??= 0;
  const { queuing } = spec.limited.limitResponse ?? {};
  if (queuing === undefined) return;
  queuing.queues ||= 64;
  queuing.handSize ||= 8;
  queuing.queueLengthLimit ||= 50;
}

function queuingColumn(name: string, field: keyof QueuingConfiguration): Column<PriorityLevelObject> {
  return {
    name,
    type: 'string',
    description: docOf(`${types}.QueuingConfiguration`, field),
    cell: ({ spec }) => spec.limited?.limitResponse?.queuing?.[field] ?? none,
  };
}
