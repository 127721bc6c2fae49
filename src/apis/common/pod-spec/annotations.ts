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

export const MIRROR_POD_ANNOTATION = 'kubernetes.io/config.mirror';
export const APP_ARMOR_PREFIX = 'container.apparmor.security.beta.kubernetes.io/';
export const SECCOMP_POD_ANNOTATION = 'seccomp.security.alpha.kubernetes.io/pod';
export const SECCOMP_CONTAINER_PREFIX = 'container.seccomp.security.alpha.kubernetes.io/';
const TOLERATIONS_ANNOTATION = 'scheduler.alpha.kubernetes.io/tolerations';
const DELETION_COST_ANNOTATION = 'controller.kubernetes.io/pod-deletion-cost';
const LOCALHOST_PREFIX = 'localhost/';
const RUNTIME_DEFAULT = 'runtime/default';
const UNCONFINED = 'unconfined';

export function validatePodAnnotations(
  annotations: Annotations = {},
  spec: PodSpec,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const errors: FieldError[] = [];
  const mirror = annotations[MIRROR_POD_ANNOTATION];
  if (mirror !== undefined && !spec.nodeName) {
    errors.push(invalid(path.key(MIRROR_POD_ANNOTATION), mirror, 'must set spec.nodeName if mirror pod annotation is set'));
  }
  const tolerations = annotations[TOLERATIONS_ANNOTATION];
  if (tolerations) append(errors, validateTolerationsAnnotation(tolerations, path, options));
  const cost = annotations[DELETION_COST_ANNOTATION];
  if (cost !== undefined && !options.allowInvalidPodDeletionCost && !isDeletionCost(cost)) {
    errors.push(invalid(path.key(DELETION_COST_ANNOTATION), cost, 'must be a 32bit integer'));
  }
  return [...errors, ...validateSeccompAnnotations(annotations, path), ...validateAppArmorAnnotations(annotations, spec, path)];
}

function validateTolerationsAnnotation(text: string, path: FieldPath, options: PodValidationOptions): FieldError[] {
  let tolerations: unknown;
  try {
    tolerations = JSON.parse(text);
  } catch (error) {
    return [invalid(path, TOLERATIONS_ANNOTATION, (error as Error).message)];
  }
  return Array.isArray(tolerations) ? validateTolerations(tolerations as Toleration[], path.child(TOLERATIONS_ANNOTATION), options) : [];
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

const seccompWords: ProfileWords = { noun: 'seccomp', runtimeDefault: [RUNTIME_DEFAULT, 'docker/default'] };
const appArmorWords: ProfileWords = { noun: 'apparmor', runtimeDefault: [RUNTIME_DEFAULT] };

function validateSeccompAnnotations(annotations: Annotations, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const check = (key: string, profile: string): void => {
    const at = path.child(key);
    if (profile === UNCONFINED || seccompWords.runtimeDefault.includes(profile)) return;
    if (profile.startsWith(LOCALHOST_PREFIX)) append(errors, validateDescendingPath(profile.slice(LOCALHOST_PREFIX.length), at));
    else errors.push(invalid(at, profile, 'must be a valid seccomp profile'));
  };
  const ofPod = annotations[SECCOMP_POD_ANNOTATION];
  if (ofPod !== undefined) check(SECCOMP_POD_ANNOTATION, ofPod);
  for (const key in annotations) if (key.startsWith(SECCOMP_CONTAINER_PREFIX)) check(key, annotations[key] as string);
  return errors;
}

function validateAppArmorAnnotations(annotations: Annotations, spec: PodSpec, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  for (const key in annotations) {
    if (!key.startsWith(APP_ARMOR_PREFIX)) continue;
    const name = key.slice(APP_ARMOR_PREFIX.length);
    const profile = annotations[key] as string;
    if (!allContainers(spec).some((container) => container.name === name)) {
      errors.push(invalid(path.key(key), name, 'container not found'));
    }
    if (profile !== '' && profile !== RUNTIME_DEFAULT && profile !== UNCONFINED && !profile.startsWith(LOCALHOST_PREFIX)) {
      errors.push(invalid(path.key(key), profile, `invalid AppArmor profile name: ${goQuote(profile)}`));
    }
  }
  return errors;
}

/** Where a profile is written in both places, they agree. */
export function validateProfilesMatch(annotations: Annotations = {}, spec: PodSpec, path: FieldPath): FieldError[] {
  return [...validateSeccompMatch(annotations, spec, path), ...validateAppArmorMatch(annotations, spec, path)];
}

function validateSeccompMatch(annotations: Annotations, spec: PodSpec, path: FieldPath): FieldError[] {
  const at = (owner: FieldPath): FieldPath => owner.child('securityContext').child('seccompProfile');
  const errors = validateMatch(annotations[SECCOMP_POD_ANNOTATION], spec.securityContext?.seccompProfile, seccompWords, at(path));
  for (const { container, path: owner } of containersWithPath(spec, path)) {
    const annotation = annotations[SECCOMP_CONTAINER_PREFIX + container.name];
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
    append(errors, validateMatch(annotations[APP_ARMOR_PREFIX + container.name], profile, appArmorWords, at));
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
      return annotation === UNCONFINED ? [] : typeDiffers;
    case 'RuntimeDefault':
      return runtimeDefault.includes(annotation) ? [] : typeDiffers;
    case 'Localhost':
      if (!annotation.startsWith(LOCALHOST_PREFIX)) return typeDiffers;
      if (annotation.slice(LOCALHOST_PREFIX.length) === profile.localhostProfile) return [];
      return [forbidden(path.child('localhostProfile'), `${noun} profile in annotation and field must match`)];
    default:
      return [];
  }
}

/** The profile that an AppArmor annotation speaks of; undefined when it is none. */
export function appArmorProfileOf(annotation: string): AppArmorProfile | undefined {
  if (annotation === UNCONFINED) return { type: 'Unconfined' };
  if (annotation === RUNTIME_DEFAULT) return { type: 'RuntimeDefault' };
  if (!annotation.startsWith(LOCALHOST_PREFIX)) return undefined;
  const localhostProfile = annotation.slice(LOCALHOST_PREFIX.length).trim();
  return localhostProfile === '' ? undefined : { type: 'Localhost', localhostProfile };
}
