// Upstream: github.com/google/gnostic-models/openapiv2/OpenAPIv2.proto, github.com/google/gnostic-models/openapiv3/OpenAPIv3.proto
// OpenAPI documents as protobuf messages.
import { ReverseWriter } from '../../machinery/codec/protobuf/writer.ts';
import { writeYaml } from '../../machinery/codec/yaml/write.ts';

/** Writes a value as field `number`; from end to beginning, as its writer does. */
export type FieldCodec = (writer: ReverseWriter, number: number, value: unknown) => void;

/** Writes the content of a message. */
export type MessageCodec = (writer: ReverseWriter, value: unknown) => void;

export interface FieldTable {
  readonly [jsonName: string]: readonly [number: number, codec: FieldCodec];
}

const bytesType = 2;
const doubleType = 1;

function tag(writer: ReverseWriter, number: number, wireType: number): void {
  writer.varint((number << 3) | wireType);
}

/** Zero values are not written. */
export const string: FieldCodec = (writer, number, value) => {
  if (value === '') return;
  writer.string(value as string);
  tag(writer, number, bytesType);
};

export const boolean: FieldCodec = (writer, number, value) => {
  if (value !== true) return;
  writer.byte(1);
  tag(writer, number, 0);
};

export const integer: FieldCodec = (writer, number, value) => {
  if (value === 0) return;
  writer.integer(value as number);
  tag(writer, number, 0);
};

export const double: FieldCodec = (writer, number, value) => {
  if (value === 0) return;
  writer.double(value as number);
  tag(writer, number, doubleType);
};

export function nested(codec: MessageCodec): FieldCodec {
  return (writer, number, value) => {
    const mark = writer.size;
    codec(writer, value);
    writer.lengthSince(mark);
    tag(writer, number, bytesType);
  };
}

export function repeated(codec: FieldCodec): FieldCodec {
  return (writer, number, value) => {
    for (const one of [...(value as unknown[])].reverse()) codec(writer, number, one);
  };
}

/** A string of a list is written even when it is empty. */
export const strings: FieldCodec = repeated((writer, number, value) => {
  writer.string(value as string);
  tag(writer, number, bytesType);
});

const asTheDocumentHasIt = { sorted: false, width: Infinity } as const;

/** A value of any shape, as YAML. */
export const any: FieldCodec = nested((writer, value) => string(writer, 2, writeYaml(value, asTheDocumentHasIt)));

/** A message with one field. */
export function wrapped(number: number, codec: FieldCodec): FieldCodec {
  return nested((writer, value) => codec(writer, number, value));
}

/** An object as a list of names with values, which is field `number` of a message. */
export function named(number: number, codec: FieldCodec): FieldCodec {
  const entry = nested((writer, pair) => {
    const [name, value] = pair as [string, unknown];
    codec(writer, 2, value);
    string(writer, 1, name);
  });
  return nested((writer, value) => {
    for (const pair of Object.entries(value as object).reverse()) entry(writer, number, pair);
  });
}

const extension = nested((writer, pair) => {
  const [name, value] = pair as [string, unknown];
  any(writer, 2, value);
  string(writer, 1, name);
});

/** Known keys by table; those that start with `x-` are extensions. The table is asked for late, since messages contain each other. */
export function message(table: () => FieldTable, extensions: number): MessageCodec {
  let ordered: [string, number, FieldCodec][] | undefined;
  return (writer, value) => {
    const object = value as Readonly<Record<string, unknown>>;
    const extra = Object.keys(object).filter((key) => key.startsWith('x-'));
    for (const key of extra.reverse()) extension(writer, extensions, [key, object[key]]);
    ordered ??= Object.entries(table())
      .map(([key, [number, codec]]): [string, number, FieldCodec] => [key, number, codec])
      .sort((a, b) => b[1] - a[1]);
    for (const [key, number, codec] of ordered) if (object[key] !== undefined) codec(writer, number, object[key]);
  };
}

/** One of two messages: a reference, or what is referred to. */
export function orReference(codec: MessageCodec): MessageCodec {
  const content = nested(codec);
  return (writer, value) => {
    const { $ref } = value as { readonly $ref?: string };
    if ($ref === undefined) content(writer, 1, value);
    else reference(writer, 2, $ref);
  };
}

const reference = wrapped(1, string);

export function encodeMessage(codec: MessageCodec, value: unknown): Buffer {
  const writer = new ReverseWriter();
  codec(writer, value);
  return writer.finish();
}
