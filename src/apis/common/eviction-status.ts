// Upstream: k8s.io/kubernetes/pkg/printers/internalversion/printers.go#resolveEvictionStatusConditions
import type { Condition } from '../../schema/types/meta-v1.ts';

interface Progress {
  readonly observedGeneration?: number | bigint;
  readonly conditions?: readonly Condition[];
}

/** What an eviction, or a request for one, has come to. */
export function evictionStatusText({ observedGeneration = 0, conditions = [] }: Progress): string {
  for (const wanted of ['TargetEvicted', 'Failed']) {
    const found = conditions.find(({ type }) => type === wanted);
    if (found?.status === 'True') return `${wanted} (${found.reason})`;
  }
  return observedGeneration > 0 ? 'Progressing' : 'Pending';
}
