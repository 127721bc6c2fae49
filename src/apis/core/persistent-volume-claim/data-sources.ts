// Upstream: k8s.io/kubernetes/pkg/api/persistentvolumeclaim/util.go
import type { PersistentVolumeClaimSpec, TypedLocalObjectReference } from '../../../schema/types/core-v1.ts';

/** The older field takes claims and snapshots only; anything else in it was always overlooked, and clients count on that. */
export function dropUnknownSource(spec: PersistentVolumeClaimSpec, old: PersistentVolumeClaimSpec | undefined): void {
  if (old?.dataSource !== undefined || old?.dataSourceRef !== undefined || spec.dataSourceRef !== undefined) return;
  if (!isClaimOrSnapshot(spec.dataSource)) delete spec.dataSource;
}

function isClaimOrSnapshot(source: TypedLocalObjectReference | undefined): boolean {
  if (source === undefined) return false;
  const group = source.apiGroup ?? '';
  return source.kind === 'VolumeSnapshot' ? group === 'snapshot.storage.k8s.io' : source.kind === 'PersistentVolumeClaim' && group === '';
}

/** The older and the newer field say the same when only one is given. */
export function matchSources(spec: PersistentVolumeClaimSpec): void {
  const { dataSource, dataSourceRef } = spec;
  if (dataSource !== undefined && dataSourceRef === undefined) {
    spec.dataSourceRef = { ...dataSource };
  } else if (dataSource === undefined && dataSourceRef !== undefined && !dataSourceRef.namespace) {
    const { namespace: _, ...local } = dataSourceRef;
    spec.dataSource = local;
  }
}
