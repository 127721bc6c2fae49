// Upstream: github.com/google/cel-go/common/types/provider.go
// And the protobuf well-known types behind it.

import type { TypeProvider } from './environment.ts';
import { isInt } from './numbers.ts';
import { maxSeconds, minSeconds } from './time.ts';
import type { CelType } from './types.ts';
import { boolType, bytesType, doubleType, dynType, intType, listType, mapOf, nullType, stringType, structType, uintType } from './types.ts';
import type { Value } from './values.ts';
import { CelError, Double, Duration, Timestamp, Uint } from './values.ts';
import { ArrayList, EntryMap } from './collections.ts';

interface WellKnown {
  readonly fields: Readonly<Record<string, CelType>>;
  readonly make: (fields: ReadonlyMap<string, Value>) => Value;
}

const wrapper = (type: CelType, zero: Value, check: (value: Value) => Value = (value) => value): WellKnown => ({
  fields: { value: type },
  make: (fields) => check(fields.get('value') ?? zero),
});

const inRange =
  (min: number, max: number, message: string) =>
  (value: Value): Value => {
    const number = isInt(value) ? Number(value) : value instanceof Uint ? Number(value.value) : 0;
    return number < min || number > max ? new CelError(message) : value;
  };

const numberOf = (value: Value | undefined): number => (value !== undefined && isInt(value) ? Number(value) : 0);

const types: Readonly<Record<string, WellKnown>> = {
  BoolValue: wrapper(boolType, false),
  BytesValue: wrapper(bytesType, new Uint8Array()),
  DoubleValue: wrapper(doubleType, new Double(0)),
  FloatValue: wrapper(doubleType, new Double(0), (value) => (value instanceof Double ? new Double(Math.fround(value.value)) : value)),
  Int32Value: wrapper(intType, 0, inRange(-2147483648, 2147483647, 'integer overflow')),
  Int64Value: wrapper(intType, 0),
  UInt32Value: wrapper(uintType, new Uint(0n), inRange(0, 4294967295, 'unsigned integer overflow')),
  UInt64Value: wrapper(uintType, new Uint(0n)),
  StringValue: wrapper(stringType, ''),
  ListValue: { fields: { values: listType }, make: (fields) => fields.get('values') ?? new ArrayList([]) },
  Struct: { fields: { fields: mapOf(stringType, dynType) }, make: (fields) => fields.get('fields') ?? new EntryMap() },
  Value: {
    fields: {
      null_value: nullType,
      number_value: doubleType,
      string_value: stringType,
      bool_value: boolType,
      struct_value: mapOf(stringType, dynType),
      list_value: listType,
    },
    make: (fields) => [...fields.values()].at(-1) ?? null,
  },
  Duration: {
    fields: { seconds: intType, nanos: intType },
    make: (fields) => new Duration(BigInt(numberOf(fields.get('seconds'))) * 1_000_000_000n + BigInt(numberOf(fields.get('nanos')))),
  },
  Timestamp: {
    fields: { seconds: intType, nanos: intType },
    make: (fields) => {
      const seconds = numberOf(fields.get('seconds'));
      return seconds < minSeconds || seconds > maxSeconds
        ? new CelError('timestamp overflow')
        : new Timestamp(seconds, numberOf(fields.get('nanos')));
    },
  },
};

const wellKnownPrefix = 'google.protobuf.';
const find = (name: string): WellKnown | undefined =>
  name.startsWith(wellKnownPrefix) ? types[name.slice(wellKnownPrefix.length)] : undefined;

/** Literals such as `google.protobuf.Int64Value{value: 1}`, which every environment of cel-go has. They make plain values. */
export const wellKnownTypes: TypeProvider = {
  struct: (name) => (find(name) ? structType(name) : undefined),
  field: (struct, field) => find(struct)?.fields[field],
  construct: (struct, fields) => find(struct)!.make(fields),
};
