import type { AdmissionAttributes } from '../../server/admission/admission.ts';

/** Whether a request is about this resource itself, not one of its subresources. */
export function concerns({ resource, subresource }: AdmissionAttributes, group: string, plural: string): boolean {
  return subresource === '' && resource.group === group && resource.names.plural === plural;
}
