// Upstream: k8s.io/component-base/metrics/{options,registry}.go
import { MetricsRegistry } from '../base/metrics.ts';
import type { FeatureGates } from '../server/registry/features.ts';
import { kubernetesVersion } from '../server/object/kubernetes-version.ts';

export interface MetricsConfig {
  /** names of metrics that are not shown */
  readonly disabled: readonly string[];
  /** values that a label keeps, others are counted together: `metric,label` to `value,value` */
  readonly allowedLabelValues: ReadonlyMap<string, string>;
  /** also what is deprecated for so long that it is hidden */
  readonly showHidden: boolean;
}

export const metricsDefaults: MetricsConfig = Object.freeze({ disabled: [], allowedLabelValues: new Map(), showHidden: false });

export function createMetrics({ disabled, allowedLabelValues, showHidden }: MetricsConfig, features: FeatureGates): MetricsRegistry {
  const allowedValues = new Map<string, Map<string, ReadonlySet<string>>>();
  for (const [key, values] of allowedLabelValues) {
    const [metric = '', label = ''] = key.split(',');
    const labels = allowedValues.get(metric) ?? new Map<string, ReadonlySet<string>>();
    allowedValues.set(metric, labels.set(label, new Set(values.split(','))));
  }
  return new MetricsRegistry({
    disabled,
    allowedValues,
    showHidden,
    release: kubernetesVersion,
    native: features.enabled('NativeHistograms'),
  });
}
