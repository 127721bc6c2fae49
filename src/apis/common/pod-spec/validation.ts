// Upstream: pkg/apis/core/validation/validation.go (ValidatePodSpec)
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import type { ObjectMeta } from '../../../machinery/object-meta.ts';
import type { PodSpec } from '../../../schema/types/core-v1.ts';
import type { PodValidationOptions } from './options.ts';

/** Metadata is that of a pod; a template has none yet. */
export function validatePodSpec(
  _spec: PodSpec,
  _metadata: ObjectMeta | undefined,
  _path: FieldPath,
  _options: PodValidationOptions,
): FieldError[] {
  return [];
}
