// Upstream: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go
// x-kubernetes-list-type and x-kubernetes-map-type.
import { append } from '../../machinery/append.ts';
import type { FieldError, FieldPath } from '../../machinery/field.ts';
import { invalid, notSupported, required } from '../../machinery/field.ts';
import type { JSONSchemaProps } from '../../schema/types/apiextensions-v1.ts';
import { itemsValue } from './internal-form.ts';
import { validateMapKeys } from './list-map-keys.ts';
import { itemSchema } from './schema-walk.ts';
import type { ValidationOptions } from './validation-options.ts';
import { isNonAtomicSet } from './validation-options.ts';

/** How lists and maps merge: types that fit, keys that exist. */
export function validateListTypes(schema: JSONSchemaProps, path: FieldPath, options: ValidationOptions): FieldError[] {
  const errors: FieldError[] = [];
  const mapType = schema['x-kubernetes-map-type'];
  const listType = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const requireType = (type: string, marker: string): void => {
    const message = `must be ${type} if ${marker} is specified`;
    errors.push(schema.type ? invalid(path.child('type'), schema.type, message) : required(path.child('type'), message));
  };
  if (mapType !== undefined && schema.type !== 'object') requireType('object', 'x-kubernetes-map-type');
  if (mapType !== undefined && mapType !== 'atomic' && mapType !== 'granular')
    errors.push(notSupported(path.child('x-kubernetes-map-type'), mapType, ['atomic', 'granular']));
  if (listType !== undefined && schema.type !== 'array') requireType('array', 'x-kubernetes-list-type');
  else if (options.requireAtomicSets && isNonAtomicSet(schema)) errors.push(nonAtomicItem(schema, path));
  if (listType !== undefined && !['atomic', 'set', 'map'].includes(listType))
    errors.push(notSupported(path.child('x-kubernetes-list-type'), listType, ['atomic', 'set', 'map']));
  if (keys.length > 0 && listType !== 'map') {
    const message = 'must be map if x-kubernetes-list-map-keys is non-empty';
    const at = path.child('x-kubernetes-list-type');
    errors.push(listType === undefined ? required(at, message) : invalid(at, listType, message));
  }
  if (listType === 'map') append(errors, validateListMap(schema, keys, path));
  if (options.requireMapKeys) append(errors, validateMapKeys(schema, path));
  return errors;
}

/** A quirk kept: the value shown is the list type of the items, also where their map type is wrong. */
function nonAtomicItem(schema: JSONSchemaProps, path: FieldPath): FieldError {
  const items = itemSchema(schema.items);
  const field = items?.type === 'array' ? 'x-kubernetes-list-type' : 'x-kubernetes-map-type';
  const message = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  return invalid(path.child('items').child(field), items?.['x-kubernetes-list-type'] ?? null, message);
}

function validateListMap(schema: JSONSchemaProps, keys: readonly string[], path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const at = path.child('items');
  const keysPath = path.child('x-kubernetes-list-map-keys');
  if (keys.length === 0) errors.push(required(keysPath, 'must not be empty if x-kubernetes-list-type is map'));
  if (!schema.items) return [...errors, required(at, 'must have a schema if x-kubernetes-list-type is map')];
  const items = itemSchema(schema.items);
  if (items === undefined)
    return [...errors, invalid(at, itemsValue(schema.items), 'must only have a single schema if x-kubernetes-list-type is map')];
  if (items.type !== 'object')
    return [...errors, invalid(at.child('type'), items.type ?? '', "must be object if parent array's x-kubernetes-list-type is map")];
  const seen = new Set<string>();
  for (const key of keys) {
    const property = items.properties?.[key];
    const scalar = "must be a scalar type if parent array's x-kubernetes-list-type is map";
    if (property === undefined) errors.push(invalid(keysPath, keys, 'entries must all be names of item properties'));
    else if (property.type === 'array' || property.type === 'object')
      errors.push(invalid(at.child('properties').key(key).child('type'), items.type, scalar));
    if (seen.has(key)) errors.push(invalid(keysPath, keys, 'must not contain duplicate entries'));
    seen.add(key);
  }
  return errors;
}
