// Upstream: k8s.io/kubernetes/pkg/registry/core/event/strategy.go, k8s.io/kubernetes/pkg/apis/core/v1/conversion.go#AddFieldLabelConversionsForEvent
import type { ResourceDefinition } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { eventColumns } from '../../common/event/columns.ts';
import { eventsGroupConversion } from '../../common/event/conversion.ts';
import { eventStrategy, involvedObjectFields, unknownEventLabel } from '../../common/event/definition.ts';
import type { EventObject } from '../../common/event/validation.ts';
import { validateEvent } from '../../common/event/validation.ts';

/** Events of the core group: the ones that are stored, and the more lenient ones. */
export const events = ({ eventTtlSeconds }: { readonly eventTtlSeconds: number }): ResourceDefinition =>
  defineResource<EventObject>({
    group: '',
    plural: 'events',
    strategy: {
      ...eventStrategy,
      validate: (event) => validateEvent(event, 'reportingComponent'),
      validateUpdate: (event) => validateEvent(event, 'reportingComponent'),
    },
    ttlSeconds: () => eventTtlSeconds || undefined,
    // Both groups are kept in one place, and the other one may have been stored.
    conversions: { 'events.k8s.io/v1': eventsGroupConversion },
    selectableFields: {
      ...involvedObjectFields('involvedObject'),
      reason: ({ reason }) => reason ?? '',
      reportingComponent: ({ reportingComponent }) => reportingComponent,
      source: ({ source, reportingComponent }) => source.component || reportingComponent,
      type: ({ type }) => type ?? '',
    },
    unknownFieldLabel: unknownEventLabel,
    columns: eventColumns,
  });
