// Made by `npm run generate`; do not edit.
import type { MicroTime } from '../scalars.ts';
import type * as metaV1 from './meta-v1.ts';

export interface Lease extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: LeaseSpec;
}

export interface LeaseList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: Lease[] | null;
}

export interface LeaseSpec {
  holderIdentity?: string;
  leaseDurationSeconds?: number;
  acquireTime?: MicroTime;
  renewTime?: MicroTime;
  leaseTransitions?: number;
  strategy?: string;
  preferredHolder?: string;
}
