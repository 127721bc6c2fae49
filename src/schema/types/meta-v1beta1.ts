// Made by `npm run generate`; do not edit.
import type * as metaV1 from './meta-v1.ts';

export type PartialObjectMetadata = metaV1.PartialObjectMetadata;

export interface PartialObjectMetadataList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: metaV1.PartialObjectMetadata[] | null;
}

export type Table = metaV1.Table;

export type TableColumnDefinition = metaV1.TableColumnDefinition;

export type TableOptions = metaV1.TableOptions;

export type TableRow = metaV1.TableRow;

export type TableRowCondition = metaV1.TableRowCondition;
