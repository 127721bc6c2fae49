import assert from 'node:assert/strict';
import { test } from 'node:test';
import protobuf from 'protobufjs';
import { documentBytes } from '../document-bytes.ts';
import { layoutV2, layoutV3 } from '../document-layout.ts';

const info = { title: 'T', version: '1' };

/** The part of upstream's messages that the documents below use. */
const v3 = protobuf
  .parse(`syntax = "proto3";
  message Document { string openapi = 1; Components components = 5; }
  message Components { Schemas schemas = 1; }
  message Schemas { repeated NamedSchema additional_properties = 1; }
  message NamedSchema { string name = 1; SchemaOrReference value = 2; }
  message SchemaOrReference { oneof one { Schema schema = 1; Reference reference = 2; } }
  message Reference { string ref = 1; }
  message Properties { repeated NamedSchema additional_properties = 1; }
  message DefaultType { oneof one { double number = 1; bool boolean = 2; string string = 3; } }
  message Any { string yaml = 2; }
  message NamedAny { string name = 1; Any value = 2; }
  message Items { repeated SchemaOrReference schema_or_reference = 1; }
  message Schema { repeated string required = 23; repeated Any enum = 24; string type = 25; repeated SchemaOrReference all_of = 26;
    Items items = 30; Properties properties = 31; DefaultType default = 33; string description = 34;
    repeated NamedAny specification_extension = 36; }`)
  .root.lookupType('Document');

test('a document of OpenAPI 3 becomes the message that clients read', () => {
  const bytes = documentBytes(
    'v3',
    layoutV3(info, { schemas: true, security: false }),
    [
      {
        definitions: {
          A: {
            type: 'object',
            required: ['n'],
            properties: {
              list: { type: 'array', items: { $ref: '#/components/schemas/A' }, 'x-kubernetes-list-map-keys': ['k'] },
              n: { type: 'integer', default: 0 },
              o: { default: {}, allOf: [{ $ref: '#/components/schemas/A' }] },
              s: { type: 'string', enum: ['', 'x'] },
            },
          },
        },
      },
    ],
    'protobuf',
  );
  const reference = { reference: { ref: '#/components/schemas/A' } };
  assert.deepEqual(v3.toObject(v3.decode(bytes)), {
    openapi: '3.0.0',
    components: {
      schemas: {
        additionalProperties: [
          {
            name: 'A',
            value: {
              schema: {
                type: 'object',
                required: ['n'],
                properties: {
                  additionalProperties: [
                    {
                      name: 'list',
                      value: {
                        schema: {
                          type: 'array',
                          items: { schemaOrReference: [reference] },
                          specificationExtension: [{ name: 'x-kubernetes-list-map-keys', value: { yaml: '- k\n' } }],
                        },
                      },
                    },
                    { name: 'n', value: { schema: { type: 'integer', default: { number: 0 } } } },
                    // An object cannot be said as a default; that there is one can.
                    { name: 'o', value: { schema: { allOf: [reference], default: {} } } },
                    { name: 's', value: { schema: { type: 'string', enum: [{ yaml: '""\n' }, { yaml: 'x\n' }] } } },
                  ],
                },
              },
            },
          },
        ],
      },
    },
  });
});

const v2 = protobuf
  .parse(`syntax = "proto3";
  message Document { string swagger = 1; Definitions definitions = 9; Parameters parameters = 10; }
  message Definitions { repeated NamedSchema additional_properties = 1; }
  message NamedSchema { string name = 1; Schema value = 2; }
  message TypeItem { repeated string value = 1; }
  message Schema { string ref = 1; TypeItem type = 22; }
  message Parameters { repeated NamedParameter additional_properties = 1; }
  message NamedParameter { string name = 1; Parameter value = 2; }
  message Parameter { oneof one { Body body_parameter = 1; NonBody non_body_parameter = 2; } }
  message Body { string name = 2; string in = 3; Schema schema = 5; }
  message NonBody { oneof one { Query query = 3; Path path = 4; } }
  message Query { string in = 2; string name = 4; string type = 6; bool unique_items = 20; }
  message Path { bool required = 1; string in = 2; string name = 4; string type = 5; bool unique_items = 19; }`)
  .root.lookupType('Document');

test('a document of OpenAPI 2 becomes the message that clients read', () => {
  const bytes = documentBytes(
    'v2',
    layoutV2(info),
    [
      {
        definitions: { A: { type: 'object' } },
        parameters: {
          b: { name: 'body', in: 'body', schema: { $ref: '#/definitions/A' } },
          p: { uniqueItems: true, type: 'string', name: 'p', in: 'path', required: true },
          q: { uniqueItems: true, type: 'integer', name: 'q', in: 'query' },
        },
      },
    ],
    'protobuf',
  );
  assert.deepEqual(v2.toObject(v2.decode(bytes)), {
    swagger: '2.0',
    definitions: { additionalProperties: [{ name: 'A', value: { type: { value: ['object'] } } }] },
    parameters: {
      additionalProperties: [
        { name: 'b', value: { bodyParameter: { name: 'body', in: 'body', schema: { ref: '#/definitions/A' } } } },
        { name: 'p', value: { nonBodyParameter: { path: { required: true, in: 'path', name: 'p', type: 'string', uniqueItems: true } } } },
        { name: 'q', value: { nonBodyParameter: { query: { in: 'query', name: 'q', type: 'integer', uniqueItems: true } } } },
      ],
    },
  });
});
