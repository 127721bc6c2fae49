// What a list in protobuf is made of.
import { ownBytes } from '../../base/own-bytes.ts';
import { frameListItem, listAround } from '../../machinery/codec/protobuf/list.ts';
import type { ListMeta } from '../../machinery/object-meta.ts';
import type { OutputForm } from '../http/media-types.ts';
import { metaType } from '../object/codecs.ts';
import type { StoredEntry } from '../registry/entry.ts';
import type { Endpoint } from './endpoint.ts';
import { partialMetadata, versioned } from './render.ts';

export interface ProtobufItems {
  /** what is kept of an earlier list */
  find(entry: StoredEntry): Buffer | undefined;
  make(entry: StoredEntry): Buffer;
  keep(entry: StoredEntry, framed: Buffer): void;
}

/** Objects as they stand in a list: tag, length, message. */
export function protobufItems(endpoint: Endpoint, form: OutputForm): ProtobufItems {
  const { versionedKind, context } = endpoint;
  const { protobuf } = context.codecs;
  if (form.as === 'metadata') {
    const type = metaType(context.codecs, 'PartialObjectMetadata', form.metaVersion);
    return {
      find: () => undefined,
      make: (entry) => frameListItem(protobuf.encode(partialMetadata(endpoint, versioned(endpoint, entry), form), type)),
      keep: () => undefined,
    };
  }
  // Made once: the text is looked up for every item.
  const encoding = `${versionedKind.apiVersion} protobuf item`;
  return {
    find: (entry) => context.encodings.find<Buffer>(entry, encoding),
    make: (entry) => ownBytes(frameListItem(protobuf.encode(versioned(endpoint, entry), versionedKind.type))),
    keep: (entry, framed) => context.encodings.keep(entry, encoding, framed),
  };
}

/** What goes before and after items that are so long together. */
export function protobufFrame(
  { versionedKind, context: { codecs } }: Endpoint,
  form: OutputForm,
  metadata: ListMeta,
  length: number,
): { readonly before: Buffer; readonly after: Buffer } {
  const typeMeta =
    form.as === 'metadata'
      ? { kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${form.metaVersion}` }
      : { kind: versionedKind.listKind, apiVersion: versionedKind.apiVersion };
  return listAround(typeMeta, codecs.protobuf.encode(metadata, metaType(codecs, 'ListMeta')), length);
}
