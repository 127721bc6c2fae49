// Upstream: k8s.io/apiserver/pkg/admission/errors.go
import type { ApiError } from '../../machinery/errors.ts';
import { forbidden, isReason } from '../../machinery/errors.ts';
import type { AdmissionAttributes } from './admission.ts';

/** The refusal of a plugin: 403 about the object that was to be written. */
export function forbid(attributes: AdmissionAttributes, reason: string): ApiError {
  return forbidden(attributes.resource.groupResource, nameOf(attributes), reason);
}

/** The same for whatever a plugin ran into; what is a refusal already stays as it is. */
export function forbidBecause(attributes: AdmissionAttributes, error: unknown): ApiError {
  if (isReason(error, 'Forbidden') || isReason(error, 'Invalid')) return error;
  return forbid(attributes, error instanceof Error ? error.message : String(error));
}

function nameOf({ name, object }: AdmissionAttributes): string {
  return name || object?.metadata.name || object?.metadata.generateName || 'Unknown';
}
