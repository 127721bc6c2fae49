import type { FieldCodec, MessageCodec } from './message.ts';
import { any, boolean, message, named, nested, orReference, repeated, string, strings, wrapped } from './message.ts';
import { fields, operationMessage, pathItemMessage, schemaMessage } from './shared-messages.ts';
import type { DocumentCodec } from './document-codec.ts';

const schema: MessageCodec = schemaMessage(
  () => nestedSchema,
  () => ({ $ref: string, default: any, type: typeItem }),
  {
    $ref: 1,
    format: 2,
    title: 3,
    description: 4,
    default: 5,
    multipleOf: 6,
    maximum: 7,
    exclusiveMaximum: 8,
    minimum: 9,
    exclusiveMinimum: 10,
    maxLength: 11,
    minLength: 12,
    pattern: 13,
    maxItems: 14,
    minItems: 15,
    uniqueItems: 16,
    maxProperties: 17,
    minProperties: 18,
    required: 19,
    enum: 20,
    additionalProperties: 21,
    type: 22,
    items: 23,
    allOf: 24,
    properties: 25,
  },
  31,
);
const nestedSchema: FieldCodec = nested((writer, value) => schema(writer, value));

const typeItem: FieldCodec = (writer, number, value) => wrapped(1, strings)(writer, number, Array.isArray(value) ? value : [value]);

const parameterCodecs = {
  required: boolean,
  in: string,
  description: string,
  name: string,
  type: string,
  uniqueItems: boolean,
  schema: nestedSchema,
};
const bodyParameter = nested(message(() => fields(parameterCodecs, { description: 1, name: 2, in: 3, required: 4, schema: 5 }), 6));
const queryParameter = nested(
  message(() => fields(parameterCodecs, { required: 1, in: 2, description: 3, name: 4, type: 6, uniqueItems: 20 }), 23),
);
const pathParameter = nested(
  message(() => fields(parameterCodecs, { required: 1, in: 2, description: 3, name: 4, type: 5, uniqueItems: 19 }), 22),
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

const operation = operationMessage(
  { produces: strings, consumes: strings, schemes: strings, parameters, responses: named(1, nested(response)) },
  { tags: 1, description: 3, operationId: 5, produces: 6, consumes: 7, parameters: 8, responses: 9, schemes: 10, deprecated: 11 },
  13,
);

const apiKey = nested(message(() => ({ type: [1, string], name: [2, string], in: [3, string], description: [4, string] }), 5));

/** `{ BearerToken: [] }` */
const securityRequirement = named(1, wrapped(1, strings));

export const codecV2: DocumentCodec = {
  frame: message(
    () => ({
      swagger: [1, string],
      info: [2, nested(message(() => ({ title: [1, string], version: [2, string] }), 7))],
      security: [12, repeated(securityRequirement)],
      securityDefinitions: [13, named(1, wrapped(2, apiKey))],
    }),
    16,
  ),
  tables: {
    paths: { number: 2, codec: pathItemMessage(operation, parameters, { get: 2, parameters: 9 }, 10) },
    definitions: { number: 1, codec: nestedSchema },
    parameters: { number: 1, codec: nested(parameter) },
  },
};
