// Made by `npm run generate`; do not edit.
import type { MicroTime } from '../scalars.ts';
import type * as metaV1 from './meta-v1.ts';

export interface LeaseCandidate extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: LeaseCandidateSpec;
}

export interface LeaseCandidateList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: LeaseCandidate[] | null;
}

export interface LeaseCandidateSpec {
  leaseName: string;
  pingTime?: MicroTime;
  renewTime?: MicroTime;
  binaryVersion: string;
  emulationVersion?: string;
  strategy?: string;
}
