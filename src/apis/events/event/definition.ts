// Upstream: k8s.io/kubernetes/pkg/registry/core/event/strategy.go
import type { ResourceDefinition } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { eventColumns } from '../../common/event/columns.ts';
import { eventsGroupConversion } from '../../common/event/conversion.ts';
import { eventStrategy, involvedObjectFields, unknownEventLabel } from '../../common/event/definition.ts';
import type { EventObject } from '../../common/event/validation.ts';
import { validateStrictCreate, validateStrictUpdate } from '../../common/event/validation.ts';

/** The same events under newer names and stricter rules. */
export const eventsOfEventsGroup = ({ eventTtlSeconds }: { readonly eventTtlSeconds: number }): ResourceDefinition =>
  defineResource<EventObject>({
    group: 'events.k8s.io',
    plural: 'events',
    strategy: { ...eventStrategy, validate: validateStrictCreate, validateUpdate: validateStrictUpdate },
    ttlSeconds: () => eventTtlSeconds || undefined,
    conversions: { 'events.k8s.io/v1': eventsGroupConversion },
    selectableFields: {
      ...involvedObjectFields('regarding'),
      reason: ({ reason }) => reason ?? '',
      reportingController: ({ reportingComponent }) => reportingComponent,
      type: ({ type }) => type ?? '',
    },
    unknownFieldLabel: unknownEventLabel,
    columns: eventColumns,
  });
