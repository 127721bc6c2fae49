// Made by `npm run generate`; do not edit.
import type { Int64, Time } from '../scalars.ts';
import type * as metaV1 from './meta-v1.ts';

export interface ServerStorageVersion {
  apiServerID?: string;
  encodingVersion?: string;
  decodableVersions?: string[];
  servedVersions?: string[];
}

export interface StorageVersion extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: StorageVersionSpec;
  status: StorageVersionStatus;
}

export interface StorageVersionCondition {
  type: string;
  status: string;
  observedGeneration?: Int64;
  lastTransitionTime: Time | null;
  reason: string;
  message?: string;
}

export interface StorageVersionList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: StorageVersion[] | null;
}

export interface StorageVersionSpec {}

export interface StorageVersionStatus {
  storageVersions?: ServerStorageVersion[];
  commonEncodingVersion?: string;
  conditions?: StorageVersionCondition[];
}
