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
    Selector:
      spec.selector === undefined
        ? null
        : { ...spec.selector, ...(spec.selector.matchLabels && { matchLabels: sorted(spec.selector.matchLabels) }) },
    Resources: { Limits: sorted(spec.resources.limits), Requests: sorted(spec.resources.requests) },
    VolumeName: spec.volumeName ?? '',
    StorageClassName: spec.storageClassName ?? null,
    VolumeMode: spec.volumeMode ?? null,
    DataSource: source ?? null,
    DataSourceRef: reference ?? null,
    VolumeAttributesClassName: spec.volumeAttributesClassName ?? null,
  };
  return JSON.stringify(internal, undefined, 1);
}

function sorted(map: Readonly<Record<string, string>> | undefined): Record<string, string> | null {
  return map === undefined ? null : Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)));
}
