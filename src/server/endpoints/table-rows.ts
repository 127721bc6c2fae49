// Tables of lists: rows are kept as text, in which only the ages are new.
import { Pace } from '../../base/pace.ts';
import type { ListMeta } from '../../machinery/object-meta.ts';
import { decodeTableOptions } from '../../machinery/options.ts';
import { AgeMarks, clockAt } from '../../table/table-clock.ts';
import type { TableClock } from '../../table/table-clock.ts';
import type { Table } from '../../table/table.ts';
import type { Chunk } from '../http/chunk.ts';
import type { OutputForm } from '../http/media-types.ts';
import type { Request } from '../http/request.ts';
import { encodeObject, metaType } from '../object/codecs.ts';
import type { KubeObject } from '../registry/definition.ts';
import type { StoredEntry } from '../registry/entry.ts';
import type { Endpoint } from './endpoint.ts';
import type { Page } from './list.ts';
import { tableFor, versioned } from './render.ts';

/** JSON of a row: the text between its ages, and the moments whose ages they are. */
export interface TableRow {
  readonly parts: readonly Buffer[];
  readonly since: readonly number[];
  readonly length: number;
}

export interface TableRows {
  readonly head: Buffer;
  readonly rows: readonly TableRow[];
  readonly tail: Buffer;
  readonly clock: TableClock;
}

/** Media types other than JSON, indented tables, kinds whose rows have an order of their own, and tables of nothing: none of it is kept. */
export async function wholeTable(endpoint: Endpoint, request: Request, form: OutputForm, { items, metadata }: Page): Promise<Buffer> {
  const { includeObject } = decodeTableOptions(request.query);
  const { rowOrder } = endpoint.resource.definition;
  const entries = [...items];
  const objects = await parsed(endpoint, entries);
  const bytes = new Map(objects.map((object, index) => [object, entries[index]?.value.length ?? 0]));
  if (rowOrder !== undefined) objects.sort(rowOrder);
  const about = { isList: true, listMeta: metadata, includeObject, noHeaders: false, listed: objects };
  if (objects.length <= 1) return encodeTable(endpoint, form, tableFor(endpoint, form, objects, about));
  const empty = encodeTable(endpoint, form, { ...tableFor(endpoint, form, [], about), rows: [] });
  const clock = clockAt(endpoint.context.clock.now());
  const pace = new Pace(endpoint.context.slices);
  const parts: Buffer[] = [];
  for (let at = 0; at < objects.length;) {
    const some: KubeObject[] = [];
    for (let size = 0; at < objects.length && some.length < rowsAtOnce && size < bytesAtOnce; at++) {
      const object = objects[at] as KubeObject;
      size += bytes.get(object) ?? 0;
      some.push(object);
    }
    parts.push(rowsOf(endpoint, form, tableFor(endpoint, form, some, about, clock), empty, parts.length === 0));
    if (pace.isDue) await pace.rest();
  }
  const { none, open, close } = frameIn(form);
  return Buffer.concat([empty.subarray(0, -none.length), Buffer.from(open), ...parts, Buffer.from(close)]);
}

const rowsAtOnce = 16;
const bytesAtOnce = 32 << 10;
/** How a table without rows, which come last in these media, ends, and how one with rows does around them. */
const rowsIn = {
  yaml: { none: ' []\n', open: '\n', separator: '', close: '' },
  indented: { none: '[]\n}', open: '[\n', separator: ',\n', close: '\n  ]\n}' },
  json: { none: '[]}\n', open: '[', separator: ',', close: ']}\n' },
};

function frameIn({ media, pretty }: OutputForm): (typeof rowsIn)['json'] {
  return media === 'yaml' ? rowsIn.yaml : pretty ? rowsIn.indented : rowsIn.json;
}

/** What a table of some rows has where all rows go. */
function rowsOf(endpoint: Endpoint, form: OutputForm, table: Table, empty: Buffer, isFirst: boolean): Buffer {
  const { none, open, separator, close } = frameIn(form);
  const rows = encodeTable(endpoint, form, table).subarray(empty.length - none.length + open.length, -close.length || undefined);
  return isFirst ? rows : Buffer.concat([Buffer.from(separator), rows]);
}

/** Rows are made a few at a time, so that a long table does not keep others waiting, and kept while they are hot. */
export async function tableRows(
  endpoint: Endpoint,
  request: Request,
  form: OutputForm,
  metadata: ListMeta,
  entries: readonly StoredEntry[],
): Promise<TableRows> {
  const { context, versionedKind } = endpoint;
  const { includeObject } = decodeTableOptions(request.query);
  const now = context.clock.now();
  const { head, tail } = frameOf(endpoint, form, { isList: true, listMeta: metadata, includeObject, noHeaders: false });
  const bare = { isList: true, listMeta: {}, includeObject, noHeaders: true };
  const around = frameOf(endpoint, form, bare);
  /** Cut out of a table that has nothing else. */
  const textOf = (object: KubeObject, listed: readonly KubeObject[], clock: TableClock): string => {
    const table = encodeTable(endpoint, form, tableFor(endpoint, form, [object], { ...bare, listed }, clock));
    return table.toString('utf8', around.head.length, table.length - around.tail.length);
  };
  const encoding = `${versionedKind.apiVersion} row ${form.metaVersion} ${includeObject}`;
  const rows: TableRow[] = [];
  const pace = new Pace(endpoint.context.slices);
  let listed: readonly KubeObject[] | undefined;
  for (const entry of entries) {
    let row = context.encodings.find<TableRow>(entry, encoding);
    if (row === undefined) {
      const marks = new AgeMarks(now);
      const object = versioned(endpoint, entry);
      const kept = marks.split(textOf(object, [], marks));
      if (kept === undefined) {
        listed ??= await parsed(endpoint, entries);
        row = rowOf([textOf(object, listed, clockAt(now))], []);
      } else {
        row = rowOf(kept.parts, kept.since);
        context.encodings.keep(entry, encoding, row);
      }
    }
    rows.push(row);
    if (pace.isDue) await pace.rest();
  }
  return { head, rows, tail, clock: clockAt(now) };
}

/** Puts a row into the chunk, with the ages of now. */
export function appendRow(chunk: Chunk, { parts, since }: TableRow, clock: TableClock): void {
  chunk.bytes(parts[0] as Buffer);
  for (let i = 0; i < since.length; i++) {
    const age = clock.ageOf(since[i] as number);
    // As in all JSON of this server.
    chunk.text(age.charCodeAt(0) === lessThan ? age.replaceAll('<', '\\u003c').replaceAll('>', '\\u003e') : age);
    chunk.bytes(parts[i + 1] as Buffer);
  }
}

const lessThan = 0x3c;

function rowOf(texts: readonly string[], since: readonly number[]): TableRow {
  // Of their own, as `ownBytes`: a row is kept.
  const bytes = Buffer.allocUnsafeSlow(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0));
  let at = 0;
  const parts = texts.map((text) => bytes.subarray(at, (at += bytes.write(text, at))));
  return { parts, since, length: bytes.length };
}

async function parsed(endpoint: Endpoint, entries: Iterable<StoredEntry>): Promise<KubeObject[]> {
  const pace = new Pace(endpoint.context.slices);
  const objects: KubeObject[] = [];
  for (const entry of entries) {
    objects.push(versioned(endpoint, entry));
    if (pace.isDue) await pace.rest();
  }
  return objects;
}

/** What a table is around its rows, which come last. */
function frameOf(endpoint: Endpoint, form: OutputForm, about: Parameters<typeof tableFor>[3]): { head: Buffer; tail: Buffer } {
  const frame = encodeTable(endpoint, form, { ...tableFor(endpoint, form, [], about), rows: [] });
  const end = frame.lastIndexOf(']');
  return { head: frame.subarray(0, end), tail: frame.subarray(end) };
}

function encodeTable({ context: { codecs } }: Endpoint, form: OutputForm, table: Table): Buffer {
  return encodeObject(codecs, form.media, table, metaType(codecs, 'Table', form.metaVersion), form.pretty);
}
