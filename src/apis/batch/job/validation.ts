// Upstream: k8s.io/kubernetes/pkg/apis/batch/validation/validation.go#ValidateJob*
// Upstream: k8s.io/kubernetes/pkg/registry/batch/job/strategy.go#validationOptionsForJob
import { append } from '../../../machinery/append.ts';
import { deepCopy } from '../../../machinery/deep-copy.ts';
import { semanticDeepEqual } from '../../../machinery/deep-equal.ts';
import { FieldPath, invalid, required } from '../../../machinery/field.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { hasInvalidLabelValue, validateLabelSelector } from '../../../machinery/label-selector.ts';
import { checkDns1123Label } from '../../../machinery/names.ts';
import { fieldImmutableMessage, validateImmutable } from '../../../machinery/object-meta-validation.ts';
import type { Type } from '../../../machinery/type-model.ts';
import type { JobSpec } from '../../../schema/types/batch-v1.ts';
import type { PodSpec, PodTemplateSpec } from '../../../schema/types/core-v1.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import { setOrDelete } from '../../../server/registry/rules.ts';
import { internalValue, typeAt } from '../../common/internal-value.ts';
import { shownPodFailurePolicy, shownSuccessPolicy } from '../../common/job/internal-forms.ts';
import { validateJobSpec } from '../../common/job/validation.ts';
import { podTemplateValidationOptions } from '../../common/pod-spec/options.ts';
import { readSelector, validateSelectorMatches, validateSelectorUnchanged } from '../../common/workload/selector.ts';
import type { JobObject } from './definition.ts';
import { validateGeneratedSelector } from './generated-selector.ts';
import { isTrue } from './status-validation.ts';

const specPath = FieldPath.root('spec');
const templatePath = specPath.child('template');

export function validateJob(job: JobObject, context: WriteContext): FieldError[] {
  return [...validateGeneratedSelector(job), ...validateSpec(job, undefined, context), ...validateNameForIndexes(job)];
}

export function validateJobUpdate(job: JobObject, old: JobObject, context: WriteContext): FieldError[] {
  const { spec } = job;
  const unchanged = <K extends keyof JobSpec>(field: K, show: (value: JobSpec[K]) => unknown = (value) => value): FieldError[] =>
    semanticDeepEqual(spec[field], old.spec[field])
      ? []
      : [invalid(specPath.child(field), show(spec[field]) ?? null, fieldImmutableMessage)];
  return [
    ...validateSpec(job, old, context),
    ...validateCompletions(spec, old.spec),
    ...validateSelectorUnchanged(spec.selector, old.spec.selector, specPath.child('selector')),
    ...validateTemplateUpdate(spec, old, context),
    ...unchanged('completionMode'),
    ...unchanged('podFailurePolicy', shownPodFailurePolicy),
    ...unchanged('backoffLimitPerIndex'),
    ...unchanged('managedBy'),
    ...unchanged('successPolicy', shownSuccessPolicy),
    ...validateNameForIndexes(job),
  ];
}

function validateSpec({ spec }: JobObject, old: JobObject | undefined, context: WriteContext): FieldError[] {
  const options = podTemplateValidationOptions(context, spec.template, old?.spec.template);
  const selectorPath = specPath.child('selector');
  const errors = validateJobSpec(spec, specPath, options);
  const allowInvalidLabelValue = options.allowInvalidLabelValueInSelector || hasInvalidLabelValue(old?.spec.selector);
  if (spec.selector === undefined) errors.push(required(selectorPath, ''));
  else append(errors, validateLabelSelector(spec.selector, selectorPath, { allowInvalidLabelValue }));
  const selector = readSelector(spec.selector);
  return selector === undefined ? errors : [...errors, ...validateSelectorMatches(selector, spec.template, templatePath)];
}

/** Pods of an indexed job are named after it and their index. */
function validateNameForIndexes({ metadata: { name = '' }, spec: { completionMode, completions = 0 } }: JobObject): FieldError[] {
  if (completionMode !== 'Indexed' || completions <= 0) return [];
  const longest = `${name}-${completions - 1}`;
  if (checkDns1123Label(longest).length === 0) return [];
  return [invalid(FieldPath.root('metadata', 'name'), name, `will not able to create pod with invalid DNS label: ${longest}`)];
}

/** An indexed job may grow and shrink, all of it at once. */
function validateCompletions({ completionMode, completions, parallelism }: JobSpec, old: JobSpec): FieldError[] {
  const path = specPath.child('completions');
  if (completionMode !== 'Indexed') return validateImmutable(completions, old.completions, path);
  if (completions === undefined || completions === old.completions || completions === parallelism) return [];
  return [invalid(path, completions, 'can only be modified in tandem with spec.parallelism')];
}

/** The template stays, but for what decides where pods run and what they get while none of them does. */
function validateTemplateUpdate({ template }: JobSpec, old: JobObject, { features, reader }: WriteContext): FieldError[] {
  const type = typeAt(reader.resource('batch', 'jobs').storage.type, 'spec', 'template');
  const suspended = old.spec.suspend === true;
  const untouched = suspended && old.status?.startTime === undefined;
  const idle = suspended && !old.status?.active && (untouched || isTrue(old.status?.conditions, 'Suspended'));
  const expected = deepCopy(old.spec.template);
  if (features.enabled('MutableSchedulingDirectivesForSuspendedJobs') ? idle : untouched) allowSchedulingDirectives(expected, template);
  if (!suspended || !idle || !features.enabled('MutablePodResourcesForSuspendedJobs')) {
    return semanticDeepEqual(template, expected, type) ? [] : [invalid(templatePath, shownTemplate(type, template), fieldImmutableMessage)];
  }
  allowResources(expected.spec, template.spec);
  if (semanticDeepEqual(template.spec, expected.spec, typeAt(type, 'spec'))) return [];
  return [invalid(specPath.child('template.spec'), internalValue(typeAt(type, 'spec'), template.spec), fieldImmutableMessage)];
}

/** A template's metadata has no name of its own inside. */
function shownTemplate(type: Type, { metadata, spec }: PodTemplateSpec): unknown {
  return { ...(internalValue(typeAt(type, 'metadata'), metadata) as object), Spec: internalValue(typeAt(type, 'spec'), spec) };
}

function allowSchedulingDirectives(expected: PodTemplateSpec, template: PodTemplateSpec): void {
  const { affinity } = template.spec;
  if (affinity !== undefined) {
    expected.spec.affinity = { ...expected.spec.affinity };
    setOrDelete(expected.spec.affinity, 'nodeAffinity', affinity.nodeAffinity);
  } else if (expected.spec.affinity !== undefined) {
    delete expected.spec.affinity.nodeAffinity;
    if (semanticDeepEqual(expected.spec.affinity, {})) delete expected.spec.affinity;
  }
  setOrDelete(expected.spec, 'nodeSelector', template.spec.nodeSelector);
  setOrDelete(expected.spec, 'tolerations', template.spec.tolerations);
  setOrDelete(expected.spec, 'schedulingGates', template.spec.schedulingGates);
  setOrDelete(expected.metadata, 'annotations', template.metadata?.annotations);
  setOrDelete(expected.metadata, 'labels', template.metadata?.labels);
}

function allowResources(expected: PodSpec, spec: PodSpec): void {
  for (const list of ['containers', 'initContainers'] as const) {
    const containers = spec[list] ?? [];
    const targets = expected[list] ?? [];
    if (containers.length !== targets.length) continue;
    targets.forEach((target, index) => {
      const container = containers[index];
      if (container?.name === target.name) setOrDelete(target, 'resources', container.resources);
    });
  }
}
