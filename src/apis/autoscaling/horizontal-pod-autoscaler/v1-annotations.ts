// Upstream: k8s.io/kubernetes/pkg/apis/autoscaling/{annotations,helpers}.go

/** Where autoscaling/v1, which knows CPU only, carries what it has no fields for. */
export const annotationNames = {
  metrics: 'autoscaling.alpha.kubernetes.io/metrics',
  currentMetrics: 'autoscaling.alpha.kubernetes.io/current-metrics',
  conditions: 'autoscaling.alpha.kubernetes.io/conditions',
  behavior: 'autoscaling.alpha.kubernetes.io/behavior',
} as const;

const carried: readonly string[] = [
  ...Object.values(annotationNames),
  'autoscaling.alpha.kubernetes.io/scale-down-tolerance',
  'autoscaling.alpha.kubernetes.io/scale-up-tolerance',
];

interface HasAnnotations {
  annotations?: Record<string, string>;
}

/** Nothing of it is stored, and no other version shows it. */
export function dropCarried(metadata: HasAnnotations): void {
  const { annotations } = metadata;
  if (annotations === undefined) return;
  for (const name of carried) delete annotations[name];
  if (Object.keys(annotations).length === 0) delete metadata.annotations;
}
