// Upstream: k8s.io/kubernetes/pkg/registry/core/pod/strategy.go#podEphemeralContainersStrategy
// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#ValidatePodEphemeralContainersUpdate
import { FieldPath, forbidden } from '../../../machinery/field.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { goQuote } from '../../../machinery/go-format.ts';
import type { SubresourceUpdate } from '../../../server/registry/definition.ts';
import { setOrDelete } from '../../../server/registry/rules.ts';
import { mirrorPodAnnotation } from '../../common/pod-spec/annotations.ts';
import { dropDisabledFields } from '../../common/pod-spec/disabled-fields.ts';
import { resetMetadataForStatus } from '../../common/status-metadata.ts';
import { internalDiff, internallyEqual } from './internal-pod.ts';
import type { PodObject } from './pod-object.ts';
import { updateGeneration } from './prepare.ts';
import { validateAnnotationChanges } from './update-validation.ts';
import { optionsFor, specPath, validateSpec } from './validation.ts';

/** Adds containers to a running pod; nothing else of it changes. */
export const ephemeralContainers: SubresourceUpdate<PodObject> = {
  prepareForUpdate(pod, old, { features }) {
    const { ephemeralContainers: containers } = pod.spec;
    pod.spec = { ...old.spec };
    setOrDelete(pod.spec, 'ephemeralContainers', containers);
    pod.status = old.status;
    resetMetadataForStatus(pod.metadata, old.metadata);
    dropDisabledFields(pod.spec, old.spec, features);
    updateGeneration(pod, old);
  },
  validateUpdate(pod, old, context) {
    if (old.metadata.annotations?.[mirrorPodAnnotation] !== undefined) {
      return [forbidden(FieldPath.root(''), 'static pods do not support ephemeral containers')];
    }
    const options = optionsFor(pod, old, context);
    return [...validateSpec(pod, options), ...validateAnnotationChanges(pod, old, options), ...validateKept(pod, old)];
  },
};

function validateKept({ spec }: PodObject, old: PodObject): FieldError[] {
  const at = specPath.child('ephemeralContainers');
  const byName = new Map((spec.ephemeralContainers ?? []).map((container) => [container.name, container]));
  return (old.spec.ephemeralContainers ?? []).flatMap((before) => {
    const after = byName.get(before.name);
    const noun = `existing ephemeral containers ${goQuote(before.name)}`;
    if (after === undefined) return [forbidden(at, `${noun} may not be removed\n`)];
    if (internallyEqual(before, after, 'EphemeralContainer')) return [];
    return [forbidden(at, `${noun} may not be changed\n${internalDiff(before, after, 'EphemeralContainer')}`)];
  });
}
