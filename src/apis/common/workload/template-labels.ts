// Upstream: k8s.io/kubernetes/pkg/apis/batch/v1/defaults.go#SetDefaults_Job, k8s.io/kubernetes/pkg/apis/core/v1/defaults.go#SetDefaults_ReplicationController
import type { ObjectMeta } from '../../../machinery/object-meta.ts';

/** An object without labels has those of its template. An update of its status may come without either: the stored template counts then. */
export function labelAsTemplate(metadata: ObjectMeta, labels: Readonly<Record<string, string>> | undefined): void {
  if (labels !== undefined && Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = { ...labels };
}
