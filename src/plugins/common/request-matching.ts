import type { AdmissionAttributes } from '../../server/admission/admission.ts';

/** Whether a request is about this resource itself, not one of its subresources. */
export function isForResource({ resource, subresource }: AdmissionAttributes, group: string, plural: string): boolean {
  return subresource === '' && resource.group === group && resource.names.plural === plural;
}

/** Whether a request is about what a namespace contains, not about the namespace. */
export function isInNamespace({ namespace, resource }: AdmissionAttributes): boolean {
  return namespace !== '' && !(resource.group === '' && resource.kind === 'Namespace');
}

export function isWrite({ operation }: AdmissionAttributes): boolean {
  return operation === 'CREATE' || operation === 'UPDATE';
}
