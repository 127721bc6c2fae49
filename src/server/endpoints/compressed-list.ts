// Lists for clients that read gzip: runs of items are compressed once and kept, so that the next list is put together from them.
import type { BlockSum } from '../../base/gzip-member.ts';
import { GzipSum, blockSum, deflatedBlock, gzipHeader, storedBlock } from '../../base/gzip-member.ts';
import { ownBytes } from '../../base/own-bytes.ts';
import { Pace } from '../../base/pace.ts';
import type { Chunk } from '../http/chunk.ts';
import { gzipThreshold } from '../http/gzip.ts';
import type { OutputForm } from '../http/media-types.ts';
import type { StreamBody } from '../http/response.ts';
import type { EncodingCache } from '../object/encoding-cache.ts';
import type { StoredEntry } from '../registry/entry.ts';
import type { Endpoint } from './endpoint.ts';
import type { Page } from './list.ts';
import { newChunk, sendChunk } from './list-body.ts';
import { copiesBytes, jsonFrame, jsonItem } from './list-response.ts';
import { protobufFrame, protobufItems } from './protobuf-list.ts';

/** Consecutive items of a list, as one block of a gzip member. They are named by key and revision, which say what was in them. */
interface CompressedRun extends BlockSum {
  readonly keys: readonly string[];
  readonly revisions: readonly number[];
  readonly bytes: Buffer;
}

/** What the cache of encodings counts. */
interface KeptRun {
  readonly run: CompressedRun;
  readonly length: number;
}

interface Items {
  /** under which runs are kept */
  readonly encoding: string;
  /** between two of them */
  readonly separator: string;
  /** the item alone */
  bytes(entry: StoredEntry): Buffer;
}

/**
 * The body of a list in gzip; undefined where nothing of it could be kept (tables, other media types, what is indented), or where it is too
 * short to be compressed.
 */
export async function compressedList(endpoint: Endpoint, form: OutputForm, page: Page): Promise<StreamBody | undefined> {
  if (form.as !== 'object' || form.pretty || !isLong(page.items)) return undefined;
  if (form.media === 'json' && copiesBytes(endpoint, form)) {
    const { head, tail } = jsonFrame(endpoint, form, page.metadata);
    const runs = compressedRuns(endpoint, page.items, jsonRuns(endpoint));
    return (sink) => sendMember(endpoint, { head: Buffer.from(head), runs, tail: Buffer.from(tail) }, sink);
  }
  if (form.media !== 'protobuf') return undefined;
  // Lengths come first.
  const runs: CompressedRun[] = [];
  let length = 0;
  for await (const run of compressedRuns(endpoint, page.items, protobufRuns(endpoint, form))) {
    runs.push(run);
    length += run.length;
  }
  if (length < gzipThreshold) return undefined;
  const { before, after } = protobufFrame(endpoint, form, page.metadata, length);
  return (sink) => sendMember(endpoint, { head: before, runs, tail: after }, sink);
}

/** Whether what is stored is long enough: looks at no more than it has to. */
function isLong(items: Iterable<StoredEntry>): boolean {
  let bytes = 0;
  for (const { value } of items) {
    bytes += value.length;
    if (bytes >= gzipThreshold) return true;
  }
  return false;
}

function jsonRuns(endpoint: Endpoint): Items {
  return { encoding: `${endpoint.versionedKind.apiVersion} JSON gzip`, separator: ',', bytes: jsonItem(endpoint) };
}

function protobufRuns(endpoint: Endpoint, form: OutputForm): Items {
  const items = protobufItems(endpoint, form);
  // The runs are kept: what they are made of need not be.
  const bytes = (entry: StoredEntry): Buffer => items.find(entry) ?? items.make(entry);
  return { encoding: `${endpoint.versionedKind.apiVersion} protobuf gzip`, separator: '', bytes };
}

/** A run ends behind an item whose key says so, once it is long enough: where it ends does not depend on what was added far before it. */
const leastRunBytes = 32 << 10;
const mostRunBytes = 128 << 10;
const level = 1;

async function* compressedRuns(endpoint: Endpoint, entries: Iterable<StoredEntry>, items: Items): AsyncGenerator<CompressedRun> {
  const { encodings, slices } = endpoint.context;
  const pace = new Pace(slices);
  let run: StoredEntry[] = [];
  let bytes = 0;
  let isFirst = true;
  for (const entry of entries) {
    run.push(entry);
    bytes += entry.value.length;
    if (bytes < mostRunBytes && (bytes < leastRunBytes || !endsRun(entry.key))) continue;
    yield await compressedRun(encodings, run, items, isFirst);
    [run, bytes, isFirst] = [[], 0, false];
    if (pace.isDue) await pace.rest();
  }
  if (run.length > 0) yield await compressedRun(encodings, run, items, isFirst);
}

function endsRun(key: string): boolean {
  return ((key.charCodeAt(key.length - 1) + 3 * key.charCodeAt(key.length - 2)) & 7) === 0;
}

async function compressedRun(
  encodings: EncodingCache,
  entries: readonly StoredEntry[],
  items: Items,
  isFirst: boolean,
): Promise<CompressedRun> {
  const first = entries[0] as StoredEntry;
  // Behind another item it begins with a separator.
  const name = isFirst ? `${items.encoding} first` : items.encoding;
  const kept = encodings.find<KeptRun>(first, name)?.run;
  if (kept !== undefined && isOf(kept, entries)) return kept;
  const separator = Buffer.from(items.separator);
  const plain = Buffer.concat(
    entries.flatMap((entry, index) => (isFirst && index === 0 ? [items.bytes(entry)] : [separator, items.bytes(entry)])),
  );
  const bytes = ownBytes(await deflatedBlock(plain, level));
  const keys = entries.map(({ key }) => key);
  const run = { ...blockSum(plain), keys, revisions: entries.map(({ revision }) => revision), bytes };
  const keeping: KeptRun = { run, length: bytes.length };
  encodings.keep(first, name, keeping);
  return run;
}

function isOf({ keys, revisions }: CompressedRun, entries: readonly StoredEntry[]): boolean {
  return keys.length === entries.length && entries.every(({ key, revision }, at) => revision === revisions[at] && key === keys[at]);
}

interface Member {
  readonly head: Buffer;
  readonly runs: AsyncIterable<CompressedRun> | Iterable<CompressedRun>;
  readonly tail: Buffer;
}

async function sendMember(endpoint: Endpoint, { head, runs, tail }: Member, sink: Parameters<StreamBody>[0]) {
  const sum = new GzipSum();
  const chunk: Chunk = newChunk(endpoint);
  const pace = new Pace(endpoint.context.slices);
  chunk.bytes(gzipHeader);
  chunk.bytes(storedBlock(head));
  sum.add(head);
  for await (const run of runs) {
    sum.append(run);
    chunk.bytes(run.bytes);
    if (chunk.full) await sendChunk(chunk, sink, pace);
    if (sink.closed) return;
  }
  chunk.bytes(storedBlock(tail));
  sum.add(tail);
  chunk.bytes(sum.trailer());
  await sendChunk(chunk, sink, pace);
}
