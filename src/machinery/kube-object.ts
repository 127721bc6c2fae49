import type { ObjectMeta } from './object-meta.ts';

/** Any API object, in canonical form. */
export interface KubeObject {
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  [field: string]: unknown;
}
