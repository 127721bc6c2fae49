// Made by `npm run generate`; do not edit.
import type * as metaV1 from './meta-v1.ts';

export interface PartialObjectMetadataList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: metaV1.PartialObjectMetadata[] | null;
}
