// Made by `npm run generate`; do not edit.
import type { Base64, Time } from '../scalars.ts';
import type * as metaV1 from './meta-v1.ts';

export interface APIService extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: APIServiceSpec;
  status: APIServiceStatus;
}

export interface APIServiceCondition {
  type: string;
  status: string;
  lastTransitionTime: Time | null;
  reason?: string;
  message?: string;
}

export interface APIServiceList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: APIService[] | null;
}

export interface APIServiceSpec {
  service?: ServiceReference;
  group?: string;
  version?: string;
  insecureSkipTLSVerify?: boolean;
  caBundle?: Base64;
  groupPriorityMinimum: number;
  versionPriority: number;
}

export interface APIServiceStatus {
  conditions?: APIServiceCondition[];
}

export interface ServiceReference {
  namespace?: string;
  name?: string;
  port?: number;
}
