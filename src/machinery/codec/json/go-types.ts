// The Go types that decoding errors name.
import type { Field, ScalarName, StructType, Type } from '../../type-model.ts';

const scalarNames: Readonly<Record<ScalarName, string>> = {
  string: 'string',
  bool: 'bool',
  int32: 'int32',
  int64: 'int64',
  uint32: 'uint32',
  uint64: 'uint64',
  float32: 'float32',
  float64: 'float64',
  bytes: '[]uint8',
  quantity: 'resource.Quantity',
  intOrString: 'intstr.IntOrString',
  time: 'v1.Time',
  microTime: 'v1.MicroTime',
  duration: 'v1.Duration',
  raw: 'runtime.RawExtension',
  fieldsV1: 'v1.FieldsV1',
  json: 'v1.JSON',
  unknown: 'interface {}',
};

/** A type as Go's reflection prints it: `[]v1.Container`, `map[string]string`. */
export function goTypeName(type: Type): string {
  switch (type.kind) {
    case 'scalar':
      return type.goName ?? scalarNames[type.scalar];
    case 'list':
      return type.goName ?? `[]${type.elementNullable ? '*' : ''}${goTypeName(type.element)}`;
    case 'map':
      return type.goName ?? `map[string]${goTypeName(type.value)}`;
    case 'struct':
    case 'variant':
      return type.name.split('.').slice(-2).join('.');
  }
}

/** The name of a struct without its package. */
export function goStructName(type: StructType): string {
  return type.name.slice(type.name.lastIndexOf('.') + 1);
}

/**
 * Fields as errors name them: one that comes from an embedded struct shows the names of the structs it is embedded through, as in
 * `Rule.apiVersions`.
 */
export function embeddedNames(type: StructType): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, readonly string[]>();
  const direct = new Set(type.proto.filter((entry) => !entry.inline).map((entry) => entry.field.name));
  for (const { inline, field, goName } of type.proto) {
    if (!inline || field.type.kind !== 'struct') continue;
    const inner = embeddedNames(field.type);
    for (const { name } of field.type.fields) {
      if (!direct.has(name)) names.set(name, [goName, ...(inner.get(name) ?? [name])]);
    }
  }
  if (embedsTypeMeta(type, direct)) {
    names.set('kind', ['TypeMeta', 'kind']);
    names.set('apiVersion', ['TypeMeta', 'apiVersion']);
  }
  return names;
}

/** TypeMeta is in no protobuf message: the envelope carries it. */
function embedsTypeMeta(type: StructType, direct: ReadonlySet<string>): boolean {
  return type.byName.has('kind') && type.byName.has('apiVersion') && !direct.has('kind') && !direct.has('apiVersion');
}

const numericScalars: ReadonlySet<ScalarName> = new Set(['int32', 'int64', 'uint32', 'uint64', 'float32', 'float64']);

export function isNumeric(scalar: ScalarName): boolean {
  return numericScalars.has(scalar);
}

/** Scalars that are Go structs: omitempty never leaves them out. */
const structScalars: ReadonlySet<ScalarName> = new Set([
  'quantity',
  'intOrString',
  'time',
  'microTime',
  'duration',
  'raw',
  'fieldsV1',
  'json',
]);

/** Whether omitempty can leave the field out at all. */
export function canBeEmpty({ pointer, type }: Field): boolean {
  if (pointer) return true;
  return type.kind === 'scalar' ? !structScalars.has(type.scalar) : type.kind === 'list' || type.kind === 'map';
}

/** What Go writes for an unset value; undefined for a struct, whose zero value depends on its fields. */
export function zeroOf(type: Type): unknown {
  if (type.kind === 'struct') return undefined;
  if (type.kind === 'variant') return type.bool ? false : null;
  if (type.kind !== 'scalar') return null;
  switch (type.scalar) {
    case 'string':
      return '';
    case 'bool':
      return false;
    case 'quantity':
      return '0';
    case 'duration':
      return '0s';
    case 'intOrString':
      return 0;
    default:
      return isNumeric(type.scalar) ? 0 : null;
  }
}
