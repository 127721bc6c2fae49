import { isReason } from '../../machinery/errors.ts';
import type { Resource } from '../../server/registry/resource.ts';
import type { ServerWriter } from '../../server/registry/server-writer.ts';
import type { CustomResourceDefinition } from '../conditions/conditions.ts';

/**
 * Changes a definition in the server's own name. Resolves with the definition as it then is; undefined when it is gone or is another one by
 * now. As an update of the status, except that finalizers may go, and the definition with the last of them.
 */
export async function updateDefinition(
  writer: ServerWriter,
  definitions: Resource,
  name: string,
  uid: string,
  edit: (definition: CustomResourceDefinition, now: string) => void,
): Promise<CustomResourceDefinition | undefined> {
  try {
    return await writer.update(definitions, '', name, edit, { subresourceUpdate: {}, preconditions: { uid } });
  } catch (error) {
    if (isReason(error, 'NotFound') || isReason(error, 'Conflict')) return undefined;
    throw error;
  }
}
