import type { KubeObject, ScaleDefinition } from '../../../server/registry/definition.ts';

interface Replicated extends KubeObject {
  readonly spec: { replicas?: number };
  readonly status?: { readonly replicas?: number };
}

/** How many there are and should be, of whatever keeps so many pods. */
export function replicasScale<T extends Replicated>(selector: (object: T) => string): ScaleDefinition<T> {
  return {
    replicas: ({ spec }) => spec.replicas ?? 0,
    setReplicas: ({ spec }, replicas) => void (spec.replicas = replicas),
    statusReplicas: ({ status }) => status?.replicas ?? 0,
    selector,
  };
}
