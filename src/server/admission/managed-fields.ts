// Upstream: k8s.io/apiserver/pkg/endpoints/handlers/fieldmanager/admission.go
import type { ObjectMeta } from '../../machinery/object-meta.ts';
import type { ManagedFieldsEntry } from '../../patch/apply/managed-fields.ts';
import { decodeManagedFields, ManagedFieldsError } from '../../patch/apply/managed-fields.ts';
import { setOrDelete } from '../registry/rules.ts';
import type { AdmissionAttributes } from './admission.ts';

type ManagedFields = ObjectMeta['managedFields'];

/** A change may leave managedFields invalid: then they stay as they were. */
export function keepManagedFieldsValid({ object, warn }: AdmissionAttributes, before: ManagedFields): void {
  const managedFields = object?.metadata?.managedFields;
  // The same list: unchanged.
  if (object === undefined || managedFields === before) return;
  try {
    decodeManagedFields(managedFields as ManagedFieldsEntry[] | undefined);
  } catch (error) {
    if (!(error instanceof ManagedFieldsError)) throw error;
    setOrDelete(object.metadata, 'managedFields', before);
    warn(
      `.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ${error.message}`,
    );
  }
}
