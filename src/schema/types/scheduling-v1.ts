// Made by `npm run generate`; do not edit.
import type * as coreV1 from './core-v1.ts';
import type * as metaV1 from './meta-v1.ts';

export interface PriorityClass extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  value: number;
  globalDefault?: boolean;
  description?: string;
  preemptionPolicy?: coreV1.PreemptionPolicy;
}

export interface PriorityClassList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: PriorityClass[] | null;
}
