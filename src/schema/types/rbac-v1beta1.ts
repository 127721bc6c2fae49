// Made by `npm run generate`; do not edit.
import type * as metaV1 from './meta-v1.ts';

export interface AggregationRule {
  clusterRoleSelectors?: metaV1.LabelSelector[];
}

export interface ClusterRole extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  rules: PolicyRule[] | null;
  aggregationRule?: AggregationRule;
}

export interface ClusterRoleBinding extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  subjects?: Subject[];
  roleRef: RoleRef;
}

export interface ClusterRoleBindingList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: ClusterRoleBinding[] | null;
}

export interface ClusterRoleList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: ClusterRole[] | null;
}

export interface PolicyRule {
  verbs: string[] | null;
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
  nonResourceURLs?: string[];
}

export interface Role extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  rules: PolicyRule[] | null;
}

export interface RoleBinding extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  subjects?: Subject[];
  roleRef: RoleRef;
}

export interface RoleBindingList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: RoleBinding[] | null;
}

export interface RoleList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: Role[] | null;
}

export interface RoleRef {
  apiGroup: string;
  kind: string;
  name: string;
}

export interface Subject {
  kind: string;
  apiGroup?: string;
  name: string;
  namespace?: string;
}
