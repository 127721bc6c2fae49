// Upstream: k8s.io/apiserver/pkg/cel/common/schemas.go, k8s.io/apiserver/pkg/cel/common/valuesunstructured.go

import type { DeclaredType } from './declared-types.ts';
import { escapeField } from './escaping.ts';
import type { JsonObject } from './json-values.ts';
import type { Adapter, ListKind } from './schema-values.ts';
import { PreservedValue, SchemaList, SchemaMap } from './schema-values.ts';
import { parseBase64, parseDate, parseDateTime, parseLooseDuration } from './string-formats.ts';
import type { CelType } from './types.ts';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOf,
  mapOf,
  stringType,
  structType,
  timestampType,
} from './types.ts';
import type { Value } from './values.ts';
import { CelError, Double } from './values.ts';

/** The parts of an OpenAPI v3 structural schema that expressions depend on. */
export interface OpenApiSchema {
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly maxLength?: number | bigint;
  readonly maxItems?: number | bigint;
  readonly maxProperties?: number | bigint;
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly additionalProperties?: OpenApiSchema | boolean;
  readonly items?: OpenApiSchema;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
}

const maxRequestSize = 3 * 1024 * 1024;
const durationSize = { min: 3, max: 32 };
const dateSize = 12;
const dateTimeSize = { min: 21, max: 32 };

/** Of an int64, which is a bigint beyond 2^53. */
const atLeastZero = (value: number | bigint): number => Math.max(Number(value), 0);

/** Adds the fields that every object has, for roots and embedded resources. */
export function withTypeAndObjectMeta(schema: OpenApiSchema): OpenApiSchema {
  const { kind, apiVersion, metadata } = schema.properties ?? {};
  const hasMeta =
    metadata?.type === 'object' &&
    metadata.properties?.['name']?.type === 'string' &&
    metadata.properties['generateName']?.type === 'string';
  if (kind?.type === 'string' && apiVersion?.type === 'string' && hasMeta) return schema;
  const text: OpenApiSchema = { type: 'string' };
  const meta: OpenApiSchema = { type: 'object', properties: { name: text, generateName: text } };
  return { ...schema, properties: { ...schema.properties, kind: text, apiVersion: text, metadata: meta } };
}

const isEmbedded = (schema: OpenApiSchema): boolean => schema['x-kubernetes-embedded-resource'] === true;
const itemSchema = (schema: OpenApiSchema): OpenApiSchema | undefined =>
  typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
const propertiesOf = (schema: OpenApiSchema): Readonly<Record<string, OpenApiSchema>> | undefined =>
  schema.properties && Object.keys(schema.properties).length > 0 ? schema.properties : undefined;

/**
 * The type of a schema node, or undefined when expressions cannot see it (no type and preserved unknown fields, or a
 * list of such). `name` names its object types: fields are `name.field`, items `name.@idx`, values `name.@elem`.
 */
export function schemaType(schema: OpenApiSchema, name: string, isResourceRoot = false): DeclaredType | undefined {
  if (schema['x-kubernetes-int-or-string'])
    return simple(schema, dynType, 1, schema.maxLength === undefined ? maxRequestSize - 2 : atLeastZero(schema.maxLength) * 4);
  const complete = isResourceRoot ? withTypeAndObjectMeta(schema) : schema;
  switch (complete.type) {
    case 'array':
      return listType(complete, name);
    case 'object':
      return itemSchema(complete) ? mapType(complete, name) : objectType(complete, name);
    case 'string':
      return textType(complete);
    case 'boolean':
      return simple(complete, boolType, 4, 0);
    case 'number':
      return simple(complete, doubleType, 1, 0);
    case 'integer':
      return simple(complete, intType, 1, 0);
    default:
      return undefined;
  }
}

function simple(schema: OpenApiSchema, celType: CelType, minSerializedSize: number, maxElements: number): DeclaredType {
  return { celType, maxElements, minSerializedSize, adapt: schemaAdapter(schema) };
}

function listType(schema: OpenApiSchema, name: string): DeclaredType | undefined {
  const element = schema.items && schemaType(schema.items, `${name}.@idx`, isEmbedded(schema.items));
  if (!element) return undefined;
  const maxElements =
    schema.maxItems === undefined ? Math.trunc((maxRequestSize - 2) / (element.minSerializedSize + 1)) : atLeastZero(schema.maxItems);
  return { celType: listOf(element.celType), maxElements, minSerializedSize: 2, element, adapt: schemaAdapter(schema) };
}

const keyType: DeclaredType = { celType: stringType, maxElements: 0, minSerializedSize: 2, adapt: (json) => json as Value };

function mapType(schema: OpenApiSchema, name: string): DeclaredType | undefined {
  const values = itemSchema(schema)!;
  const element = schemaType(values, `${name}.@elem`, isEmbedded(values));
  if (!element) return undefined;
  const maxElements =
    schema.maxProperties === undefined
      ? Math.trunc((maxRequestSize - 2) / (element.minSerializedSize + 6))
      : atLeastZero(schema.maxProperties);
  return {
    celType: mapOf(stringType, element.celType),
    maxElements,
    minSerializedSize: 2,
    key: keyType,
    element,
    adapt: schemaAdapter(schema),
  };
}

function objectType(schema: OpenApiSchema, name: string): DeclaredType {
  const fields = new Map<string, DeclaredType>();
  const required = new Set(schema.required);
  let minSerializedSize = 2;
  for (const [property, propertySchema] of Object.entries(schema.properties ?? {})) {
    const escaped = escapeField(property);
    const type = schemaType(propertySchema, `${name}.${escaped ?? property}`, isEmbedded(propertySchema));
    if (!type) continue;
    if (escaped !== undefined) fields.set(escaped, type);
    if (required.has(property) && (propertySchema.default === undefined || propertySchema.default === null))
      minSerializedSize += Buffer.byteLength(property) + type.minSerializedSize + 4;
  }
  return { celType: structType(name), maxElements: 0, minSerializedSize, fields, adapt: schemaAdapter(schema) };
}

function textType(schema: OpenApiSchema): DeclaredType {
  const longest = maxRequestSize - 2;
  switch (schema.format) {
    case 'byte':
      return simple(schema, bytesType, 2, schema.maxLength === undefined ? longest : atLeastZero(schema.maxLength));
    case 'duration':
      return simple(schema, durationType, durationSize.min, durationSize.max);
    case 'date':
      return simple(schema, timestampType, dateSize, dateSize);
    case 'date-time':
      return simple(schema, timestampType, dateTimeSize.min, dateTimeSize.max);
  }
  if (schema.maxLength !== undefined) return simple(schema, stringType, 2, atLeastZero(schema.maxLength) * 4);
  if (!schema.enum || schema.enum.length === 0) return simple(schema, stringType, 2, longest);
  const lengths = schema.enum.map((value) => (typeof value === 'string' ? Buffer.byteLength(value) : 0));
  return simple(
    schema,
    stringType,
    2,
    lengths.reduce((longer, length) => Math.max(longer, length)),
  );
}

// Values

const invalid = (expected: string, json: unknown): CelError => new CelError(`invalid data, expected ${expected}, got ${goTypeOf(json)}`);

function goTypeOf(json: unknown): string {
  if (typeof json === 'string') return 'string';
  if (typeof json === 'boolean') return 'bool';
  if (typeof json === 'number') return Number.isInteger(json) ? 'int64' : 'float64';
  return Array.isArray(json) ? '[]interface {}' : 'map[string]interface {}';
}

/** Turns the JSON at a schema node into a value, looking only as deep as an expression does. */
export function schemaAdapter(schema: OpenApiSchema): Adapter {
  const adapt = lazily(() => adapterFor(schema));
  if (schema.nullable) return (json) => (json === null || json === undefined ? null : adapt(json));
  return (json) =>
    json === null || json === undefined ? new CelError('invalid data, got null for schema with nullable=false') : adapt(json);
}

/** Adapters of a large schema are made when first needed: most rules look at a few fields only. */
function lazily(make: () => Adapter): Adapter {
  let made: Adapter | undefined;
  return (json) => (made ??= make())(json);
}

function adapterFor(schema: OpenApiSchema): Adapter {
  if (schema['x-kubernetes-int-or-string'])
    return (json) =>
      typeof json === 'string' || typeof json === 'bigint' || Number.isInteger(json)
        ? (json as Value)
        : new CelError('invalid data, expected XIntOrString value to be either a string or integer');
  switch (schema.type) {
    case 'object':
      return objectAdapter(schema);
    case 'array':
      return listAdapter(schema);
    case 'string':
      return textAdapter(schema);
    case 'number':
      return (json) => (typeof json === 'number' || typeof json === 'bigint' ? new Double(Number(json)) : invalid('float', json));
    case 'integer':
      return (json) => (Number.isInteger(json) || typeof json === 'bigint' ? (json as Value) : invalid('int', json));
    case 'boolean':
      return (json) => (typeof json === 'boolean' ? json : invalid('bool', json));
  }
  if (schema['x-kubernetes-preserve-unknown-fields']) return (json) => new PreservedValue(json);
  return () =>
    new CelError(
      `invalid type, expected object, array, number, integer, boolean or string, or no type with x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got ${schema.type ?? ''}`,
    );
}

function objectAdapter(schema: OpenApiSchema): Adapter {
  const complete = isEmbedded(schema) ? withTypeAndObjectMeta(schema) : schema;
  const properties = propertiesOf(complete);
  const adapters = new Map(Object.entries(properties ?? {}).map(([name, property]) => [name, schemaAdapter(property)]));
  const values = itemSchema(complete);
  const shared = !properties && values ? schemaAdapter(values) : undefined;
  const property = shared ? (): Adapter => shared : (name: string): Adapter | undefined => adapters.get(name);
  const isObject = properties !== undefined;
  return (json) => {
    if (typeof json !== 'object' || Array.isArray(json))
      return new CelError('invalid data, expected a map for the provided schema with type=object');
    return new SchemaMap(json as JsonObject, property, isObject);
  };
}

function listAdapter(schema: OpenApiSchema): Adapter {
  const { items } = schema;
  if (!items) return () => new CelError('invalid array type, expected Items with a non-empty Schema');
  const item = schemaAdapter(items);
  const listKind = listKindOf(schema);
  if (listKind instanceof CelError) return () => listKind;
  return (json) =>
    Array.isArray(json)
      ? new SchemaList(json, item, listKind)
      : new CelError('invalid data, expected an array for the provided schema with type=array');
}

function listKindOf(schema: OpenApiSchema): ListKind | CelError {
  const kind = schema['x-kubernetes-list-type'] ?? 'atomic';
  if (kind === 'map') return { kind, keys: (schema['x-kubernetes-list-map-keys'] ?? []).map((key) => escapeField(key) ?? key) };
  if (kind === 'set' || kind === 'atomic') return { kind };
  return new CelError(`invalid x-kubernetes-list-type, expected 'map', 'set' or 'atomic' but got ${kind}`);
}

const textFormats: Readonly<Record<string, (text: string) => Value>> = {
  duration: parseLooseDuration,
  date: parseDate,
  'date-time': parseDateTime,
  byte: parseBase64,
};

function textAdapter(schema: OpenApiSchema): Adapter {
  const parse = schema.format === undefined ? undefined : textFormats[schema.format];
  if (parse) return (json) => (typeof json === 'string' ? parse(json) : invalid('string', json));
  return (json) => (typeof json === 'string' ? json : invalid('string', json));
}
