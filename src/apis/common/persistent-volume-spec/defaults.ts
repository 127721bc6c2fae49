// Upstream: k8s.io/kubernetes/pkg/apis/core/v1/zz_generated.defaults.go#SetObjectDefaults_PersistentVolume
import type { PersistentVolumeSpec } from '../../../schema/types/core-v1.ts';
import { roundResources } from '../pod-spec/defaults.ts';

/** What the types do not declare. */
export function defaultVolumeSpec({ capacity, hostPath }: PersistentVolumeSpec): void {
  roundResources(capacity);
  if (hostPath !== undefined) hostPath.type ??= '';
}
