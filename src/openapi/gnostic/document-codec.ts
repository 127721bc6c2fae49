import { ReverseWriter } from '../../machinery/codec/protobuf/writer.ts';
import type { TableName } from './document-tables.ts';
import type { FieldCodec, MessageCodec } from './message.ts';
import { encodeMessage, nested, string } from './message.ts';

/** How a version of OpenAPI is written as protobuf: what stands once in a document, and the entries of its tables. */
export interface DocumentCodec {
  readonly frame: MessageCodec;
  /** entries are field `number` of the message of their table */
  readonly tables: Readonly<Partial<Record<TableName, { readonly number: number; readonly codec: FieldCodec }>>>;
}

/** Some of the fields that stand once. */
export function encodeFrame({ frame }: DocumentCodec, value: object): Buffer {
  return encodeMessage(frame, value);
}

/** One entry of a table: a name and a value. */
export function encodeEntry({ tables }: DocumentCodec, table: TableName, name: string, value: unknown): Buffer {
  const known = tables[table];
  if (known === undefined) throw new Error(`documents have no table ${table}`);
  const writer = new ReverseWriter();
  const entry = nested((out) => {
    known.codec(out, 2, value);
    string(out, 1, name);
  });
  entry(writer, known.number, undefined);
  return writer.finish();
}

/** Tag and length of a message of so many bytes, as a field. */
export function fieldHead(number: number, length: number): Buffer {
  const writer = new ReverseWriter(16);
  writer.varint(length);
  writer.varint((number << 3) | 2);
  return writer.finish();
}
