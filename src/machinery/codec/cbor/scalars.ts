// Upstream: k8s.io/apimachinery/pkg/api/resource/quantity.go#UnmarshalCBOR, k8s.io/apimachinery/pkg/apis/meta/v1/{time,micro_time,helpers}.go#UnmarshalCBOR
// Upstream: k8s.io/apimachinery/pkg/util/intstr/intstr.go#UnmarshalCBOR, k8s.io/apimachinery/pkg/runtime/extension.go#UnmarshalCBOR
import { canonicalQuantity } from '../../quantity.ts';
import { canonicalDuration, canonicalMicroTime, canonicalTime } from '../../time.ts';
import type { ScalarName, Type } from '../../type-model.ts';
import { DecodeError } from '../decode-error.ts';
import { parsed } from '../json/scalars.ts';
import type { CborReader } from './reader.ts';

const string: Type = Object.freeze({ kind: 'scalar', scalar: 'string' });
const int32: Type = Object.freeze({ kind: 'scalar', scalar: 'int32' });

/** The value of a type that decodes itself; undefined for all other types. */
export function readCborScalar(name: ScalarName, reader: CborReader): { readonly value: unknown } | undefined {
  switch (name) {
    case 'quantity':
      return { value: optional(text(reader), (value) => parsed(canonicalQuantity, value.trim())) };
    case 'time':
      return { value: optional(text(reader), (value) => parsed(canonicalTime, value)) };
    case 'microTime':
      return { value: optional(text(reader), (value) => parsed(canonicalMicroTime, value)) };
    case 'duration':
      return { value: duration(reader.fork().decodeAny()) };
    case 'intOrString':
      return { value: intOrString(reader) };
    case 'raw':
    case 'json':
    case 'fieldsV1':
      return { value: reader.fork().decodeAny() ?? undefined };
    default:
      return undefined;
  }
}

function text(reader: CborReader): string | undefined {
  return reader.fork().decode(string) as string | undefined;
}

function optional(value: string | undefined, read: (text: string) => unknown): unknown {
  return value === undefined ? undefined : read(value);
}

/** This one has no CBOR form of its own and goes through JSON. */
function duration(value: unknown): string {
  if (value !== null && typeof value !== 'string') {
    const kind = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value === 'object' ? 'object' : 'number';
    throw new DecodeError(`json: cannot unmarshal ${kind} into Go value of type string`);
  }
  return parsed(canonicalDuration, value ?? '');
}

/** Whatever can be read as a string is one, null included. */
function intOrString(reader: CborReader): unknown {
  const item = reader.fork();
  const again = item.copy();
  try {
    return item.decode(string) ?? '';
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return again.decode(int32);
  }
}
