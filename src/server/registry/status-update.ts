import type { SubresourceUpdate } from './definition.ts';
import type { Resource } from './resource.ts';
import { setOrDelete } from './rules.ts';

/** A status update changes the status; what else it changes in the metadata is the kind's to say. */
export function statusUpdate({ definition }: Resource): SubresourceUpdate {
  const { prepareForUpdate, ...hooks } = definition.status ?? {};
  return {
    ...hooks,
    prepareForUpdate(object, old, context) {
      for (const key of new Set([...Object.keys(object), ...Object.keys(old)])) {
        if (key !== 'metadata' && key !== 'status' && key !== 'kind' && key !== 'apiVersion') setOrDelete(object, key, old[key]);
      }
      prepareForUpdate?.(object, old, context);
    },
  };
}
