// Made by `npm run generate`; do not edit.
import type { MicroTime, Time } from '../scalars.ts';
import type * as coreV1 from './core-v1.ts';
import type * as metaV1 from './meta-v1.ts';

export interface Event extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  eventTime: MicroTime | null;
  series?: EventSeries;
  reportingController?: string;
  reportingInstance?: string;
  action?: string;
  reason?: string;
  regarding: coreV1.ObjectReference;
  related?: coreV1.ObjectReference;
  note?: string;
  type?: string;
  deprecatedSource: coreV1.EventSource;
  deprecatedFirstTimestamp: Time | null;
  deprecatedLastTimestamp: Time | null;
  deprecatedCount?: number;
}

export interface EventList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: Event[] | null;
}

export interface EventSeries {
  count: number;
  lastObservedTime: MicroTime | null;
}
