// Upstream: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go
// Columns, subresources and selectable fields.
import { append } from '../../machinery/append.ts';
import type { NormalizedPath } from '../../cel/kubernetes/field-path.ts';
import { normalizeFieldPath } from '../../cel/kubernetes/field-path.ts';
import type { OpenApiSchema } from '../../cel/schema-types.ts';
import type { FieldError, FieldPath } from '../../machinery/field.ts';
import { duplicate, invalid, required, tooMany, typedValue } from '../../machinery/field.ts';
import type {
  CustomResourceColumnDefinition,
  CustomResourceSubresources,
  JSONSchemaProps,
  SelectableField,
} from '../../schema/types/apiextensions-v1.ts';
import { maxSelectableFields } from '../schema-validation/validation-options.ts';

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

export function validateColumn(column: CustomResourceColumnDefinition, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const { name, type, format, jsonPath } = column;
  if (!name) errors.push(required(path.child('name'), ''));
  const typeMessage = `must be one of ${columnTypes.join(',')}`;
  if (!type) errors.push(required(path.child('type'), typeMessage));
  else if (!columnTypes.includes(type)) errors.push(invalid(path.child('type'), type, typeMessage));
  if (format && !columnFormats.includes(format))
    errors.push(invalid(path.child('format'), format, `must be one of ${columnFormats.join(',')}`));
  const at = path.child('JSONPath');
  return [...errors, ...(jsonPath ? validateSimplePath(jsonPath, at) : [required(at, '')])];
}

function validateSimplePath(text: string, path: FieldPath): FieldError[] {
  return text.startsWith('.') ? [] : [invalid(path, text, 'must be a simple json path starting with .')];
}

export function validateSubresources(subresources: CustomResourceSubresources | undefined, path: FieldPath): FieldError[] {
  const scale = subresources?.scale;
  if (scale === undefined) return [];
  const errors: FieldError[] = [];
  const check = (name: string, value: string, prefixes: readonly string[], message: string, shown: unknown = value): void => {
    const at = path.child(`scale.${name}`);
    const faults = validateSimplePath(value, at);
    if (faults.length > 0) append(errors, faults);
    else if (!prefixes.some((prefix) => value.startsWith(prefix))) errors.push(invalid(at, shown, message));
  };
  if (!scale.specReplicasPath) errors.push(required(path.child('scale.specReplicasPath'), ''));
  else check('specReplicasPath', scale.specReplicasPath, ['.spec.'], 'should be a json path under .spec');
  if (!scale.statusReplicasPath) errors.push(required(path.child('scale.statusReplicasPath'), ''));
  else check('statusReplicasPath', scale.statusReplicasPath, ['.status.'], 'should be a json path under .status');
  const { labelSelectorPath } = scale;
  if (labelSelectorPath) {
    const message = 'should be a json path under either .spec or .status';
    check('labelSelectorPath', labelSelectorPath, ['.spec.', '.status.'], message, typedValue(labelSelectorPath));
  }
  return errors;
}

export function validateSelectableFields(
  fields: readonly SelectableField[],
  schema: JSONSchemaProps,
  path: FieldPath,
  allowsMany: boolean,
): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, { jsonPath }] of fields.entries()) {
    const at = path.index(i).child('jsonPath');
    if (!jsonPath) {
      errors.push(required(at, ''));
      continue;
    }
    const found = withoutBrackets(jsonPath, schema as OpenApiSchema);
    if ('error' in found) {
      errors.push(invalid(at, jsonPath, `is an invalid path: ${found.error}`));
      continue;
    }
    const text = found.path.toString();
    if (/^metadata(\.|\[|$)/.test(text)) errors.push(invalid(at, jsonPath, 'must not point to fields in metadata'));
    if (!['string', 'boolean', 'integer'].includes(found.schema.type ?? '')) {
      const message = 'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
      errors.push(invalid(at, jsonPath, message));
    }
    if (seen.has(text)) errors.push(duplicate(at, jsonPath));
    seen.add(text);
  }
  if (seen.size > maxSelectableFields && !allowsMany) errors.push(tooMany(path, seen.size, maxSelectableFields));
  return errors;
}

/** Selectable fields are reached by dots alone. */
function withoutBrackets(jsonPath: string, schema: OpenApiSchema): NormalizedPath {
  const bracket = jsonPath.indexOf('[');
  if (bracket < 0) return normalizeFieldPath(jsonPath, schema);
  const before = bracket === 0 ? undefined : normalizeFieldPath(jsonPath.slice(0, bracket), schema);
  return before !== undefined && 'error' in before ? before : { error: 'array notation is not allowed' };
}
