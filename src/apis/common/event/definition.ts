// Upstream: k8s.io/kubernetes/pkg/registry/core/event/{strategy.go,storage/storage.go}
import type { Strategy } from '../../../server/registry/definition.ts';
import type { EventObject } from './validation.ts';

/** What holds for events of either group. */
export const eventStrategy: Strategy<EventObject> = {
  allowCreateOnUpdate: true,
  skipsMetadataValidation: true,
  garbageCollection: 'unsupported',
};

/** Selectable fields of the object that an event is about, under the name that a group gives it. */
export function involvedObjectFields(name: string): Record<string, (event: EventObject) => string> {
  const members = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'] as const;
  return Object.fromEntries(members.map((member) => [`${name}.${member}`, ({ involvedObject }) => involvedObject[member] ?? '']));
}

export const unknownEventLabel = (label: string): string => `field label not supported: ${label}`;
