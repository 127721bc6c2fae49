import type { FieldCodec, MessageCodec } from './message.ts';
import { boolean, message, named, nested, orReference, repeated, string } from './message.ts';
import type { DocumentCodec } from './document-codec.ts';
import { operationMessage, pathItemMessage, schemaMessage } from './shared-messages.ts';

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

const schema: MessageCodec = schemaMessage(
  () => schemaOrReference,
  () => ({
    nullable: boolean,
    type: string,
    oneOf: repeated(schemaOrReference),
    anyOf: repeated(schemaOrReference),
    not: nested(schema),
    default: defaultValue,
  }),
  {
    nullable: 1,
    title: 9,
    multipleOf: 10,
    maximum: 11,
    exclusiveMaximum: 12,
    minimum: 13,
    exclusiveMinimum: 14,
    maxLength: 15,
    minLength: 16,
    pattern: 17,
    maxItems: 18,
    minItems: 19,
    uniqueItems: 20,
    maxProperties: 21,
    minProperties: 22,
    required: 23,
    enum: 24,
    type: 25,
    allOf: 26,
    oneOf: 27,
    anyOf: 28,
    not: 29,
    items: 30,
    properties: 31,
    additionalProperties: 32,
    default: 33,
    description: 34,
    format: 35,
  },
  36,
);
const schemaOrReference: FieldCodec = nested(orReference((writer, value) => schema(writer, value)));

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

const requestBody = message(() => ({ description: [1, string], content: [2, content], required: [3, boolean] }), 4);
const response = message(() => ({ description: [1, string], content: [3, content] }), 5);

const operation = operationMessage(
  { parameters, requestBody: nested(orReference(requestBody)), responses: named(2, nested(orReference(response))) },
  { tags: 1, description: 3, operationId: 5, parameters: 6, requestBody: 7, responses: 8, deprecated: 10 },
  13,
);

const securityScheme = nested(
  orReference(message(() => ({ type: [1, string], description: [2, string], name: [3, string], in: [4, string] }), 9)),
);

export const codecV3: DocumentCodec = {
  frame: message(
    () => ({
      openapi: [1, string],
      info: [2, nested(message(() => ({ title: [1, string], description: [2, string], version: [6, string] }), 7))],
      securitySchemes: [7, named(1, securityScheme)],
    }),
    9,
  ),
  tables: {
    paths: { number: 1, codec: pathItemMessage(operation, parameters, { get: 4, parameters: 13 }, 14) },
    definitions: { number: 1, codec: schemaOrReference },
  },
};
