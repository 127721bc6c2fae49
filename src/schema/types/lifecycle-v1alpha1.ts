// Made by `npm run generate`; do not edit.
import type { Int64, Time } from '../scalars.ts';
import type * as metaV1 from './meta-v1.ts';

export type EvictionRequestIntent = 'Eviction' | 'Withdrawn' | (string & {});

export type RequesterIntent = 'Eviction' | 'Withdrawn' | (string & {});

export type ResponderStateType = 'Active' | 'Canceled' | 'Completed' | 'Inactive' | 'Interrupted' | (string & {});

export interface Eviction extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: EvictionSpec;
  status: EvictionStatus;
}

export interface EvictionList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: Eviction[] | null;
}

export interface EvictionPodReference {
  name: string;
  uid: string;
}

export interface EvictionRequest extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: EvictionRequestSpec;
  status: EvictionRequestStatus;
}

export interface EvictionRequestList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: EvictionRequest[] | null;
}

export interface EvictionRequestPodReference {
  name: string;
  uid: string;
}

export interface EvictionRequestSpec {
  target: EvictionRequestTarget;
  requester: string;
  intent: EvictionRequestIntent;
}

export interface EvictionRequestStatus {
  conditions?: metaV1.Condition[];
  observedGeneration?: Int64;
}

export interface EvictionRequestTarget {
  pod?: EvictionRequestPodReference;
}

export interface EvictionSpec {
  target: EvictionTarget;
}

export interface EvictionStatus {
  conditions?: metaV1.Condition[];
  observedGeneration?: Int64;
  requesters?: Requester[];
  targetResponders?: TargetResponder[];
  responders?: ResponderStatus[];
}

export interface EvictionTarget {
  pod?: EvictionPodReference;
}

export interface Requester {
  name: string;
  intent: RequesterIntent;
}

export interface ResponderStatus {
  name: string;
  startTime?: Time;
  heartbeatTime?: Time;
  expectedCompletionTime?: Time;
  completionTime?: Time;
  message?: string;
}

export interface TargetResponder {
  name: string;
  priority: number | null;
  state: ResponderStateType;
}
