// Made by `npm run generate`; do not edit.
import type * as authorizationV1 from './authorization-v1.ts';
import type * as metaV1 from './meta-v1.ts';

export type ExtraValue = string[];

export interface LocalSubjectAccessReview extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: SubjectAccessReviewSpec;
  status: SubjectAccessReviewStatus;
}

export interface NonResourceAttributes {
  path?: string;
  verb?: string;
}

export interface NonResourceRule {
  verbs: string[] | null;
  nonResourceURLs?: string[];
}

export interface ResourceAttributes {
  namespace?: string;
  verb?: string;
  group?: string;
  version?: string;
  resource?: string;
  subresource?: string;
  name?: string;
  fieldSelector?: authorizationV1.FieldSelectorAttributes;
  labelSelector?: authorizationV1.LabelSelectorAttributes;
}

export interface ResourceRule {
  verbs: string[] | null;
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
}

export interface SelfSubjectAccessReview extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: SelfSubjectAccessReviewSpec;
  status: SubjectAccessReviewStatus;
}

export interface SelfSubjectAccessReviewSpec {
  resourceAttributes?: ResourceAttributes;
  nonResourceAttributes?: NonResourceAttributes;
}

export interface SelfSubjectRulesReview extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: SelfSubjectRulesReviewSpec;
  status: SubjectRulesReviewStatus;
}

export interface SelfSubjectRulesReviewSpec {
  namespace?: string;
}

export interface SubjectAccessReview extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: SubjectAccessReviewSpec;
  status: SubjectAccessReviewStatus;
}

export interface SubjectAccessReviewSpec {
  resourceAttributes?: ResourceAttributes;
  nonResourceAttributes?: NonResourceAttributes;
  user?: string;
  group?: string[];
  extra?: Record<string, ExtraValue>;
  uid?: string;
}

export interface SubjectAccessReviewStatus {
  allowed: boolean;
  denied?: boolean;
  reason?: string;
  evaluationError?: string;
}

export interface SubjectRulesReviewStatus {
  resourceRules: ResourceRule[] | null;
  nonResourceRules: NonResourceRule[] | null;
  incomplete: boolean;
  evaluationError?: string;
}
