// Upstream: sigs.k8s.io/structured-merge-diff/v6/value/structreflect.go
// The zero value of a Go struct.
import { plainZeros } from '../../machinery/plain-zeros.ts';
import type { Field, ScalarName, StructType, Type } from '../../machinery/type-model.ts';
import type { JsonObject } from '../json/json-object.ts';

const zeroScalars: Readonly<Partial<Record<ScalarName, unknown>>> = {
  ...plainZeros,
  bytes: null,
  quantity: '0',
  intOrString: 0,
  time: null,
  microTime: null,
  duration: '0s',
  raw: null,
  fieldsV1: null,
  json: null,
  unknown: null,
};

/** Scalars that are structs in Go, which omitempty never leaves out. */
const structScalars: ReadonlySet<ScalarName> = new Set<ScalarName>([
  'quantity',
  'intOrString',
  'time',
  'microTime',
  'duration',
  'raw',
  'fieldsV1',
  'json',
]);

/**
 * An object of which nothing is set. What a Go struct shows even then (structs that are not pointers, fields without omitempty) is
 * there before a create, and so no manager comes to own it by creating.
 */
export function zeroObject(type: StructType): JsonObject {
  const object: JsonObject = {};
  for (const field of type.fields) if (isShown(field)) object[field.name] = field.pointer ? null : zeroValue(field.type);
  return object;
}

function isShown(field: Field): boolean {
  if (field.omit === 'never') return true;
  if (field.pointer || field.omit === 'zero') return false;
  return field.type.kind === 'struct' || (field.type.kind === 'scalar' && structScalars.has(field.type.scalar));
}

function zeroValue(type: Type): unknown {
  if (type.kind === 'struct') return zeroObject(type);
  return type.kind === 'scalar' ? zeroScalars[type.scalar] : null;
}
