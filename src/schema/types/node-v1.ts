// Made by `npm run generate`; do not edit.
import type { Quantity } from '../scalars.ts';
import type * as coreV1 from './core-v1.ts';
import type * as metaV1 from './meta-v1.ts';

export interface Overhead {
  podFixed?: Record<string, Quantity>;
}

export interface RuntimeClass extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  handler: string;
  overhead?: Overhead;
  scheduling?: Scheduling;
}

export interface RuntimeClassList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: RuntimeClass[] | null;
}

export interface Scheduling {
  nodeSelector?: Record<string, string>;
  tolerations?: coreV1.Toleration[];
}
