// Made by `npm run generate`; do not edit.
import type * as metaV1 from './meta-v1.ts';

export interface ClusterTrustBundle extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: ClusterTrustBundleSpec;
}

export interface ClusterTrustBundleList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: ClusterTrustBundle[] | null;
}

export interface ClusterTrustBundleSpec {
  signerName?: string;
  trustBundle: string;
}
