// Made by `npm run generate`; do not edit.
import type { Time } from '../scalars.ts';
import type * as metaV1 from './meta-v1.ts';

export interface ExemptPriorityLevelConfiguration {
  nominalConcurrencyShares?: number;
  lendablePercent?: number;
}

export interface FlowDistinguisherMethod {
  type: string;
}

export interface FlowSchema extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: FlowSchemaSpec;
  status: FlowSchemaStatus;
}

export interface FlowSchemaCondition {
  type?: string;
  status?: string;
  lastTransitionTime: Time | null;
  reason?: string;
  message?: string;
}

export interface FlowSchemaList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: FlowSchema[] | null;
}

export interface FlowSchemaSpec {
  priorityLevelConfiguration: PriorityLevelConfigurationReference;
  matchingPrecedence: number;
  distinguisherMethod?: FlowDistinguisherMethod;
  rules?: PolicyRulesWithSubjects[];
}

export interface FlowSchemaStatus {
  conditions?: FlowSchemaCondition[];
}

export interface GroupSubject {
  name: string;
}

export interface LimitResponse {
  type: string;
  queuing?: QueuingConfiguration;
}

export interface LimitedPriorityLevelConfiguration {
  assuredConcurrencyShares: number;
  limitResponse: LimitResponse;
  lendablePercent?: number;
  borrowingLimitPercent?: number;
}

export interface NonResourcePolicyRule {
  verbs: string[] | null;
  nonResourceURLs: string[] | null;
}

export interface PolicyRulesWithSubjects {
  subjects: Subject[] | null;
  resourceRules?: ResourcePolicyRule[];
  nonResourceRules?: NonResourcePolicyRule[];
}

export interface PriorityLevelConfiguration extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: PriorityLevelConfigurationSpec;
  status: PriorityLevelConfigurationStatus;
}

export interface PriorityLevelConfigurationCondition {
  type?: string;
  status?: string;
  lastTransitionTime: Time | null;
  reason?: string;
  message?: string;
}

export interface PriorityLevelConfigurationList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: PriorityLevelConfiguration[] | null;
}

export interface PriorityLevelConfigurationReference {
  name: string;
}

export interface PriorityLevelConfigurationSpec {
  type: string;
  limited?: LimitedPriorityLevelConfiguration;
  exempt?: ExemptPriorityLevelConfiguration;
}

export interface PriorityLevelConfigurationStatus {
  conditions?: PriorityLevelConfigurationCondition[];
}

export interface QueuingConfiguration {
  queues: number;
  handSize: number;
  queueLengthLimit: number;
}

export interface ResourcePolicyRule {
  verbs: string[] | null;
  apiGroups: string[] | null;
  resources: string[] | null;
  clusterScope?: boolean;
  namespaces: string[] | null;
}

export interface ServiceAccountSubject {
  namespace: string;
  name: string;
}

export interface Subject {
  kind: string;
  user?: UserSubject;
  group?: GroupSubject;
  serviceAccount?: ServiceAccountSubject;
}

export interface UserSubject {
  name: string;
}
