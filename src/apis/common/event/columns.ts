// Upstream: k8s.io/kubernetes/pkg/printers/internalversion/printers.go#printEvent
import type { Event } from '../../../schema/types/core-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import type { Column } from '../../../table/column.ts';
import { age, nameColumn } from '../../../table/common-columns.ts';
import { docOf } from '../../../table/described.ts';
import type { TableClock } from '../../../table/table-clock.ts';

const eventType = 'io.k8s.api.core.v1.Event';

export const eventColumns: readonly Column<Event & KubeObject>[] = [
  { name: 'Last Seen', type: 'string', description: docOf(eventType, 'lastTimestamp'), cell: (event, clock) => lastSeen(event, clock) },
  { name: 'Type', type: 'string', description: docOf(eventType, 'type'), cell: ({ type }) => type ?? '' },
  { name: 'Reason', type: 'string', description: docOf(eventType, 'reason'), cell: ({ reason }) => reason ?? '' },
  { name: 'Object', type: 'string', description: docOf(eventType, 'involvedObject'), cell: target },
  {
    name: 'Subobject',
    type: 'string',
    priority: 1,
    description: docOf('io.k8s.api.core.v1.ObjectReference', 'fieldPath'),
    cell: ({ involvedObject }) => involvedObject.fieldPath ?? '',
  },
  { name: 'Source', type: 'string', priority: 1, description: docOf(eventType, 'source'), cell: source },
  { name: 'Message', type: 'string', description: docOf(eventType, 'message'), cell: ({ message }) => (message ?? '').trim() },
  {
    name: 'First Seen',
    type: 'string',
    priority: 1,
    description: docOf(eventType, 'firstTimestamp'),
    cell: (event, clock) => firstSeen(event, clock),
  },
  { name: 'Count', type: 'string', priority: 1, description: docOf(eventType, 'count'), cell: count },
  { ...nameColumn, priority: 1 },
];

function firstSeen({ firstTimestamp, eventTime }: Event, clock: TableClock): string {
  return age(firstTimestamp ?? eventTime, clock);
}

function lastSeen(event: Event, clock: TableClock): string {
  if (event.series !== undefined) return age(event.series.lastObservedTime, clock);
  return event.lastTimestamp === null ? firstSeen(event, clock) : age(event.lastTimestamp, clock);
}

/** An event of the new kind that stands alone has no count. */
function count({ series, count: counted }: Event): number {
  return series === undefined ? counted || 1 : (series.count ?? 0);
}

function target({ involvedObject: { kind = '', name = '' } }: Event): string {
  return name === '' ? kind.toLowerCase() : `${kind.toLowerCase()}/${name}`;
}

function source({ source: { component, host }, reportingComponent, reportingInstance }: Event): string {
  const instance = host || reportingInstance;
  const who = component || reportingComponent;
  return instance === '' ? who : `${who}, ${instance}`;
}
