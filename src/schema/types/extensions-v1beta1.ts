// Made by `npm run generate`; do not edit.
import type { Int64, IntOrString, Time } from '../scalars.ts';
import type * as coreV1 from './core-v1.ts';
import type * as metaV1 from './meta-v1.ts';

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
  selector?: metaV1.LabelSelector;
  template: coreV1.PodTemplateSpec;
  updateStrategy: DaemonSetUpdateStrategy;
  minReadySeconds?: number;
  templateGeneration?: Int64;
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
  type?: string;
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

export interface HTTPIngressPath {
  path?: string;
  pathType?: string;
  backend: IngressBackend;
}

export interface HTTPIngressRuleValue {
  paths: HTTPIngressPath[] | null;
}

export interface IPBlock {
  cidr: string;
  except?: string[];
}

export interface Ingress extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: IngressSpec;
  status: IngressStatus;
}

export interface IngressBackend {
  serviceName?: string;
  servicePort: IntOrString;
  resource?: coreV1.TypedLocalObjectReference;
}

export interface IngressList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: Ingress[] | null;
}

export interface IngressLoadBalancerIngress {
  ip?: string;
  hostname?: string;
  ports?: IngressPortStatus[];
}

export interface IngressLoadBalancerStatus {
  ingress?: IngressLoadBalancerIngress[];
}

export interface IngressPortStatus {
  port: number;
  protocol: coreV1.Protocol;
  error?: string;
}

export interface IngressRule extends IngressRuleValue {
  host?: string;
}

export interface IngressRuleValue {
  http?: HTTPIngressRuleValue;
}

export interface IngressSpec {
  ingressClassName?: string;
  backend?: IngressBackend;
  tls?: IngressTLS[];
  rules?: IngressRule[];
}

export interface IngressStatus {
  loadBalancer: IngressLoadBalancerStatus;
}

export interface IngressTLS {
  hosts?: string[];
  secretName?: string;
}

export interface NetworkPolicy extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: NetworkPolicySpec;
}

export interface NetworkPolicyEgressRule {
  ports?: NetworkPolicyPort[];
  to?: NetworkPolicyPeer[];
}

export interface NetworkPolicyIngressRule {
  ports?: NetworkPolicyPort[];
  from?: NetworkPolicyPeer[];
}

export interface NetworkPolicyList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: NetworkPolicy[] | null;
}

export interface NetworkPolicyPeer {
  podSelector?: metaV1.LabelSelector;
  namespaceSelector?: metaV1.LabelSelector;
  ipBlock?: IPBlock;
}

export interface NetworkPolicyPort {
  protocol?: coreV1.Protocol;
  port?: IntOrString;
  endPort?: number;
}

export interface NetworkPolicySpec {
  podSelector: metaV1.LabelSelector;
  ingress?: NetworkPolicyIngressRule[];
  egress?: NetworkPolicyEgressRule[];
  policyTypes?: string[];
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
  selector?: metaV1.LabelSelector;
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

export interface RollbackConfig {
  revision?: Int64;
}

export interface RollingUpdateDaemonSet {
  maxUnavailable?: IntOrString;
  maxSurge?: IntOrString;
}

export interface RollingUpdateDeployment {
  maxUnavailable?: IntOrString;
  maxSurge?: IntOrString;
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
