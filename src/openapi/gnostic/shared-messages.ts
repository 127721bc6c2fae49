import type { FieldCodec, FieldTable, MessageCodec } from './message.ts';
import { any, boolean, double, integer, message, named, nested, repeated, string, strings, wrapped } from './message.ts';

/** Numbers of fields by their names in JSON. The two versions of OpenAPI have much in common, but never the numbers. */
export type Numbers = Readonly<Record<string, number>>;

type Codecs = Readonly<Record<string, FieldCodec>>;

/** The fields that have a number, in a table. */
export function fields(codecs: Codecs, numbers: Numbers): FieldTable {
  return Object.fromEntries(
    Object.entries(numbers).map(([name, number]) => {
      const codec = codecs[name];
      if (codec === undefined) throw new Error(`no codec for ${name}`);
      return [name, [number, codec]];
    }),
  );
}

/**
 * A schema. `inside` writes the schemas that it contains, `own` what only one version has or writes in its own way; both are asked for
 * late, since schemas contain each other.
 */
export function schemaMessage(inside: () => FieldCodec, own: () => Codecs, numbers: Numbers, extensions: number): MessageCodec {
  return message(() => {
    const schema = inside();
    return fields(
      {
        title: string,
        description: string,
        format: string,
        multipleOf: double,
        maximum: double,
        exclusiveMaximum: boolean,
        minimum: double,
        exclusiveMinimum: boolean,
        maxLength: integer,
        minLength: integer,
        pattern: string,
        maxItems: integer,
        minItems: integer,
        uniqueItems: boolean,
        maxProperties: integer,
        minProperties: integer,
        required: strings,
        enum: repeated(any),
        items: wrapped(1, schema),
        allOf: repeated(schema),
        properties: named(1, schema),
        additionalProperties: schemaOrBoolean(schema),
        ...own(),
      },
      numbers,
    );
  }, extensions);
}

function schemaOrBoolean(schema: FieldCodec): FieldCodec {
  const [whether, what] = [wrapped(2, boolean), wrapped(1, schema)];
  return (writer, number, value) => (typeof value === 'boolean' ? whether : what)(writer, number, value);
}

export function operationMessage(own: Codecs, numbers: Numbers, extensions: number): FieldCodec {
  const codecs = { tags: strings, description: string, operationId: string, deprecated: boolean, ...own };
  return nested(message(() => fields(codecs, numbers), extensions));
}

/** Operations by method have consecutive numbers, in the same order in both versions. */
export function pathItemMessage(
  operation: FieldCodec,
  parameters: FieldCodec,
  numbers: { readonly get: number; readonly parameters: number },
  extensions: number,
): FieldCodec {
  const table: Record<string, readonly [number, FieldCodec]> = { parameters: [numbers.parameters, parameters] };
  for (const [index, method] of ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'].entries()) {
    table[method] = [numbers.get + index, operation];
  }
  return nested(message(() => table, extensions));
}
