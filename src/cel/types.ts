// Upstream: github.com/google/cel-go/common/types/types.go, github.com/google/cel-go/checker/format.go

export type TypeKind =
  | 'any'
  | 'bool'
  | 'bytes'
  | 'double'
  | 'duration'
  | 'dyn'
  | 'error'
  | 'int'
  | 'list'
  | 'map'
  | 'null'
  | 'opaque'
  | 'string'
  | 'struct'
  | 'timestamp'
  | 'param'
  | 'type'
  | 'uint';

/** A type of the language. Instances are immutable; a type is also a value (`type(1) == int`). */
export class CelType {
  readonly kind: TypeKind;
  readonly name: string;
  readonly parameters: readonly CelType[];
  /** Set for the protobuf wrapper types, whose values may be null. */
  readonly nullable: boolean;
  /** Whether a type variable occurs in it. */
  readonly isGeneric: boolean;
  #shown: string | undefined;

  constructor(kind: TypeKind, name: string, parameters: readonly CelType[] = [], nullable = false) {
    this.kind = kind;
    this.name = name;
    this.parameters = parameters;
    this.nullable = nullable;
    this.isGeneric = kind === 'param' || parameters.some((parameter) => parameter.isGeneric);
  }

  /** The form used in messages and as identity of type variables. */
  toString(): string {
    return (this.#shown ??= show(this));
  }
}

function show(type: CelType): string {
  switch (type.kind) {
    case 'any':
      return 'any';
    case 'duration':
      return 'duration';
    case 'error':
      return '!error!';
    case 'null':
      return 'null';
    case 'timestamp':
      return 'timestamp';
    case 'param':
      return type.name;
    case 'opaque':
      if (type.name === 'function') return showFunction(type.parameters.slice(1), false, type.parameters[0]);
  }
  if (type.parameters.length === 0) return type.nullable ? `wrapper(${type.name})` : type.name;
  return `${type.name}(${type.parameters.join(', ')})`;
}

export function showFunction(args: readonly CelType[], isMember: boolean, result?: CelType): string {
  const target = isMember ? `${args[0]}.` : '';
  const rest = isMember ? args.slice(1) : args;
  return `${target}(${rest.join(', ')})${result ? ` -> ${result}` : ''}`;
}

export const anyType = new CelType('any', 'google.protobuf.Any');
export const boolType = new CelType('bool', 'bool');
export const bytesType = new CelType('bytes', 'bytes');
export const doubleType = new CelType('double', 'double');
export const durationType = new CelType('duration', 'google.protobuf.Duration');
export const dynType = new CelType('dyn', 'dyn');
export const errorType = new CelType('error', 'error');
export const intType = new CelType('int', 'int');
export const nullType = new CelType('null', 'null_type');
export const stringType = new CelType('string', 'string');
export const timestampType = new CelType('timestamp', 'google.protobuf.Timestamp');
export const typeType = new CelType('type', 'type');
export const uintType = new CelType('uint', 'uint');

export const listOf = (element: CelType): CelType => new CelType('list', 'list', [element]);
export const mapOf = (key: CelType, value: CelType): CelType => new CelType('map', 'map', [key, value]);
export const opaque = (name: string, ...parameters: CelType[]): CelType => new CelType('opaque', name, parameters);
export const optionalOf = (value: CelType): CelType => opaque('optional_type', value);
export const typeOfType = (type: CelType): CelType => new CelType('type', 'type', [type]);
export const typeParam = (name: string): CelType => new CelType('param', name);
export const nullableOf = (type: CelType): CelType => new CelType(type.kind, type.name, type.parameters, true);

export const listType = listOf(dynType);
export const mapType = mapOf(dynType, dynType);

const wellKnown: ReadonlyMap<string, CelType> = new Map([
  ['google.protobuf.BoolValue', nullableOf(boolType)],
  ['google.protobuf.BytesValue', nullableOf(bytesType)],
  ['google.protobuf.DoubleValue', nullableOf(doubleType)],
  ['google.protobuf.FloatValue', nullableOf(doubleType)],
  ['google.protobuf.Int64Value', nullableOf(intType)],
  ['google.protobuf.Int32Value', nullableOf(intType)],
  ['google.protobuf.UInt64Value', nullableOf(uintType)],
  ['google.protobuf.UInt32Value', nullableOf(uintType)],
  ['google.protobuf.StringValue', nullableOf(stringType)],
  ['google.protobuf.Any', anyType],
  ['google.protobuf.Duration', durationType],
  ['google.protobuf.Timestamp', timestampType],
  ['google.protobuf.ListValue', listType],
  ['google.protobuf.NullValue', nullType],
  ['google.protobuf.Struct', mapOf(stringType, dynType)],
  ['google.protobuf.Value', dynType],
]);

export const structType = (name: string): CelType => wellKnown.get(name) ?? new CelType('struct', name);

export function sameType(a: CelType, b: CelType): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || a.name !== b.name || a.parameters.length !== b.parameters.length) return false;
  return a.parameters.every((parameter, i) => sameType(parameter, b.parameters[i]!));
}

export const isDyn = (type: CelType): boolean => type.kind === 'dyn' || type.kind === 'any';
export const isOptional = (type: CelType): boolean => type.kind === 'opaque' && type.name === 'optional_type';

/** Whether a value of type `from` may stand where `to` is declared, without type variables involved. */
export function assignableTo(to: CelType, from: CelType): boolean {
  if (to.nullable && from.kind === 'null') return true;
  if (to === from || to.kind === 'dyn' || to.kind === 'any' || to.kind === 'param') return true;
  if (to.kind !== from.kind || to.name !== from.name || to.parameters.length !== from.parameters.length) return false;
  return to.parameters.every((parameter, i) => assignableTo(parameter, from.parameters[i]!));
}
