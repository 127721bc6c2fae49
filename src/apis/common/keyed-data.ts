// Upstream: k8s.io/kubernetes/pkg/apis/core/types.go#MaxSecretSize
import { hasDistinctions, markDistinct } from '../../machinery/go-distinctions.ts';

/** What a Secret or a ConfigMap may hold at most: the values of its keys together. */
export const keyedDataMaxBytes = 1024 * 1024;

/** A null among binary values is read back as an empty one. */
export function fillNulls(data: Record<string, string | null> | undefined): void {
  for (const key in data) {
    if (data[key] !== null) continue;
    data[key] = '';
    markDistinct(data, key);
  }
}

/** Some of the values were null. */
export function hasNulls(data: Record<string, string> | undefined): boolean {
  return data !== undefined && hasDistinctions(data);
}
