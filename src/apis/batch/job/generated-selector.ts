// Upstream: k8s.io/kubernetes/pkg/registry/batch/job/strategy.go#generateSelector
// Upstream: k8s.io/kubernetes/pkg/apis/batch/validation/validation.go#validateGeneratedSelector
import { FieldPath, invalid, required } from '../../../machinery/field.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { readSelector, shownLabels, shownSelector } from '../../common/workload/selector.ts';
import type { JobObject } from './definition.ts';

export const jobNameLabel = 'batch.kubernetes.io/job-name';
export const controllerUidLabel = 'batch.kubernetes.io/controller-uid';
const legacyJobNameLabel = 'job-name';
const legacyControllerUidLabel = 'controller-uid';

/** Labels that only the pods of this job have, and a selector for them. Labels that are there already stay, for validation to judge. */
export function generateSelector({ metadata, spec }: JobObject): void {
  const { name = '', uid = '' } = metadata;
  const template = (spec.template.metadata ??= {});
  const generated = { [legacyJobNameLabel]: name, [jobNameLabel]: name, [legacyControllerUidLabel]: uid, [controllerUidLabel]: uid };
  const labels = { ...generated, ...template.labels };
  // Labels that a job took over from its template are one map with the template's in upstream, so the new ones show in both.
  if (template.labels !== undefined && metadata.labels === template.labels) metadata.labels = { ...labels };
  template.labels = labels;
  const selector = (spec.selector ??= {});
  selector.matchLabels = { [controllerUidLabel]: uid, ...selector.matchLabels };
}

export function validateGeneratedSelector({ metadata, spec }: JobObject): FieldError[] {
  if (spec.manualSelector === true || spec.selector === undefined) return [];
  const { name = '', uid = '' } = metadata;
  const labels = spec.template.metadata?.labels ?? {};
  const path = FieldPath.root('spec', 'template', 'metadata', 'labels');
  const expected: Readonly<Record<string, string>> = {
    [legacyControllerUidLabel]: uid,
    [legacyJobNameLabel]: name,
    [controllerUidLabel]: uid,
    [jobNameLabel]: name,
  };
  const errors = uid === '' ? [required(FieldPath.root('metadata', 'uid'), '')] : [];
  for (const [key, value] of Object.entries(expected)) {
    const detail = `must be '${value}'`;
    if (labels[key] === undefined) errors.push(required(path.key(key), detail));
    else if (labels[key] !== value) errors.push(invalid(path.key(key), shownLabels(labels), detail));
  }
  const selector = readSelector(spec.selector);
  if (selector !== undefined && !selector.matches(expected)) {
    errors.push(invalid(FieldPath.root('spec', 'selector'), shownSelector(spec.selector), '`selector` not auto-generated'));
  }
  return errors;
}
