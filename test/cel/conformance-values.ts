import { ArrayList, EntryMap } from '../../src/cel/collections.ts';
import { toInt } from '../../src/cel/numbers.ts';
import { parseDuration, parseTimestamp } from '../../src/cel/time.ts';
import type { CelType } from '../../src/cel/types.ts';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOf,
  listType,
  mapOf,
  mapType,
  nullType,
  nullableOf,
  optionalOf,
  stringType,
  structType,
  timestampType,
  typeType,
  uintType,
} from '../../src/cel/types.ts';
import type { Value } from '../../src/cel/values.ts';
import { Double, Uint } from '../../src/cel/values.ts';

/** Thrown for cases about protobuf messages, which are not values in Kubernetes. */
export class NotApplicableError extends Error {}

type Json = { readonly [key: string]: unknown };

const typeNames: Readonly<Record<string, CelType>> = {
  bool: boolType,
  bytes: bytesType,
  double: doubleType,
  int: intType,
  list: listType,
  map: mapType,
  null_type: nullType,
  string: stringType,
  type: typeType,
  uint: uintType,
  'google.protobuf.Timestamp': timestampType,
  'google.protobuf.Duration': durationType,
  optional_type: optionalOf(dynType),
};

/** A value of the conformance suite (cel.expr.Value in its JSON form). */
export function readValue(json: Json): Value {
  const [kind, value] = Object.entries(json)[0] ?? [];
  switch (kind) {
    case 'nullValue':
      return null;
    case 'boolValue':
    case 'stringValue':
      return value as boolean | string;
    case 'int64Value':
      return toInt(BigInt(value as string));
    case 'uint64Value':
      return new Uint(BigInt(value as string));
    case 'doubleValue':
      return new Double(Number(value));
    case 'bytesValue':
      return Uint8Array.from(Buffer.from(value as string, 'base64'));
    case 'listValue':
      return new ArrayList((((value as Json)['values'] as Json[] | undefined) ?? []).map(readValue));
    case 'mapValue':
      return new EntryMap(
        (((value as Json)['entries'] as Json[] | undefined) ?? []).map((entry) => [
          readValue(entry['key'] as Json),
          readValue(entry['value'] as Json),
        ]),
      );
    case 'typeValue': {
      const type = typeNames[value as string];
      if (!type) throw new NotApplicableError(`type ${String(value)}`);
      return type;
    }
    case 'objectValue':
      return readObject(value as Json);
    default:
      throw new NotApplicableError(String(kind));
  }
}

function readObject(json: Json): Value {
  switch (json['@type']) {
    case 'type.googleapis.com/google.protobuf.Duration':
      return parseDuration(json['value'] as string)!;
    case 'type.googleapis.com/google.protobuf.Timestamp':
      return parseTimestamp(json['value'] as string) as Value;
    default:
      throw new NotApplicableError(String(json['@type']));
  }
}

const primitives: Readonly<Record<string, CelType>> = {
  BOOL: boolType,
  INT64: intType,
  UINT64: uintType,
  DOUBLE: doubleType,
  STRING: stringType,
  BYTES: bytesType,
};

/** A declared type of the suite (cel.expr.Type in its JSON form). */
export function readType(json: Json): CelType {
  const [kind, value] = Object.entries(json)[0] ?? [];
  switch (kind) {
    case 'dyn':
      return dynType;
    case 'null':
      return nullType;
    case 'primitive':
      return primitives[value as string]!;
    case 'wrapper':
      return nullableOf(primitives[value as string]!);
    case 'wellKnown':
      return value === 'TIMESTAMP' ? timestampType : value === 'DURATION' ? durationType : dynType;
    case 'listType':
      return listOf(readType((value as Json)['elemType'] as Json));
    case 'mapType':
      return mapOf(readType((value as Json)['keyType'] as Json), readType((value as Json)['valueType'] as Json));
    case 'abstractType':
      return optionalOf(readType(((value as Json)['parameterTypes'] as Json[])[0]!));
    case 'messageType':
      if (structType(value as string).kind !== 'struct') return structType(value as string);
      throw new NotApplicableError(String(value));
    default:
      throw new NotApplicableError(String(kind));
  }
}
