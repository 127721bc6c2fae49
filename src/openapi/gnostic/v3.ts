import type { FieldCodec, FieldTable, MessageCodec } from './message.ts';
import {
  any,
  boolean,
  double,
  encodeMessage,
  integer,
  message,
  named,
  nested,
  orReference,
  repeated,
  string,
  strings,
  wrapped,
} from './message.ts';

/** Only plain values can be said as a default: of objects and lists an empty message is left. Zeros are written, they tell the kind. */
const defaultValue: FieldCodec = nested((writer, value) => {
  switch (typeof value) {
    case 'number':
      writer.double(value);
      writer.byte((1 << 3) | 1);
      break;
    case 'boolean':
      writer.byte(value ? 1 : 0);
      writer.byte(2 << 3);
      break;
    case 'string':
      writer.string(value);
      writer.byte((3 << 3) | 2);
  }
});

const schema: MessageCodec = message(
  (): FieldTable => ({
    nullable: [1, boolean],
    title: [9, string],
    multipleOf: [10, double],
    maximum: [11, double],
    exclusiveMaximum: [12, boolean],
    minimum: [13, double],
    exclusiveMinimum: [14, boolean],
    maxLength: [15, integer],
    minLength: [16, integer],
    pattern: [17, string],
    maxItems: [18, integer],
    minItems: [19, integer],
    uniqueItems: [20, boolean],
    maxProperties: [21, integer],
    minProperties: [22, integer],
    required: [23, strings],
    enum: [24, repeated(any)],
    type: [25, string],
    allOf: [26, repeated(schemaOrReference)],
    oneOf: [27, repeated(schemaOrReference)],
    anyOf: [28, repeated(schemaOrReference)],
    not: [29, nested(schema)],
    items: [30, wrapped(1, schemaOrReference)],
    properties: [31, named(1, schemaOrReference)],
    additionalProperties: [32, additionalProperties],
    default: [33, defaultValue],
    description: [34, string],
    format: [35, string],
  }),
  36,
);
const schemaOrReference: FieldCodec = nested(orReference((writer, value) => schema(writer, value)));

const additionalProperties: FieldCodec = (writer, number, value) => {
  if (typeof value === 'boolean') wrapped(2, boolean)(writer, number, value);
  else wrapped(1, schemaOrReference)(writer, number, value);
};

const content = named(1, nested(message(() => ({ schema: [1, schemaOrReference] }), 5)));

const parameters: FieldCodec = repeated(
  nested(
    orReference(
      message(
        () => ({ name: [1, string], in: [2, string], description: [3, string], required: [4, boolean], schema: [10, schemaOrReference] }),
        14,
      ),
    ),
  ),
);

const operation = nested(
  message(
    () => ({
      tags: [1, strings],
      description: [3, string],
      operationId: [5, string],
      parameters: [6, parameters],
      requestBody: [
        7,
        nested(orReference(message(() => ({ description: [1, string], content: [2, content], required: [3, boolean] }), 4))),
      ],
      responses: [8, named(2, nested(orReference(message(() => ({ description: [1, string], content: [3, content] }), 5))))],
      deprecated: [10, boolean],
    }),
    13,
  ),
);

const pathItem = nested(
  message(
    () => ({
      get: [4, operation],
      put: [5, operation],
      post: [6, operation],
      delete: [7, operation],
      options: [8, operation],
      head: [9, operation],
      patch: [10, operation],
      parameters: [13, parameters],
    }),
    14,
  ),
);

const securityScheme = nested(
  orReference(message(() => ({ type: [1, string], description: [2, string], name: [3, string], in: [4, string] }), 9)),
);

const document: MessageCodec = message(
  () => ({
    openapi: [1, string],
    info: [2, nested(message(() => ({ title: [1, string], description: [2, string], version: [6, string] }), 7))],
    paths: [4, named(1, pathItem)],
    components: [
      5,
      nested(message(() => ({ schemas: [1, named(1, schemaOrReference)], securitySchemes: [7, named(1, securityScheme)] }), 10)),
    ],
  }),
  9,
);

/** An OpenAPI 3 document (or its JSON form, parsed) as protobuf. */
export function encodeV3(value: object): Buffer {
  return encodeMessage(document, value);
}
