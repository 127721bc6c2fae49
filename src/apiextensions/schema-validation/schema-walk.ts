// Upstream: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go#SchemaHas
import type { JSONSchemaProps, JSONSchemaPropsOrArray, JSONSchemaPropsOrBool } from '../../schema/types/apiextensions-v1.ts';

/** The schema and every schema in it, wherever it stands. */
export function* schemasIn(schema: JSONSchemaProps | undefined): Generator<JSONSchemaProps> {
  if (schema === undefined) return;
  yield schema;
  const { items, allOf, anyOf, oneOf, not, properties, additionalProperties, patternProperties, additionalItems, definitions } = schema;
  const nested = [
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
  for (const one of nested) yield* schemasIn(one);
}

export function someSchema(schema: JSONSchemaProps | undefined, matches: (schema: JSONSchemaProps) => boolean): boolean {
  for (const one of schemasIn(schema)) if (matches(one)) return true;
  return false;
}

/** The one schema of items; undefined for none and for several. */
export function itemSchema(items: JSONSchemaPropsOrArray | undefined): JSONSchemaProps | undefined {
  return !items || Array.isArray(items) ? undefined : items;
}

export function schemaOf(value: JSONSchemaPropsOrBool | undefined): JSONSchemaProps | undefined {
  return typeof value === 'object' ? value : undefined;
}
