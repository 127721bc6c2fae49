import type { CustomResourceDefinition, JSONSchemaProps } from '../../schema/types/apiextensions-v1.ts';

type Schema = { -readonly [Field in keyof JSONSchemaProps]?: JSONSchemaProps[Field] };

const floats = ['maximum', 'minimum', 'multipleOf'] as const;
const lists = ['allOf', 'oneOf', 'anyOf'] as const;
const maps = ['properties', 'patternProperties', 'definitions'] as const;

/** Bounds of a stored schema are floats, however large: what looks like an integer was read as one. */
export function readFloats({ spec }: CustomResourceDefinition): void {
  for (const { schema } of spec.versions ?? []) visit(schema?.openAPIV3Schema);
}

function visit(schema: Schema | boolean | readonly string[] | null | undefined): void {
  if (typeof schema !== 'object' || schema === null) return;
  // of `items` and `dependencies`; strings among them are passed over
  if (Array.isArray(schema)) return schema.forEach((item) => visit(item as Schema));
  const one = schema as Schema;
  for (const field of floats) if (typeof one[field] === 'bigint') one[field] = Number(one[field]);
  for (const field of lists) for (const nested of one[field] ?? []) visit(nested);
  for (const field of maps) for (const nested of Object.values(one[field] ?? {})) visit(nested);
  for (const nested of Object.values(one.dependencies ?? {})) visit(nested as Schema);
  visit(one.not);
  visit(one.items as Schema);
  visit(one.additionalProperties as Schema);
  visit(one.additionalItems as Schema);
}
