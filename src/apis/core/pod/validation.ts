// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#ValidatePodCreate
import { append } from '../../../machinery/append.ts';
import { FieldPath, forbidden } from '../../../machinery/field.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { validateNonNegative } from '../../../machinery/object-meta-validation.ts';
import { validatePodAnnotations, validateProfilesMatch } from '../../common/pod-spec/annotations.ts';
import { validateImageWhitespace } from '../../common/pod-spec/container-rules.ts';
import { podValidationOptions } from '../../common/pod-spec/options.ts';
import type { PodContext, PodValidationOptions } from '../../common/pod-spec/options.ts';
import { validatePodSpec } from '../../common/pod-spec/validation.ts';
import type { PodObject } from './pod-object.ts';

export const specPath = FieldPath.root('spec');
export const annotationsPath = FieldPath.root('metadata', 'annotations');

export function optionsFor(pod: PodObject, old: PodObject | undefined, context: PodContext): PodValidationOptions {
  return { ...podValidationOptions(context, pod.spec, old?.spec, old?.metadata), resourceIsPod: true };
}

export function validateCreate(pod: PodObject, context: PodContext): FieldError[] {
  const { metadata, spec } = pod;
  const errors = validateSpec(pod, optionsFor(pod, undefined, context));
  if (spec.ephemeralContainers?.length) errors.push(forbidden(specPath.child('ephemeralContainers'), 'cannot be set on create'));
  if (spec.nodeName && spec.schedulingGates?.length) {
    errors.push(forbidden(specPath.child('nodeName'), 'cannot be set until all schedulingGates have been cleared'));
  }
  return [...errors, ...validateProfilesMatch(metadata.annotations, spec, specPath)];
}

/** What holds on create and on update. */
export function validateSpec({ metadata, spec }: PodObject, options: PodValidationOptions): FieldError[] {
  const errors = [
    ...validatePodAnnotations(metadata.annotations, spec, annotationsPath, options),
    ...validatePodSpec(spec, metadata, specPath, options),
  ];
  if (!spec.serviceAccountName) append(errors, refuseTokens({ metadata, spec } as PodObject));
  append(errors, validateNonNegative(spec.terminationGracePeriodSeconds, specPath.child('terminationGracePeriodSeconds')));
  for (const list of ['containers', 'initContainers'] as const) {
    (spec[list] ?? []).forEach((container, index) => append(errors, validateImageWhitespace(container, specPath.child(list).index(index))));
  }
  return errors;
}

function refuseTokens({ spec }: PodObject): FieldError[] {
  return (spec.volumes ?? []).flatMap(({ projected }, volume) =>
    (projected?.sources ?? []).flatMap(({ serviceAccountToken }, source) => {
      if (serviceAccountToken === undefined) return [];
      const at = specPath.child('volumes').index(volume).child('projected').child('sources').index(source);
      return [forbidden(at.child('serviceAccountToken'), 'must not be specified when serviceAccountName is not set')];
    }),
  );
}
