// Upstream: k8s.io/pod-security-admission/admission/admission.go#DefaultPodSpecExtractor
import type { Pod, PodTemplateSpec } from '../../schema/types/core-v1.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { PodUnderCheck } from './checks/check.ts';

/** Kinds that are pods or make them, and where their template is. */
export const podResources: ReadonlyMap<string, readonly string[]> = new Map([
  ['/pods', []],
  ['/podtemplates', ['template']],
  ['/replicationcontrollers', ['spec', 'template']],
  ['apps/replicasets', ['spec', 'template']],
  ['apps/deployments', ['spec', 'template']],
  ['apps/statefulsets', ['spec', 'template']],
  ['apps/daemonsets', ['spec', 'template']],
  ['batch/jobs', ['spec', 'template']],
  ['batch/cronjobs', ['spec', 'jobTemplate', 'spec', 'template']],
]);

export function podOf(resource: string, object: KubeObject): PodUnderCheck | undefined {
  let at: unknown = object;
  for (const field of podResources.get(resource) ?? []) at = (at as Record<string, unknown> | undefined)?.[field];
  const template = at as PodTemplateSpec | undefined;
  if (template?.spec === undefined) return undefined;
  return { annotations: template.metadata?.annotations ?? {}, spec: template.spec };
}

/** Of what can change in a pod only its images and added containers matter. */
export function isSignificantUpdate({ spec }: Pod, { spec: old }: Pod): boolean {
  const images = (containers: readonly { image?: string }[] | null | undefined): string =>
    (containers ?? []).map(({ image }) => image).join('\n');
  if (images(spec.containers) !== images(old.containers) || images(spec.initContainers) !== images(old.initContainers)) return true;
  const before = new Map(old.ephemeralContainers?.toReversed().map((container) => [container.name, container]));
  return (spec.ephemeralContainers ?? []).some(({ name, image }) => !before.has(name) || before.get(name)?.image !== image);
}
