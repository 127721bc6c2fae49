import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSchema } from '../schema/index.ts';
import { BuiltInDocuments } from './built-in.ts';
import type { CustomKind, JsonSchema } from './custom-kind.ts';
import { customDefinitions } from './custom-schema.ts';
import { noDescriptions } from './descriptions.ts';
import { documentBytes } from './document-bytes.ts';

const widget: CustomKind = {
  group: 'example.com',
  version: 'v1',
  plural: 'widgets',
  kind: 'Widget',
  listKind: 'WidgetList',
  namespaced: true,
  status: true,
  scale: false,
};

function published(properties: Readonly<Record<string, JsonSchema>>, form: 'v2' | 'v3', required?: readonly string[]): unknown {
  const spec = { type: 'object', properties, ...(required !== undefined && { required }) };
  const definitions = customDefinitions({ ...widget, schema: { type: 'object', properties: { spec } } }, form, noDescriptions);
  return definitions['com.example.v1.Widget']?.properties?.['spec'];
}

test('a custom resource is published with its own paths and the types it needs', () => {
  const documents = new BuiltInDocuments({
    schema: createSchema(),
    served: [],
    descriptions: noDescriptions,
    info: { title: 'Kubernetes', version: '1.37' },
    cbor: false,
    enums: true,
  });
  const parts = [documents.custom(widget, 'v3'), ...documents.neededByCustom([widget])];
  const { info, paths, components } = JSON.parse(documentBytes('v3', documents.customLayoutV3, parts, 'json').toString()) as {
    readonly info: object;
    readonly paths: object;
    readonly components: { readonly schemas: Readonly<Record<string, object>> };
  };
  assert.deepEqual(info, { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' });
  assert.deepEqual(Object.keys(paths), [
    '/apis/example.com/v1/namespaces/{namespace}/widgets',
    '/apis/example.com/v1/namespaces/{namespace}/widgets/{name}',
    '/apis/example.com/v1/namespaces/{namespace}/widgets/{name}/status',
    '/apis/example.com/v1/widgets',
  ]);
  const { schemas } = components;
  assert.equal(Object.hasOwn(schemas, 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'), true);
  assert.deepEqual(schemas['com.example.v1.Widget'], {
    type: 'object',
    'x-kubernetes-group-version-kind': [{ group: 'example.com', kind: 'Widget', version: 'v1' }],
  });
});

const intOrString = { 'x-kubernetes-int-or-string': true };
const choice = [{ type: 'integer' }, { type: 'string' }];

test('an int-or-string says its two types, once', () => {
  const unfolded = { anyOf: choice, ...intOrString };
  assert.deepEqual(published({ a: intOrString, b: { ...intOrString, anyOf: choice } }, 'v3'), {
    type: 'object',
    properties: { a: unfolded, b: unfolded },
  });
});

test('what old clients cannot take is left out of OpenAPI 2', () => {
  const properties = {
    nothing: { type: 'array', nullable: true, items: { type: 'string' } },
    open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { q: { type: 'string' } } },
    preset: { type: 'boolean', default: true },
  };
  assert.deepEqual(published(properties, 'v2', ['nothing', 'preset']), {
    type: 'object',
    required: ['preset'],
    properties: { nothing: {}, open: { 'x-kubernetes-preserve-unknown-fields': true }, preset: { type: 'boolean' } },
  });
});

test('an embedded resource has the fields of every object', () => {
  const emb = { type: 'object', 'x-kubernetes-embedded-resource': true };
  const { properties } = published({ emb }, 'v3') as { properties: { emb: { required: unknown; properties: object } } };
  assert.deepEqual(properties.emb.required, ['kind', 'apiVersion']);
  assert.deepEqual(Object.keys(properties.emb.properties), ['apiVersion', 'kind', 'metadata']);
});

test('false is a default like any other', () => {
  const no = { type: 'boolean', default: false };
  assert.deepEqual(published({ no }, 'v3'), { type: 'object', properties: { no } });
});
