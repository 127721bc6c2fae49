// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#ValidatePodTemplateSpec
import { forbidden } from '../../../machinery/field.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { validateAnnotations, validateLabels } from '../../../machinery/object-meta-validation.ts';
import type { PodTemplateSpec } from '../../../schema/types/core-v1.ts';
import { validatePodAnnotations, validateProfilesMatch } from './annotations.ts';
import type { PodValidationOptions } from './options.ts';
import { validatePodSpec } from './validation.ts';

/** Options come from `podTemplateValidationOptions`. */
export function validatePodTemplateSpec(template: PodTemplateSpec, path: FieldPath, options: PodValidationOptions): FieldError[] {
  const { metadata = {}, spec } = template;
  const { annotations, labels } = metadata;
  const errors = [
    ...validateLabels(labels, path.child('labels')),
    ...validateAnnotations(annotations, path.child('annotations')),
    ...validatePodAnnotations(annotations, spec, path.child('annotations'), options),
    ...validatePodSpec(spec, undefined, path.child('spec'), options),
    ...validateProfilesMatch(annotations, spec, path.child('spec')),
  ];
  if (spec.ephemeralContainers?.length) {
    errors.push(forbidden(path.child('spec', 'ephemeralContainers'), 'ephemeral containers not allowed in pod template'));
  }
  return errors;
}
