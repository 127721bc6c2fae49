// YAML and CBOR of lists, item by item: others get their turn in between, and within an item that is large.
import { Pace } from '../../base/pace.ts';
import type { Steps } from '../../base/steps.ts';
import { allSteps } from '../../base/steps.ts';
import { selfDescribed } from '../../machinery/codec/cbor/head.ts';
import { listAround } from '../../machinery/codec/cbor/list.ts';
import type { ListMeta } from '../../machinery/object-meta.ts';
import type { OutputForm } from '../http/media-types.ts';
import { encodingObject, metaType } from '../object/codecs.ts';
import type { StoredEntry } from '../registry/entry.ts';
import type { Endpoint } from './endpoint.ts';
import type { Body, Filled } from './list-body.ts';
import { concatenated, filled, newChunk } from './list-body.ts';
import type { Page } from './list.ts';
import { partialMetadata, versioned } from './render.ts';

function listedItem(endpoint: Endpoint, form: OutputForm, entry: StoredEntry): object {
  const object = versioned(endpoint, entry);
  if (form.as === 'metadata') return partialMetadata(endpoint, object, form);
  if (endpoint.versionedKind.profile.json.namesItems) return object;
  const { kind: _, apiVersion: __, ...bare } = object;
  return bare;
}

type ListEncoder = (items: readonly unknown[]) => Steps<Buffer>;

function listEncoder({ versionedKind, context: { codecs } }: Endpoint, form: OutputForm, metadata: ListMeta): ListEncoder {
  const isMetadata = form.as === 'metadata';
  const about = isMetadata
    ? { kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${form.metaVersion}` }
    : { kind: versionedKind.listKind, apiVersion: versionedKind.apiVersion };
  const type = isMetadata
    ? metaType(codecs, 'PartialObjectMetadataList', form.metaVersion)
    : versionedKind.profile.isTyped
      ? codecs.schema.listTypeOf(versionedKind)
      : undefined;
  // Lists of objects without a Go type always say where they continue.
  const head = { ...about, metadata: type === undefined ? { continue: '', ...metadata } : metadata };
  return function* (items) {
    const list = { ...head, items };
    if (type !== undefined) return yield* encodingObject(codecs, form.media, list, type, false);
    if (form.media === 'yaml') return Buffer.from(yield* codecs.yaml.encodingUnstructured(list));
    return codecs.cbor.encodeUnstructured(list, 'shuffled');
  };
}

const mostItemsAtOnce = 20;
const mostBytesAtOnce = 32 << 10;
const noItemsLine = '\nitems: []\n';
const itemsLine = '\nitems:\n';

/** An item of a list reads the same whatever stands before it, so they are written a few at a time. */
export async function yamlBody(endpoint: Endpoint, form: OutputForm, page: Page): Promise<Body> {
  const encoding = listEncoder(endpoint, form, page.metadata);
  const frame = allSteps(encoding([]));
  const at = frame.indexOf(noItemsLine);
  const entries = page.items[Symbol.iterator]();
  let next = entries.next();
  if (next.done) return frame;
  if (at < 0) throw new Error(`a list without items is written as ${frame.toString()}`);
  const tail = frame.subarray(at + noItemsLine.length);
  const chunk = newChunk(endpoint);
  const pace = new Pace(endpoint.context.slices);
  chunk.bytes(frame.subarray(0, at));
  chunk.text(itemsLine);
  /** what is being written: an item may be large */
  let part: Steps<Buffer> | undefined;
  const fill = (): Filled => {
    for (;;) {
      if (pace.isDue) return pace.rest();
      if (part === undefined && next.done) break;
      part ??= encoding(someItems());
      const { done, value } = part.next();
      if (done !== true) continue;
      part = undefined;
      chunk.bytes(value.subarray(at + itemsLine.length, value.length - tail.length));
      if (chunk.full) return 'full';
    }
    chunk.bytes(tail);
    return 'done';
  };
  return filled(endpoint, chunk, fill);

  function someItems(): readonly unknown[] {
    const items: unknown[] = [];
    for (let bytes = 0; !next.done && items.length < mostItemsAtOnce && bytes < mostBytesAtOnce; next = entries.next()) {
      bytes += next.value.value.length;
      items.push(listedItem(endpoint, form, next.value));
    }
    return items;
  }
}

/** The number of items comes first in CBOR: all of them are written before the first byte is sent. */
export async function cborBody(endpoint: Endpoint, form: OutputForm, page: Page): Promise<Body> {
  const encoding = cborItemEncoder(endpoint, form);
  const items: Buffer[] = [];
  const pace = new Pace(endpoint.context.slices);
  for (const entry of page.items) {
    const item = await paced(encoding(listedItem(endpoint, form, entry)), pace);
    items.push(item.subarray(selfDescribed.length));
  }
  const frame = allSteps(listEncoder(endpoint, form, page.metadata)([]));
  const { before, after } = listAround(frame, items.length);
  return concatenated(endpoint, newChunk(endpoint), [before, ...items, after]);
}

async function paced<T>(steps: Steps<T>, pace: Pace): Promise<T> {
  for (;;) {
    if (pace.isDue) await pace.rest();
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

function cborItemEncoder({ versionedKind, context: { codecs } }: Endpoint, form: OutputForm): (item: object) => Steps<Buffer> {
  const { profile, type } = versionedKind;
  if (form.as === 'object' && !profile.isTyped) return (item) => codecs.cbor.encodingUnstructured(item, 'shuffled');
  const itemType = form.as === 'metadata' ? metaType(codecs, 'PartialObjectMetadata', form.metaVersion) : type;
  return (item) => codecs.cbor.encoding(item, itemType, 'shuffled');
}
