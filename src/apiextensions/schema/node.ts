// Upstream: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/structural.go
import { writeJson } from '../../machinery/codec/json/write.ts';
import type { JSONSchemaProps } from '../../schema/types/apiextensions-v1.ts';

/**
 * A structural schema, prepared once for everything that walks values with it: pruning, defaulting, embedded metadata, list types. What a
 * walk would look for in vain below a node is known beforehand.
 */
export interface SchemaNode {
  readonly properties: ReadonlyMap<string, SchemaNode>;
  /** those of them that have a default */
  readonly defaulted: ReadonlyMap<string, SchemaNode>;
  /** additionalProperties is declared, as a schema or as a boolean */
  readonly hasAdditional: boolean;
  /** its schema; a boolean has none, and what it allows is pruned */
  readonly additional: SchemaNode | undefined;
  readonly items: SchemaNode | undefined;
  readonly nullable: boolean;
  /** undefined where none is declared; never null */
  readonly default: unknown;
  /** characters of JSON */
  readonly defaultLength: number;
  readonly preservesUnknown: boolean;
  readonly isEmbeddedResource: boolean;
  readonly listType: string | undefined;
  readonly listMapKeys: readonly string[];
  /** here or below, besides the node's own default */
  readonly hasDefaults: boolean;
  readonly hasEmbeddedResources: boolean;
  readonly hasListTypes: boolean;
}

export function schemaNode(schema: JSONSchemaProps): SchemaNode {
  const { additionalProperties, items } = schema;
  const properties = new Map(Object.entries(schema.properties ?? {}).map(([name, property]) => [name, schemaNode(property)]));
  const additional = typeof additionalProperties === 'object' ? schemaNode(additionalProperties) : undefined;
  const itemNode = items && !Array.isArray(items) ? schemaNode(items) : undefined;
  const children = [
    ...properties.values(),
    ...(additional === undefined ? [] : [additional]),
    ...(itemNode === undefined ? [] : [itemNode]),
  ];
  const isEmbeddedResource = schema['x-kubernetes-embedded-resource'] === true;
  const listType = schema['x-kubernetes-list-type'];
  return {
    properties,
    defaulted: defaultedOf(properties),
    hasAdditional: additionalProperties !== undefined,
    additional,
    items: itemNode,
    nullable: schema.nullable === true,
    default: schema.default ?? undefined,
    defaultLength: schema.default === undefined ? 4 : writeJson(schema.default).length,
    preservesUnknown: schema['x-kubernetes-preserve-unknown-fields'] === true,
    isEmbeddedResource,
    listType,
    listMapKeys: schema['x-kubernetes-list-map-keys'] ?? [],
    hasDefaults: children.some((child) => child.default !== undefined || child.hasDefaults),
    hasEmbeddedResources: isEmbeddedResource || children.some((child) => child.hasEmbeddedResources),
    hasListTypes: listType === 'set' || listType === 'map' || children.some((child) => child.hasListTypes),
  };
}

/** An object may have few of thousands of properties, which are not gone through for each of thousands of objects. */
export function defaultedOf(properties: ReadonlyMap<string, SchemaNode>): ReadonlyMap<string, SchemaNode> {
  return new Map([...properties].filter(([, property]) => property.default !== undefined));
}

/** The node as the root of a resource, whose apiVersion, kind and metadata are implied. */
export function asResourceRoot(node: SchemaNode): SchemaNode {
  return node.isEmbeddedResource ? node : { ...node, isEmbeddedResource: true, hasEmbeddedResources: true };
}

export type JsonObject = Record<string, unknown>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Fields that every object has, whatever its schema says. */
export const metaFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);
