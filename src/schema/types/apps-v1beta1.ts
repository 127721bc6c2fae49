// Made by `npm run generate`; do not edit.
import type { Int64, IntOrString, RawExtension, Time } from '../scalars.ts';
import type * as coreV1 from './core-v1.ts';
import type * as metaV1 from './meta-v1.ts';

export interface ControllerRevision extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  data: RawExtension | null;
  revision: Int64;
}

export interface ControllerRevisionList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: ControllerRevision[] | null;
}

export interface Deployment extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: DeploymentSpec;
  status: DeploymentStatus;
}

export interface DeploymentCondition {
  type: string;
  status: string;
  lastUpdateTime: Time | null;
  lastTransitionTime: Time | null;
  reason?: string;
  message?: string;
}

export interface DeploymentList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: Deployment[] | null;
}

export interface DeploymentRollback extends metaV1.TypeMeta {
  name: string;
  updatedAnnotations?: Record<string, string>;
  rollbackTo: RollbackConfig;
}

export interface DeploymentSpec {
  replicas?: number;
  selector?: metaV1.LabelSelector;
  template: coreV1.PodTemplateSpec;
  strategy: DeploymentStrategy;
  minReadySeconds?: number;
  revisionHistoryLimit?: number;
  paused?: boolean;
  rollbackTo?: RollbackConfig;
  progressDeadlineSeconds?: number;
}

export interface DeploymentStatus {
  observedGeneration?: Int64;
  replicas?: number;
  updatedReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  unavailableReplicas?: number;
  terminatingReplicas?: number;
  conditions?: DeploymentCondition[];
  collisionCount?: number;
}

export interface DeploymentStrategy {
  type?: string;
  rollingUpdate?: RollingUpdateDeployment;
}

export interface RollbackConfig {
  revision?: Int64;
}

export interface RollingUpdateDeployment {
  maxUnavailable?: IntOrString;
  maxSurge?: IntOrString;
}

export interface RollingUpdateStatefulSetStrategy {
  partition?: number;
  maxUnavailable?: IntOrString;
}

export interface Scale extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: ScaleSpec;
  status: ScaleStatus;
}

export interface ScaleSpec {
  replicas?: number;
}

export interface ScaleStatus {
  replicas: number;
  selector?: Record<string, string>;
  targetSelector?: string;
}

export interface StatefulSet extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: StatefulSetSpec;
  status: StatefulSetStatus;
}

export interface StatefulSetCondition {
  type: string;
  status: string;
  lastTransitionTime: Time | null;
  reason?: string;
  message?: string;
}

export interface StatefulSetList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: StatefulSet[] | null;
}

export interface StatefulSetOrdinals {
  start: number;
}

export interface StatefulSetPersistentVolumeClaimRetentionPolicy {
  whenDeleted?: string;
  whenScaled?: string;
}

export interface StatefulSetSpec {
  replicas?: number;
  selector?: metaV1.LabelSelector;
  template: coreV1.PodTemplateSpec;
  volumeClaimTemplates?: coreV1.PersistentVolumeClaim[];
  serviceName: string;
  podManagementPolicy?: string;
  updateStrategy: StatefulSetUpdateStrategy;
  revisionHistoryLimit?: number;
  minReadySeconds?: number;
  persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy;
  ordinals?: StatefulSetOrdinals;
}

export interface StatefulSetStatus {
  observedGeneration?: Int64;
  replicas: number;
  readyReplicas?: number;
  currentReplicas?: number;
  updatedReplicas?: number;
  currentRevision?: string;
  updateRevision?: string;
  collisionCount?: number;
  conditions?: StatefulSetCondition[];
  availableReplicas: number;
}

export interface StatefulSetUpdateStrategy {
  type?: string;
  rollingUpdate?: RollingUpdateStatefulSetStrategy;
}
