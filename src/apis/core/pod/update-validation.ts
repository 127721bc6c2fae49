// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#ValidatePodUpdate
import { append } from '../../../machinery/append.ts';
import { forbidden, invalid, required } from '../../../machinery/field.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { rangeMessage } from '../../../machinery/names.ts';
import type * as core from '../../../schema/types/core-v1.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import { setOrDelete } from '../../../server/registry/rules.ts';
import { appArmorPrefix, mirrorPodAnnotation, validatePodAnnotations } from '../../common/pod-spec/annotations.ts';
import type { PodContext, PodValidationOptions } from '../../common/pod-spec/options.ts';
import { validateTolerations } from '../../common/pod-spec/tolerations.ts';
import { validateNodeAffinityChange, validateNodeSelectorChange } from './gated-changes.ts';
import { internalDiff, internallyEqual } from './internal-pod.ts';
import type { PodObject } from './pod-object.ts';
import { annotationsPath, optionsFor, specPath, validateSpec } from './validation.ts';

const maxInt32 = 2 ** 31 - 1;
const changeable = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
].join(',');

export function validateUpdate(pod: PodObject, old: PodObject, context: PodContext & Pick<WriteContext, 'isVetted'>): FieldError[] {
  const options = optionsFor(pod, old, context);
  if (pod.spec === old.spec && context.isVetted === true) return validateAnnotationChanges(pod, old, options);
  const errors = [...validateSpec(pod, options), ...validateAnnotationChanges(pod, old, options)];
  for (const list of ['containers', 'initContainers'] as const) {
    const next = pod.spec[list] ?? [];
    const at = specPath.child(list);
    if (next.length !== (old.spec[list] ?? []).length) return [...errors, forbidden(at, 'pod updates may not add or remove containers')];
    next.forEach(({ image = '' }, index) => append(errors, validateImage(image, at.index(index).child('image'))));
  }
  const deadline = validateDeadline(pod.spec.activeDeadlineSeconds, old.spec.activeDeadlineSeconds);
  append(errors, deadline.errors);
  if (deadline.stop) return errors;
  append(
    errors,
    validateAddedTolerations(pod.spec.tolerations ?? [], old.spec.tolerations ?? [], options),
    validateRemovedGates(pod.spec.schedulingGates ?? [], old.spec.schedulingGates ?? []),
  );
  return internallyEqual(pod.spec, old.spec, 'PodSpec') ? errors : [...errors, ...validateRest(pod.spec, old.spec)];
}

function validateImage(image: string, path: FieldPath): FieldError[] {
  if (image === '') return [required(path, '')];
  return image.trim() === image ? [] : [invalid(path, image, 'must not have leading or trailing whitespace')];
}

type Seconds = core.PodSpec['activeDeadlineSeconds'];

/** It may be set, and become shorter. */
function validateDeadline(next: Seconds, old: Seconds): { readonly errors: FieldError[]; readonly stop: boolean } {
  const at = specPath.child('activeDeadlineSeconds');
  const refuse = (error: FieldError, stop: boolean): { errors: FieldError[]; stop: boolean } => ({ errors: [error], stop });
  if (next === undefined) {
    if (old === undefined) return { errors: [], stop: false };
    return refuse(invalid(at, null, 'must not update from a positive integer to nil value'), false);
  }
  if (next < 0 || next > maxInt32) return refuse(invalid(at, next, rangeMessage(0, maxInt32)), true);
  if (old !== undefined && old < next) return refuse(invalid(at, next, 'must be less than or equal to previous value'), true);
  return { errors: [], stop: false };
}

function validateAddedTolerations(
  next: readonly core.Toleration[],
  old: readonly core.Toleration[],
  options: PodValidationOptions,
): FieldError[] {
  const at = specPath.child('tolerations');
  const withoutSeconds = ({ key, operator, value, effect }: core.Toleration): string => JSON.stringify([key, operator, value, effect]);
  const known = new Set(old.length === 0 ? [] : next.map(withoutSeconds));
  if (!old.every((each) => known.has(withoutSeconds(each))))
    return [forbidden(at, 'existing toleration can not be modified except its tolerationSeconds')];
  return validateTolerations(next, at, options);
}

function validateRemovedGates(next: readonly core.PodSchedulingGate[], old: readonly core.PodSchedulingGate[]): FieldError[] {
  const known = new Set(old.map(({ name }) => name));
  return next.flatMap(({ name }, index) => {
    if (known.has(name)) return [];
    const detail = `only deletion is allowed, but found new scheduling gate '${name}'`;
    return [forbidden(specPath.child('schedulingGates').index(index).child('name'), detail)];
  });
}

/** Whatever else differs is refused: the spec with all lawful changes undone must be the old one. */
function validateRest(next: core.PodSpec, old: core.PodSpec): FieldError[] {
  const errors: FieldError[] = [];
  const undone: core.PodSpec = {
    ...next,
    containers: withImagesOf(next.containers ?? [], old.containers ?? []),
  };
  setOrDelete(undone, 'initContainers', next.initContainers && withImagesOf(next.initContainers, old.initContainers ?? []));
  setOrDelete(undone, 'activeDeadlineSeconds', old.activeDeadlineSeconds);
  setOrDelete(undone, 'schedulingGates', old.schedulingGates);
  setOrDelete(undone, 'tolerations', old.tolerations);
  const { terminationGracePeriodSeconds: period } = old;
  if (period !== undefined && period < 0 && Number(next.terminationGracePeriodSeconds) === 1) undone.terminationGracePeriodSeconds = period;
  if (old.schedulingGates?.length) append(errors, undoGatedChanges(undone, old));
  if (internallyEqual(undone, old, 'PodSpec')) return errors;
  const detail = `pod updates may not change fields other than ${changeable}\n${internalDiff(old, undone, 'PodSpec')}`;
  return [...errors, forbidden(specPath, detail)];
}

function withImagesOf(next: readonly core.Container[], old: readonly core.Container[]): core.Container[] {
  return next.map((container, index) => {
    const copy = { ...container };
    setOrDelete(copy, 'image', old[index]?.image);
    return copy;
  });
}

/** Where a pod may run can be narrowed as long as gates hold it back. */
function undoGatedChanges(undone: core.PodSpec, old: core.PodSpec): FieldError[] {
  const errors: FieldError[] = [];
  if (!internallyEqual(undone.nodeSelector, old.nodeSelector, '{s')) {
    append(errors, validateNodeSelectorChange(undone.nodeSelector ?? {}, old.nodeSelector ?? {}, specPath.child('nodeSelector')));
    setOrDelete(undone, 'nodeSelector', old.nodeSelector);
  }
  const before = old.affinity?.nodeAffinity;
  const after = undone.affinity?.nodeAffinity;
  if (internallyEqual(before, after, '?NodeAffinity')) return errors;
  append(errors, validateNodeAffinityChange(after, before, specPath.child('affinity').child('nodeAffinity')));
  const { nodeAffinity: _, ...others } = undone.affinity ?? {};
  const affinity = before === undefined ? others : { ...others, nodeAffinity: before };
  if (old.affinity === undefined && Object.keys(affinity).length === 0) delete undone.affinity;
  else undone.affinity = affinity;
  return errors;
}

/** AppArmor and mirror annotations stay as they are. */
export function validateAnnotationChanges(pod: PodObject, old: PodObject, options: PodValidationOptions): FieldError[] {
  const [next, before] = [pod.metadata.annotations ?? {}, old.metadata.annotations ?? {}];
  const errors: FieldError[] = [];
  const nounOf = (key: string): string | undefined =>
    key.startsWith(appArmorPrefix) ? 'AppArmor annotations' : key === mirrorPodAnnotation ? 'mirror pod annotation' : undefined;
  for (const [key, value] of Object.entries(before)) {
    const noun = nounOf(key);
    if (noun !== undefined && next[key] !== value) errors.push(forbidden(annotationsPath.key(key), `may not remove or update ${noun}`));
  }
  for (const key of Object.keys(next)) {
    const noun = nounOf(key);
    if (noun !== undefined && before[key] === undefined) errors.push(forbidden(annotationsPath.key(key), `may not add ${noun}`));
  }
  return [...errors, ...validatePodAnnotations(pod.metadata.annotations, pod.spec, annotationsPath, options)];
}
