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

const schema: MessageCodec = message(
  (): FieldTable => ({
    $ref: [1, string],
    format: [2, string],
    title: [3, string],
    description: [4, string],
    default: [5, any],
    multipleOf: [6, double],
    maximum: [7, double],
    exclusiveMaximum: [8, boolean],
    minimum: [9, double],
    exclusiveMinimum: [10, boolean],
    maxLength: [11, integer],
    minLength: [12, integer],
    pattern: [13, string],
    maxItems: [14, integer],
    minItems: [15, integer],
    uniqueItems: [16, boolean],
    maxProperties: [17, integer],
    minProperties: [18, integer],
    required: [19, strings],
    enum: [20, repeated(any)],
    additionalProperties: [21, additionalProperties],
    type: [22, typeItem],
    items: [23, wrapped(1, nestedSchema)],
    allOf: [24, repeated(nestedSchema)],
    properties: [25, named(1, nestedSchema)],
  }),
  31,
);
const nestedSchema: FieldCodec = nested((writer, value) => schema(writer, value));

const typeItem: FieldCodec = (writer, number, value) => wrapped(1, strings)(writer, number, Array.isArray(value) ? value : [value]);

const additionalProperties: FieldCodec = (writer, number, value) => {
  if (typeof value === 'boolean') wrapped(2, boolean)(writer, number, value);
  else wrapped(1, nestedSchema)(writer, number, value);
};

const bodyParameter = nested(
  message(() => ({ description: [1, string], name: [2, string], in: [3, string], required: [4, boolean], schema: [5, nestedSchema] }), 6),
);
const queryParameter = nested(
  message(
    () => ({
      required: [1, boolean],
      in: [2, string],
      description: [3, string],
      name: [4, string],
      type: [6, string],
      uniqueItems: [20, boolean],
    }),
    23,
  ),
);
const pathParameter = nested(
  message(
    () => ({
      required: [1, boolean],
      in: [2, string],
      description: [3, string],
      name: [4, string],
      type: [5, string],
      uniqueItems: [19, boolean],
    }),
    22,
  ),
);

/** Parameters of bodies are one message, the others another with a field for each place. */
const parameter: MessageCodec = (writer, value) => {
  switch ((value as { readonly in: string }).in) {
    case 'body':
      return bodyParameter(writer, 1, value);
    case 'query':
      return wrapped(3, queryParameter)(writer, 2, value);
    default:
      return wrapped(4, pathParameter)(writer, 2, value);
  }
};
const parameters: FieldCodec = repeated(nested(orReference(parameter)));

const response = orReference(message(() => ({ description: [1, string], schema: [2, wrapped(1, nestedSchema)] }), 5));

const operation = nested(
  message(
    () => ({
      tags: [1, strings],
      description: [3, string],
      operationId: [5, string],
      produces: [6, strings],
      consumes: [7, strings],
      parameters: [8, parameters],
      responses: [9, named(1, nested(response))],
      schemes: [10, strings],
      deprecated: [11, boolean],
    }),
    13,
  ),
);

const pathItem = nested(
  message(
    () => ({
      get: [2, operation],
      put: [3, operation],
      post: [4, operation],
      delete: [5, operation],
      options: [6, operation],
      head: [7, operation],
      patch: [8, operation],
      parameters: [9, parameters],
    }),
    10,
  ),
);

const apiKey = nested(message(() => ({ type: [1, string], name: [2, string], in: [3, string], description: [4, string] }), 5));

/** `{ BearerToken: [] }` */
const securityRequirement = named(1, wrapped(1, strings));

const document: MessageCodec = message(
  () => ({
    swagger: [1, string],
    info: [2, nested(message(() => ({ title: [1, string], version: [2, string] }), 7))],
    paths: [8, named(2, pathItem)],
    definitions: [9, named(1, nestedSchema)],
    parameters: [10, named(1, nested(parameter))],
    security: [12, repeated(securityRequirement)],
    securityDefinitions: [13, named(1, wrapped(2, apiKey))],
  }),
  16,
);

/** An OpenAPI 2 document (or its JSON form, parsed) as protobuf. */
export function encodeV2(value: object): Buffer {
  return encodeMessage(document, value);
}
