// Upstream: pkg/apis/core/types.go (PersistentVolumeClaimSpec)
import type { PersistentVolumeClaimSpec } from '../../../schema/types/core-v1.ts';
import { unifiedDiff } from '../../common/unified-diff.ts';

/** What changed in a spec, line by line, in the original's internal form: Go's names, nothing left out. */
export function internalSpecDiff(old: PersistentVolumeClaimSpec, changed: PersistentVolumeClaimSpec): string {
  return unifiedDiff(printed(old), printed(changed));
}

function printed(spec: PersistentVolumeClaimSpec): string {
  const { dataSource, dataSourceRef } = spec;
  const source = dataSource && { APIGroup: dataSource.apiGroup ?? null, Kind: dataSource.kind, Name: dataSource.name };
  const reference = dataSourceRef && {
    APIGroup: dataSourceRef.apiGroup ?? null,
    Kind: dataSourceRef.kind,
    Name: dataSourceRef.name,
    Namespace: dataSourceRef.namespace ?? null,
  };
  const internal = {
    AccessModes: spec.accessModes ?? null,
    Selector: spec.selector ?? null,
    Resources: { Limits: spec.resources.limits ?? null, Requests: spec.resources.requests ?? null },
    VolumeName: spec.volumeName ?? '',
    StorageClassName: spec.storageClassName ?? null,
    VolumeMode: spec.volumeMode ?? null,
    DataSource: source ?? null,
    DataSourceRef: reference ?? null,
    VolumeAttributesClassName: spec.volumeAttributesClassName ?? null,
  };
  return JSON.stringify(internal, undefined, 1);
}
