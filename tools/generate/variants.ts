import type { TypeRow } from '../../src/schema/table-format.ts';
import type { GoField } from './go-facts.ts';

/**
 * CustomResourceDefinition schemas hold values of several shapes: a schema or a boolean, a schema or a list. In Go they are structs
 * without JSON tags that write whichever member is set.
 */
export function variantOf(name: string, fields: readonly GoField[]): TypeRow | undefined {
  if (!name.startsWith('JSONSchemaPropsOr')) return undefined;
  const numbered = (wanted: string): number => {
    const tag = fields.find((field) => field.name === wanted)?.proto;
    if (tag === undefined) throw new Error(`${name} has no field ${wanted} with a protobuf tag`);
    return Number(tag.split(',')[1]);
  };
  const object = [numbered('Schema'), 'JSONSchemaProps'] as const;
  switch (name) {
    case 'JSONSchemaPropsOrBool':
      return { variant: { bool: numbered('Allows'), object } };
    case 'JSONSchemaPropsOrArray':
      return { variant: { object, array: [numbered('JSONSchemas'), 'JSONSchemaProps'] } };
    case 'JSONSchemaPropsOrStringArray':
      return { variant: { object, array: [numbered('Property'), 'string'] } };
    default:
      throw new Error(`unknown shape ${name}`);
  }
}
