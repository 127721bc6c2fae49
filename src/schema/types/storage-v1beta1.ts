// Made by `npm run generate`; do not edit.
import type { Int64, Quantity, Time } from '../scalars.ts';
import type * as coreV1 from './core-v1.ts';
import type * as metaV1 from './meta-v1.ts';

export type StorageHealthStatusType = 'StorageDegraded' | 'StorageUnreachable' | (string & {});

export interface CSIDriver extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: CSIDriverSpec;
}

export interface CSIDriverList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: CSIDriver[] | null;
}

export interface CSIDriverSpec {
  attachRequired?: boolean;
  podInfoOnMount?: boolean;
  volumeLifecycleModes?: string[];
  storageCapacity?: boolean;
  fsGroupPolicy?: string;
  tokenRequests?: TokenRequest[];
  requiresRepublish?: boolean;
  seLinuxMount?: boolean;
  nodeAllocatableUpdatePeriodSeconds?: Int64;
  serviceAccountTokenInSecrets?: boolean;
  preventPodSchedulingIfMissing?: boolean;
}

export interface CSINode extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: CSINodeSpec;
  status: CSINodeStatus;
}

export interface CSINodeDriver {
  name: string;
  nodeID: string;
  topologyKeys: string[] | null;
  allocatable?: VolumeNodeResources;
}

export interface CSINodeList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: CSINode[] | null;
}

export interface CSINodeSpec {
  drivers: CSINodeDriver[] | null;
}

export interface CSINodeStatus {
  storageHealth?: StorageHealth[];
}

export interface CSIStorageCapacity extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  nodeTopology?: metaV1.LabelSelector;
  storageClassName: string;
  capacity?: Quantity;
  maximumVolumeSize?: Quantity;
}

export interface CSIStorageCapacityList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: CSIStorageCapacity[] | null;
}

export interface StorageClass extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  provisioner: string;
  parameters?: Record<string, string>;
  reclaimPolicy?: coreV1.PersistentVolumeReclaimPolicy;
  mountOptions?: string[];
  allowVolumeExpansion?: boolean;
  volumeBindingMode?: string;
  allowedTopologies?: coreV1.TopologySelectorTerm[];
}

export interface StorageClassList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: StorageClass[] | null;
}

export interface StorageHealth {
  name: string;
  healthConditions?: StorageHealthCondition[];
}

export interface StorageHealthCondition {
  status: StorageHealthStatusType;
  reason: string;
  message?: string;
  accessMode?: coreV1.PersistentVolumeAccessMode;
  volumeMode?: coreV1.PersistentVolumeMode;
  lastTransitionTime: Time | null;
}

export interface TokenRequest {
  audience: string;
  expirationSeconds?: Int64;
}

export interface VolumeAttachment extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: VolumeAttachmentSpec;
  status: VolumeAttachmentStatus;
}

export interface VolumeAttachmentList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: VolumeAttachment[] | null;
}

export interface VolumeAttachmentSource {
  persistentVolumeName?: string;
  inlineVolumeSpec?: coreV1.PersistentVolumeSpec;
}

export interface VolumeAttachmentSpec {
  attacher: string;
  source: VolumeAttachmentSource;
  nodeName: string;
}

export interface VolumeAttachmentStatus {
  attached: boolean;
  attachmentMetadata?: Record<string, string>;
  attachError?: VolumeError;
  detachError?: VolumeError;
}

export interface VolumeAttributesClass extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  driverName: string;
  parameters?: Record<string, string>;
}

export interface VolumeAttributesClassList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: VolumeAttributesClass[] | null;
}

export interface VolumeError {
  time: Time | null;
  message?: string;
  errorCode?: number;
}

export interface VolumeNodeResources {
  count?: number;
}
