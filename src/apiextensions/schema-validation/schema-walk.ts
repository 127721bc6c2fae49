// Upstream: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go#SchemaHas
import type { JSONSchemaProps, JSONSchemaPropsOrArray, JSONSchemaPropsOrBool } from '../../schema/types/apiextensions-v1.ts';

/** The schema and every schema in it, wherever it stands. */
export function schemasIn(schema: JSONSchemaProps | undefined): JSONSchemaProps[] {
  const found: JSONSchemaProps[] = [];
  const open = schema === undefined ? [] : [schema];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    found.push(next);
    for (const one of schemasOf(next).toReversed()) if (one !== undefined) open.push(one);
  }
  return found;
}

function schemasOf(schema: JSONSchemaProps): (JSONSchemaProps | undefined)[] {
  const { items, allOf, anyOf, oneOf, not, properties, additionalProperties, patternProperties, additionalItems, definitions } = schema;
  return [
    ...(Array.isArray(items) ? items : [itemSchema(items)]),
    ...(allOf ?? []),
    ...(anyOf ?? []),
    ...(oneOf ?? []),
    not,
    ...Object.values(properties ?? {}),
    schemaOf(additionalProperties),
    ...Object.values(patternProperties ?? {}),
    schemaOf(additionalItems),
    ...Object.values(definitions ?? {}),
    ...Object.values(schema.dependencies ?? {}).map((one) => (Array.isArray(one) || one === null ? undefined : one)),
  ];
}

export function someSchema(schema: JSONSchemaProps | undefined, matches: (schema: JSONSchemaProps) => boolean): boolean {
  return schemasIn(schema).some(matches);
}

/** The one schema of items; undefined for none and for several. */
export function itemSchema(items: JSONSchemaPropsOrArray | undefined): JSONSchemaProps | undefined {
  return !items || Array.isArray(items) ? undefined : items;
}

export function schemaOf(value: JSONSchemaPropsOrBool | undefined): JSONSchemaProps | undefined {
  return typeof value === 'object' ? value : undefined;
}
