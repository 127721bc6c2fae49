// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#ValidatePodSpecificAnnotations
// With seccomp and AppArmor annotations.
import { append } from '../../../machinery/append.ts';
import { forbidden, invalid } from '../../../machinery/field.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { goQuote } from '../../../machinery/go-format.ts';
import type { AppArmorProfile, PodSpec, SeccompProfile, Toleration } from '../../../schema/types/core-v1.ts';
import { allContainers, containersWithPath } from './containers.ts';
import type { PodValidationOptions } from './options.ts';
import { validateDescendingPath } from './rules.ts';
import { validateTolerations } from './tolerations.ts';

type Annotations = Readonly<Record<string, string>>;

export const mirrorPodAnnotation = 'kubernetes.io/config.mirror';
export const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/';
export const seccompPodAnnotation = 'seccomp.security.alpha.kubernetes.io/pod';
export const seccompContainerPrefix = 'container.seccomp.security.alpha.kubernetes.io/';
const tolerationsAnnotation = 'scheduler.alpha.kubernetes.io/tolerations';
const deletionCostAnnotation = 'controller.kubernetes.io/pod-deletion-cost';
const localhostPrefix = 'localhost/';
const runtimeDefaultProfile = 'runtime/default';
const unconfined = 'unconfined';

export function validatePodAnnotations(
  annotations: Annotations = {},
  spec: PodSpec,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const errors: FieldError[] = [];
  const mirror = annotations[mirrorPodAnnotation];
  if (mirror !== undefined && !spec.nodeName) {
    errors.push(invalid(path.key(mirrorPodAnnotation), mirror, 'must set spec.nodeName if mirror pod annotation is set'));
  }
  const tolerations = annotations[tolerationsAnnotation];
  if (tolerations) append(errors, validateTolerationsAnnotation(tolerations, path, options));
  const cost = annotations[deletionCostAnnotation];
  if (cost !== undefined && !options.allowInvalidPodDeletionCost && !isDeletionCost(cost)) {
    errors.push(invalid(path.key(deletionCostAnnotation), cost, 'must be a 32bit integer'));
  }
  return [...errors, ...validateSeccompAnnotations(annotations, path), ...validateAppArmorAnnotations(annotations, spec, path)];
}

function validateTolerationsAnnotation(text: string, path: FieldPath, options: PodValidationOptions): FieldError[] {
  let tolerations: unknown;
  try {
    tolerations = JSON.parse(text);
  } catch (error) {
    return [invalid(path, tolerationsAnnotation, (error as Error).message)];
  }
  return Array.isArray(tolerations) ? validateTolerations(tolerations as Toleration[], path.child(tolerationsAnnotation), options) : [];
}

/** An int32 without plus sign or leading zeros. */
export function isDeletionCost(text: string): boolean {
  if (!/^(?:0|-[0-9]+|[1-9][0-9]*)$/.test(text)) return false;
  return Number(text) >= -(2 ** 31) && Number(text) < 2 ** 31;
}

/** Annotation values of a security profile are values of its field in other words. */
interface ProfileWords {
  readonly noun: 'seccomp' | 'apparmor';
  readonly runtimeDefault: readonly string[];
}

const seccompWords: ProfileWords = { noun: 'seccomp', runtimeDefault: [runtimeDefaultProfile, 'docker/default'] };
const appArmorWords: ProfileWords = { noun: 'apparmor', runtimeDefault: [runtimeDefaultProfile] };

function validateSeccompAnnotations(annotations: Annotations, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const check = (key: string, profile: string): void => {
    const at = path.child(key);
    if (profile === unconfined || seccompWords.runtimeDefault.includes(profile)) return;
    if (profile.startsWith(localhostPrefix)) append(errors, validateDescendingPath(profile.slice(localhostPrefix.length), at));
    else errors.push(invalid(at, profile, 'must be a valid seccomp profile'));
  };
  const ofPod = annotations[seccompPodAnnotation];
  if (ofPod !== undefined) check(seccompPodAnnotation, ofPod);
  for (const key in annotations) if (key.startsWith(seccompContainerPrefix)) check(key, annotations[key] as string);
  return errors;
}

function validateAppArmorAnnotations(annotations: Annotations, spec: PodSpec, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  let names: Set<string> | undefined;
  for (const key in annotations) {
    if (!key.startsWith(appArmorPrefix)) continue;
    names ??= new Set(allContainers(spec).map((container) => container.name));
    const name = key.slice(appArmorPrefix.length);
    const profile = annotations[key] as string;
    if (!names.has(name)) {
      errors.push(invalid(path.key(key), name, 'container not found'));
    }
    if (profile !== '' && profile !== runtimeDefaultProfile && profile !== unconfined && !profile.startsWith(localhostPrefix)) {
      errors.push(invalid(path.key(key), profile, `invalid AppArmor profile name: ${goQuote(profile)}`));
    }
  }
  return errors;
}

/** Where a profile is written in both places, they agree. */
export function validateProfilesMatch(annotations: Annotations = {}, spec: PodSpec, path: FieldPath): FieldError[] {
  // There may be thousands of containers, and mostly no such annotation.
  const isProfile = (key: string): boolean =>
    key === seccompPodAnnotation || key.startsWith(seccompContainerPrefix) || key.startsWith(appArmorPrefix);
  if (!Object.keys(annotations).some(isProfile)) return [];
  return [...validateSeccompMatch(annotations, spec, path), ...validateAppArmorMatch(annotations, spec, path)];
}

function validateSeccompMatch(annotations: Annotations, spec: PodSpec, path: FieldPath): FieldError[] {
  const at = (owner: FieldPath): FieldPath => owner.child('securityContext').child('seccompProfile');
  const errors = validateMatch(annotations[seccompPodAnnotation], spec.securityContext?.seccompProfile, seccompWords, at(path));
  for (const { container, path: owner } of containersWithPath(spec, path)) {
    const annotation = annotations[seccompContainerPrefix + container.name];
    append(errors, validateMatch(annotation, container.securityContext?.seccompProfile, seccompWords, at(owner)));
  }
  return errors;
}

function validateAppArmorMatch(annotations: Annotations, spec: PodSpec, path: FieldPath): FieldError[] {
  if (spec.os?.name === 'windows') return [];
  const errors: FieldError[] = [];
  for (const { container, path: owner } of containersWithPath(spec, path)) {
    const profile = container.securityContext?.appArmorProfile ?? spec.securityContext?.appArmorProfile;
    const at = owner.child('securityContext').child('appArmorProfile');
    append(errors, validateMatch(annotations[appArmorPrefix + container.name], profile, appArmorWords, at));
  }
  return errors;
}

function validateMatch(
  annotation: string | undefined,
  profile: SeccompProfile | AppArmorProfile | undefined,
  { noun, runtimeDefault }: ProfileWords,
  path: FieldPath,
): FieldError[] {
  if (annotation === undefined || profile === undefined) return [];
  const typeDiffers = [forbidden(path.child('type'), `${noun} type in annotation and field must match`)];
  switch (profile.type) {
    case 'Unconfined':
      return annotation === unconfined ? [] : typeDiffers;
    case 'RuntimeDefault':
      return runtimeDefault.includes(annotation) ? [] : typeDiffers;
    case 'Localhost':
      if (!annotation.startsWith(localhostPrefix)) return typeDiffers;
      if (annotation.slice(localhostPrefix.length) === profile.localhostProfile) return [];
      return [forbidden(path.child('localhostProfile'), `${noun} profile in annotation and field must match`)];
    default:
      return [];
  }
}

/** The profile that an AppArmor annotation speaks of; undefined when it is none. */
export function appArmorProfileOf(annotation: string): AppArmorProfile | undefined {
  if (annotation === unconfined) return { type: 'Unconfined' };
  if (annotation === runtimeDefaultProfile) return { type: 'RuntimeDefault' };
  if (!annotation.startsWith(localhostPrefix)) return undefined;
  const localhostProfile = annotation.slice(localhostPrefix.length).trim();
  return localhostProfile === '' ? undefined : { type: 'Localhost', localhostProfile };
}
