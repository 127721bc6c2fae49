// Upstream: k8s.io/kubernetes/pkg/apis/apps/validation/validation.go#ValidatePodTemplateSpecForReplicaSet
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { invalid } from '../../../machinery/field.ts';
import type { LabelSelector } from '../../../machinery/label-selector.ts';
import type { PodTemplateSpec } from '../../../schema/types/core-v1.ts';
import type { PodValidationOptions } from '../pod-spec/options.ts';
import { validatePodTemplateSpec } from '../pod-spec/template.ts';
import { readSelector, shownSelector, validateEndlessPods, validateRequiredSelector, validateSelectorMatches } from './selector.ts';

/** Selector and template of deployments and replica sets. */
export function validateReplicated(
  { selector, template }: { readonly selector: LabelSelector | null; readonly template: PodTemplateSpec },
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const errors = validateRequiredSelector(selector, path.child('selector'), 'deployment');
  const read = readSelector(selector);
  if (read === undefined) return [...errors, invalid(path.child('selector'), shownSelector(selector), 'invalid label selector')];
  const templatePath = path.child('template');
  return [
    ...errors,
    ...(read.isEmpty ? [] : validateSelectorMatches(read, template, templatePath)),
    ...validatePodTemplateSpec(template, templatePath, options),
    ...validateEndlessPods(template, templatePath, 'ReplicaSet'),
  ];
}
