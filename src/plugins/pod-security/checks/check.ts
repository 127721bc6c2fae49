// Upstream: k8s.io/pod-security-admission/policy/{checks,registry,visitor,helpers}.go
import type { Container, EphemeralContainer, PodSpec } from '../../../schema/types/core-v1.ts';
import type { ObjectMeta } from '../../../machinery/object-meta.ts';
import type { Level } from './level.ts';

/** What is wrong with a pod, in short and in detail. */
export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

export interface PodUnderCheck {
  readonly annotations: NonNullable<ObjectMeta['annotations']>;
  readonly spec: PodSpec;
}

export type CheckPod = (pod: PodUnderCheck) => Violation | undefined;

/** One rule of a level. It may change with versions: the last entry not above the wanted minor version counts. */
export interface Check {
  readonly id: string;
  readonly level: Exclude<Level, 'privileged'>;
  /** from this minor version on; ascending */
  readonly versions: readonly { readonly from: number; readonly check: CheckPod }[];
  /** id of the baseline check that this one makes superfluous */
  readonly overrides?: string;
}

export type AnyContainer = Container | EphemeralContainer;

/** All containers: those that run first, the main ones, those added later. */
export function containersOf({ initContainers, containers, ephemeralContainers }: PodSpec): AnyContainer[] {
  return [...(initContainers ?? []), ...(containers ?? []), ...(ephemeralContainers ?? [])];
}

export function quoted(items: Iterable<string>): string {
  return [...items].map((item) => `"${item}"`).join(', ');
}

export function sorted(items: Iterable<string>): string[] {
  return [...new Set(items)].toSorted();
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? one : many;
}

/** `container "a"`, `containers "a", "b"` */
export function named(names: readonly string[], noun = 'container'): string {
  return `${plural(names.length, noun)} ${quoted(names)}`;
}

/** `pod and containers "a", "b"`: who has set a value. */
export function setters(pod: boolean, containers: readonly string[]): string {
  return [...(pod ? ['pod'] : []), ...(containers.length > 0 ? [named(containers)] : [])].join(' and ');
}

export function namesOf(containers: readonly AnyContainer[]): string[] {
  return containers.map(({ name }) => name);
}

export const isWindows = ({ os }: PodSpec): boolean => os?.name === 'windows';

/** A pod with users of its own cannot harm the host by what it does as root. */
export const hasOwnUsers = ({ hostUsers }: PodSpec): boolean => hostUsers === false;

/** The same check for those that it concerns. */
export function unless(exempt: (spec: PodSpec) => boolean, check: CheckPod): CheckPod {
  return (pod) => (exempt(pod.spec) ? undefined : check(pod));
}
