// Upstream: pkg/api/pod/util.go (DropDisabledTemplateFields)
import type { PodSpec, PodTemplateSpec } from '../../../schema/types/core-v1.ts';
import type { FeatureGates } from '../../../server/features.ts';

/** Removes fields of features that are off, unless the stored template uses them already. For prepareForCreate and prepareForUpdate. */
export function dropDisabledTemplateFields(template: PodTemplateSpec, old: PodTemplateSpec | undefined, features: FeatureGates): void {
  dropDisabledFields(template.spec, old?.spec, features);
  dropInitContainerAnnotations(template.metadata?.annotations);
}

export function dropDisabledFields(spec: PodSpec, old: PodSpec | undefined, features: FeatureGates): void {
  const keep = (gate: string, inUse: (spec: PodSpec) => boolean): boolean => features.enabled(gate) || (old !== undefined && inUse(old));
  if (!keep('EvictionRequestAPI', ({ evictionResponders }) => (evictionResponders?.length ?? 0) > 0)) delete spec.evictionResponders;
}

const initContainerAnnotations = [
  'pod.beta.kubernetes.io/init-containers',
  'pod.alpha.kubernetes.io/init-containers',
  'pod.beta.kubernetes.io/init-container-statuses',
  'pod.alpha.kubernetes.io/init-container-statuses',
];

/** Where init containers were once written; nobody reads them any more. */
export function dropInitContainerAnnotations(annotations: Record<string, string> | undefined): void {
  if (annotations !== undefined) for (const name of initContainerAnnotations) delete annotations[name];
}
