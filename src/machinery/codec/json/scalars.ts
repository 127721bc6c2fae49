// Upstream: k8s.io/apimachinery/pkg/api/resource/quantity.go#UnmarshalJSON, k8s.io/apimachinery/pkg/apis/meta/v1/{time,micro_time,duration}.go#UnmarshalJSON
// Upstream: k8s.io/apimachinery/pkg/util/intstr/intstr.go#UnmarshalJSON, k8s.io/apimachinery/pkg/runtime/extension.go#UnmarshalJSON
import { canonicalQuantity } from '../../quantity.ts';
import { canonicalDuration, canonicalMicroTime, canonicalTime } from '../../time.ts';
import type { ScalarType } from '../../type-model.ts';
import { DecodeError } from '../decode-error.ts';
import { canonicalBase64 } from './base64.ts';
import { Cursor, kindOf, setKey } from './cursor.ts';
import { goTypeName, isNumeric } from './go-types.ts';
import { sortedJson } from './runtime.ts';
import type { IntegerName } from './numbers.ts';
import { parseFloat32, parseFloat64, parseInteger, parseNumber } from './numbers.ts';

/** A JSON value of a kind that its Go type does not take. Where it happened is added by the decoder. */
export class TypeMismatchError extends Error {
  /** what was found, e.g. `number 1.5` */
  readonly value: string;
  readonly type: string;
  /** types with decoding of their own end the decoding at once; otherwise Go goes on and reports the first mismatch at the end */
  readonly final: boolean;

  constructor(value: string, type: string, final = false) {
    super(`cannot unmarshal ${value} into ${type}`);
    this.value = value;
    this.type = type;
    this.final = final;
  }
}

/** The canonical form of a scalar from its JSON source; undefined stands for the zero value. */
export function readScalar(type: ScalarType, source: string, current: unknown): unknown {
  const kind = kindOf(source[0]!);
  switch (type.scalar) {
    case 'string':
      if (kind === 'null') return current;
      if (kind !== 'string') throw new TypeMismatchError(kind, goTypeName(type));
      return unquote(source);
    case 'bool':
      if (kind === 'null') return current;
      if (kind !== 'bool') throw new TypeMismatchError(kind, goTypeName(type));
      return source === 'true';
    case 'bytes':
      return readBytes(type, source, kind);
    case 'quantity':
      return readQuantity(source);
    case 'intOrString':
      if (kind === 'null') return 0;
      return kind === 'string' ? unquote(source) : integer(source, kind, 'int32', 'int32', true);
    case 'time':
      return kind === 'null' ? undefined : parsed(canonicalTime, ownString(source, kind));
    case 'microTime':
      return kind === 'null' ? undefined : parsed(canonicalMicroTime, ownString(source, kind));
    case 'duration':
      return parsed(canonicalDuration, kind === 'null' ? '' : ownString(source, kind));
    case 'json':
      return kind === 'null' ? current : sortedJson(anyValue(source));
    case 'raw':
    case 'fieldsV1':
    case 'unknown':
      return kind === 'null' ? current : anyValue(source);
    default:
      if (kind === 'null') return current;
      return readNumber(type, source, kind);
  }
}

function readNumber(type: ScalarType, source: string, kind: string): unknown {
  const { scalar } = type;
  if (!isNumeric(scalar) || kind !== 'number') throw new TypeMismatchError(kind, goTypeName(type));
  if (scalar !== 'float32' && scalar !== 'float64') return integer(source, kind, scalar as IntegerName, goTypeName(type), false);
  const value = scalar === 'float32' ? parseFloat32(source) : parseFloat64(source);
  if (value === undefined) throw new TypeMismatchError(`number ${source}`, goTypeName(type));
  return value;
}

function integer(source: string, kind: string, name: IntegerName, typeName: string, final: boolean): number | bigint {
  if (kind !== 'number') throw new TypeMismatchError(kind, typeName, final);
  const value = parseInteger(source, name);
  if (value === undefined) throw new TypeMismatchError(`number ${source}`, typeName, final);
  return value;
}

/** []byte is base64, or a list of numbers as any other slice. */
function readBytes(type: ScalarType, source: string, kind: string): string | undefined {
  if (kind === 'null') return undefined;
  if (kind === 'array') {
    const cursor = new Cursor(source);
    const bytes: number[] = [];
    if (cursor.enter()) {
      do {
        const literal = cursor.skip();
        bytes.push(literal === 'null' ? 0 : Number(integer(literal, kindOf(literal[0]!), 'uint8', 'uint8', false)));
      } while (cursor.next());
    }
    return Buffer.from(bytes).toString('base64');
  }
  if (kind !== 'string') throw new TypeMismatchError(kind, goTypeName(type));
  return canonicalBase64(unquote(source));
}

/** A quantity is read from the source itself: numbers need no quotes, and escapes are not undone. */
function readQuantity(source: string): string | undefined {
  if (source === 'null') return undefined;
  const quoted = source.length >= 2 && source.startsWith('"') && source.endsWith('"');
  return parsed(canonicalQuantity, (quoted ? source.slice(1, -1) : source).trim());
}

/** The canonical text, or a decoding error with the parser's words. */
export function parsed<Result>(parse: (text: string) => Result, text: string): Result {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new DecodeError(error.message, { cause: error });
  }
}

function ownString(source: string, kind: string): string {
  if (kind !== 'string') throw new TypeMismatchError(kind, 'string', true);
  return unquote(source);
}

function unquote(source: string): string {
  return new Cursor(source).string();
}

/** A value that Go keeps as bytes. We keep the value: numbers lose their spelling, and a key given twice its first value. */
function anyValue(source: string): unknown {
  return readsDifferently.test(source) ? exactValue(source) : (JSON.parse(source) as unknown);
}

/** What JSON.parse may read otherwise: numbers, and halves of surrogate pairs. What stands inside a string may match too: that costs time only. */
const readsDifferently = /^-?\d|[[:,\s]-?\d|\\u[dD]|[\ud800-\udfff]/;

function exactValue(source: string): unknown {
  const cursor = new Cursor(source);
  const read = (): unknown => {
    switch (kindOf(cursor.peek())) {
      case 'object': {
        const object: Record<string, unknown> = {};
        if (cursor.enter()) {
          do {
            const key = cursor.key();
            setKey(object, key, read());
          } while (cursor.next());
        }
        return object;
      }
      case 'array': {
        const items: unknown[] = [];
        if (cursor.enter())
          do items.push(read());
          while (cursor.next());
        return items;
      }
      case 'string':
        return cursor.string();
      case 'number': {
        const literal = cursor.literal();
        const number = parseNumber(literal);
        if (number === undefined) throw new DecodeError(`json: cannot unmarshal number ${literal} into Go value of type float64`);
        return number;
      }
      default: {
        const literal = cursor.literal();
        return literal === 'null' ? null : literal === 'true';
      }
    }
  };
  return read();
}
