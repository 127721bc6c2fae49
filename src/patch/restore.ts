// Upstream: k8s.io/apimachinery/pkg/runtime/converter.go#fromUnstructured
import { DecodeError } from '../machinery/codec/decode-error.ts';
import { canonicalBase64 } from '../machinery/codec/json/base64.ts';
import { goTypeName } from '../machinery/codec/json/go-types.ts';
import { readScalar, TypeMismatchError } from '../machinery/codec/json/scalars.ts';
import { writeJson } from '../machinery/codec/json/write.ts';
import type { ScalarType, StructType, Type } from '../machinery/type-model.ts';
import { goScalar } from './apply/go-value.ts';
import { isObject, setOwn } from './json/json-object.ts';
import type { JsonObject } from './json/json-object.ts';
import { kindName } from './strategic/patch-meta.ts';

const integerBits: Readonly<Record<string, readonly [bits: number, signed: boolean]>> = {
  int32: [32, true],
  int64: [64, true],
  uint32: [32, false],
  uint64: [64, false],
};

/**
 * What a strategic merge patch made is not decoded but restored field by field, which accepts what decoding refuses (integers that are
 * too large lose their upper bits) and has words of its own for the rest. Asked only about values that do not decode.
 * Throws DecodeError.
 */
export function restore(value: unknown, type: Type): unknown {
  if (value === null || value === undefined) return value;
  switch (type.kind) {
    case 'struct':
      return restoreStruct(value, type);
    case 'list':
      if (!Array.isArray(value)) throw new DecodeError(`cannot restore slice from ${goKind(value)}`);
      return value.map((item) => restore(item, type.element));
    case 'map': {
      if (!isObject(value)) throw new DecodeError(`cannot restore map from ${goKind(value)}`);
      const map: JsonObject = {};
      for (const [key, item] of Object.entries(value)) setOwn(map, key, restore(item, type.value));
      return map;
    }
    case 'scalar':
      return restoreScalar(value, type);
    case 'variant':
      return value;
  }
}

function restoreStruct(value: unknown, type: StructType): JsonObject {
  if (!isObject(value)) throw new DecodeError(`cannot restore struct from: ${goKind(value)}`);
  const object = { ...value };
  for (const { name, type: inner } of type.fields) {
    if (Object.hasOwn(value, name)) setOwn(object, name, restore(value[name], inner));
  }
  return object;
}

function restoreScalar(value: unknown, type: ScalarType): unknown {
  const found = goKind(value);
  switch (type.scalar) {
    case 'string':
      if (found === 'string') return value;
      // Go would make a character of an integer
      throw found === 'int64' ? unconvertible(found, type) : unrecognized(type);
    case 'bool':
      if (found === 'bool') return value;
      throw unrecognized(type);
    case 'float32':
    case 'float64':
      if (found === 'int64' || found === 'float64') return value;
      throw unrecognized(type);
    case 'int32':
    case 'int64':
    case 'uint32':
    case 'uint64':
      if (found === 'int64') return wrapped(value as number | bigint, type.scalar);
      throw found === 'float64' ? unconvertible(found, type) : unrecognized(type);
    case 'bytes':
      return restoreBytes(value);
    case 'unknown':
      return value;
    default:
      return unmarshalled(value, type);
  }
}

function wrapped(value: number | bigint, scalar: string): number | bigint {
  const [bits, signed] = integerBits[scalar]!;
  const kept = signed ? BigInt.asIntN(bits, BigInt(value)) : BigInt.asUintN(bits, BigInt(value));
  return Number.isSafeInteger(Number(kept)) ? Number(kept) : kept;
}

function restoreBytes(value: unknown): unknown {
  if (typeof value === 'string') {
    try {
      return canonicalBase64(value);
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      throw new DecodeError(`error decoding from json: ${error.message}`, { cause: error });
    }
  }
  if (!Array.isArray(value)) throw new DecodeError(`cannot restore slice from ${goKind(value)}`);
  return Buffer.from(value.map(restoreByte)).toString('base64');
}

function restoreByte(item: unknown): number {
  if (item === null) return 0;
  if (typeof item !== 'number' && typeof item !== 'bigint') throw new DecodeError('unrecognized type: uint8');
  if (typeof item === 'number' && !Number.isInteger(item)) throw new DecodeError('cannot convert float64 to uint8');
  return Number(BigInt.asUintN(8, BigInt(item)));
}

/** Types with decoding of their own get their part of the document as JSON. */
function unmarshalled(value: unknown, type: ScalarType): unknown {
  try {
    readScalar(type, writeJson(value), undefined);
    return value;
  } catch (error) {
    if (!(error instanceof TypeMismatchError)) throw error;
    throw new DecodeError(`json: cannot unmarshal ${error.value} into Go value of type ${error.type}`, { cause: error });
  }
}

function unconvertible(found: string, type: ScalarType): DecodeError {
  return new DecodeError(`cannot convert ${found} to ${goTypeName(type)}`);
}

function unrecognized(type: ScalarType): DecodeError {
  return new DecodeError(`unrecognized type: ${kindName(type)}`);
}

function goKind(value: unknown): string {
  return goScalar(value) ?? (Array.isArray(value) ? 'slice' : 'map');
}
