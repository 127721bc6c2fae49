import { resources } from './generated/resources.ts';
import type { ServedGroupVersion } from './resource-format.ts';

export type { ServedGroupVersion, ServedResource, ServedSubresource } from './resource-format.ts';

/** Everything that upstream can serve, core first, then in the order of `/apis`. Parsed at every call: keep the result. */
export function servedGroupVersions(): readonly ServedGroupVersion[] {
  return JSON.parse(resources) as readonly ServedGroupVersion[];
}
