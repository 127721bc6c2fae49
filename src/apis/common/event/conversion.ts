// Upstream: k8s.io/kubernetes/pkg/apis/events/v1/conversion.go
import type { Event as CoreEvent } from '../../../schema/types/core-v1.ts';
import type { Event } from '../../../schema/types/events-v1.ts';
import type { Conversion, KubeObject } from '../../../server/registry/definition.ts';

type Stored = CoreEvent & KubeObject;

/** Events of events.k8s.io/v1. Every field has a partner under another name; nothing is lost either way. */
export const eventsGroupConversion: Conversion<Stored> = {
  toStorage(object) {
    const { regarding, note, deprecatedSource, deprecatedFirstTimestamp, deprecatedLastTimestamp, deprecatedCount, ...same } =
      object as Event & KubeObject;
    const { reportingController = '', reportingInstance = '', ...rest } = same;
    return {
      ...rest,
      involvedObject: regarding,
      ...(note !== undefined && { message: note }),
      source: deprecatedSource,
      firstTimestamp: deprecatedFirstTimestamp,
      lastTimestamp: deprecatedLastTimestamp,
      ...(deprecatedCount !== undefined && { count: deprecatedCount }),
      reportingComponent: reportingController,
      reportingInstance,
    } as Stored;
  },
  fromStorage(stored) {
    const { involvedObject, message, source, firstTimestamp, lastTimestamp, count, reportingComponent, reportingInstance, ...same } =
      stored;
    return {
      ...same,
      ...(reportingComponent !== '' && { reportingController: reportingComponent }),
      ...(reportingInstance !== '' && { reportingInstance }),
      regarding: involvedObject,
      ...(message !== undefined && { note: message }),
      deprecatedSource: source,
      deprecatedFirstTimestamp: firstTimestamp,
      deprecatedLastTimestamp: lastTimestamp,
      ...(count !== undefined && { deprecatedCount: count }),
    };
  },
};
