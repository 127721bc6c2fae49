// Made by `npm run generate`; do not edit.
import type { Int64, IntOrString, RawExtension, Time } from '../scalars.ts';
import type * as coreV1 from './core-v1.ts';
import type * as metaV1 from './meta-v1.ts';

export type DaemonSetUpdateStrategyType = 'OnDelete' | 'RollingUpdate' | (string & {});

export type DeploymentStrategyType = 'Recreate' | 'RollingUpdate' | (string & {});

export type PodManagementPolicyType = 'OrderedReady' | 'Parallel' | (string & {});

export type StatefulSetUpdateStrategyType = 'OnDelete' | 'Recreate' | 'RollingUpdate' | (string & {});

export interface ControllerRevision extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  data: RawExtension | null;
  revision: Int64;
}

export interface ControllerRevisionList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: ControllerRevision[] | null;
}

export interface DaemonSet extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: DaemonSetSpec;
  status: DaemonSetStatus;
}

export interface DaemonSetCondition {
  type: string;
  status: string;
  lastTransitionTime: Time | null;
  reason?: string;
  message?: string;
}

export interface DaemonSetList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: DaemonSet[] | null;
}

export interface DaemonSetSpec {
  selector: metaV1.LabelSelector | null;
  template: coreV1.PodTemplateSpec;
  updateStrategy: DaemonSetUpdateStrategy;
  minReadySeconds?: number;
  revisionHistoryLimit?: number;
}

export interface DaemonSetStatus {
  currentNumberScheduled: number;
  numberMisscheduled: number;
  desiredNumberScheduled: number;
  numberReady: number;
  observedGeneration?: Int64;
  updatedNumberScheduled?: number;
  numberAvailable?: number;
  numberUnavailable?: number;
  collisionCount?: number;
  conditions?: DaemonSetCondition[];
}

export interface DaemonSetUpdateStrategy {
  type?: DaemonSetUpdateStrategyType;
  rollingUpdate?: RollingUpdateDaemonSet;
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

export interface DeploymentSpec {
  replicas?: number;
  selector: metaV1.LabelSelector | null;
  template: coreV1.PodTemplateSpec;
  strategy: DeploymentStrategy;
  minReadySeconds?: number;
  revisionHistoryLimit?: number;
  paused?: boolean;
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
  type?: DeploymentStrategyType;
  rollingUpdate?: RollingUpdateDeployment;
}

export interface ReplicaSet extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: ReplicaSetSpec;
  status: ReplicaSetStatus;
}

export interface ReplicaSetCondition {
  type: string;
  status: string;
  lastTransitionTime: Time | null;
  reason?: string;
  message?: string;
}

export interface ReplicaSetList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: ReplicaSet[] | null;
}

export interface ReplicaSetSpec {
  replicas?: number;
  minReadySeconds?: number;
  selector: metaV1.LabelSelector | null;
  template: coreV1.PodTemplateSpec;
}

export interface ReplicaSetStatus {
  replicas: number;
  fullyLabeledReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  terminatingReplicas?: number;
  observedGeneration?: Int64;
  conditions?: ReplicaSetCondition[];
}

export interface RollingUpdateDaemonSet {
  maxUnavailable?: IntOrString;
  maxSurge?: IntOrString;
}

export interface RollingUpdateDeployment {
  maxUnavailable?: IntOrString;
  maxSurge?: IntOrString;
}

export interface RollingUpdateStatefulSetStrategy {
  partition?: number;
  maxUnavailable?: IntOrString;
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
  selector: metaV1.LabelSelector | null;
  template: coreV1.PodTemplateSpec;
  volumeClaimTemplates?: coreV1.PersistentVolumeClaim[];
  serviceName: string;
  podManagementPolicy?: PodManagementPolicyType;
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
  type?: StatefulSetUpdateStrategyType;
  rollingUpdate?: RollingUpdateStatefulSetStrategy;
}
