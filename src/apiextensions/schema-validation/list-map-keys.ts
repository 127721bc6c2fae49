// Upstream: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go#validateMapListKeysMapSet
import type { FieldError, FieldPath } from '../../machinery/field.ts';
import { forbidden, required } from '../../machinery/field.ts';
import type { JSONSchemaProps } from '../../schema/types/apiextensions-v1.ts';
import { itemSchema } from './schema-walk.ts';

/** Keys tell items apart, so every item must have them. */
export function validateMapKeys(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  const items = itemSchema(schema.items);
  const listType = schema['x-kubernetes-list-type'];
  if (items === undefined || (listType !== 'set' && listType !== 'map')) return [];
  const errors: FieldError[] = [];
  const at = path.child('items');
  if (items.nullable) errors.push(forbidden(at.child('nullable'), `cannot be nullable when x-kubernetes-list-type is ${listType}`));
  if (listType === 'set') return errors;
  for (const key of schema['x-kubernetes-list-map-keys'] ?? []) {
    const property = items.properties?.[key];
    if (property === undefined) continue;
    const keyPath = at.child('properties').key(key);
    const isGiven = (items.required ?? []).includes(key) || (property.default !== undefined && property.default !== null);
    const why = 'this property is in x-kubernetes-list-map-keys, so it';
    if (!isGiven) errors.push(required(keyPath.child('default'), `${why} must have a default or be a required property`));
    if (property.nullable) errors.push(forbidden(keyPath.child('nullable'), `${why} cannot be nullable`));
  }
  return errors;
}
