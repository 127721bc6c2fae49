// Made by `npm run generate`; do not edit.
import type { MicroTime, RawExtension } from '../scalars.ts';
import type * as authenticationV1 from './authentication-v1.ts';
import type * as metaV1 from './meta-v1.ts';

export interface AuthenticationMetadata {
  impersonationConstraint?: string;
}

export interface Event extends metaV1.TypeMeta {
  level: string;
  auditID: string;
  stage: string;
  requestURI: string;
  verb: string;
  user: authenticationV1.UserInfo;
  impersonatedUser?: authenticationV1.UserInfo;
  authenticationMetadata?: AuthenticationMetadata;
  sourceIPs?: string[];
  userAgent?: string;
  objectRef?: ObjectReference;
  responseStatus?: metaV1.Status;
  requestObject?: RawExtension;
  responseObject?: RawExtension;
  requestReceivedTimestamp: MicroTime | null;
  stageTimestamp: MicroTime | null;
  annotations?: Record<string, string>;
}

export interface EventList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: Event[] | null;
}

export interface GroupResources {
  group?: string;
  resources?: string[];
  resourceNames?: string[];
}

export interface ObjectReference {
  resource?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  apiGroup?: string;
  apiVersion?: string;
  resourceVersion?: string;
  subresource?: string;
}

export interface Policy extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  rules: PolicyRule[] | null;
  omitStages?: string[];
  omitManagedFields?: boolean;
}

export interface PolicyList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: Policy[] | null;
}

export interface PolicyRule {
  level: string;
  users?: string[];
  userGroups?: string[];
  verbs?: string[];
  resources?: GroupResources[];
  namespaces?: string[];
  nonResourceURLs?: string[];
  omitStages?: string[];
  omitManagedFields?: boolean;
}
