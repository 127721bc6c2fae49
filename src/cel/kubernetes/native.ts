// Upstream: k8s.io/apiserver/pkg/cel/mutation/dynamic/objects.go, github.com/google/cel-go/common/types#ConvertToNative
// To structpb.Value.
import { showTimestamp } from '../time.ts';
import type { Value } from '../values.ts';
import { CelError, CelList, CelMap, Double, Duration, Timestamp, Uint, typeOf } from '../values.ts';
import { PatchObject } from './patch-types.ts';

/** The JSON that an expression has constructed; a CelError where it is none. */
export function nativeJson(value: Value): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof PatchObject) return nativeFields(value.fields);
  if (value instanceof CelList) return nativeItems(value);
  if (value instanceof CelMap) return nativeFields(entries(value));
  if (value instanceof Double) return value.value;
  if (value instanceof Uint) return Number(value.value);
  if (value instanceof Timestamp) return showTimestamp(value);
  if (value instanceof Duration) return `${Number(value.nanos) / 1e9}s`;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return value instanceof CelError ? value : new CelError(`type conversion error from '${typeOf(value).name}' to 'google.protobuf.Value'`);
}

/** Objects that are constructed below others must be named after the fields that they stand in: what is wrong with these names. */
export function misnamedObjects(value: Value, path?: string): string[] {
  if (value instanceof PatchObject) {
    const { name } = value.type;
    const expected = path ?? name;
    const own =
      expected === name
        ? []
        : [`unexpected type name "${name}", expected "${expected}", which matches field name path from root Object type`];
    return [...own, ...[...value.fields].flatMap(([field, inner]) => misnamedObjects(inner, `${expected}.${field}`))];
  }
  if (value instanceof CelList) return [...value].flatMap((item) => misnamedObjects(item, path));
  return value instanceof CelMap ? [...entries(value)].flatMap(([, inner]) => misnamedObjects(inner, path)) : [];
}

function* entries(map: CelMap): Generator<readonly [Value, Value]> {
  for (const key of map.keys()) yield [key, map.find(key) ?? null];
}

function nativeItems(list: CelList): unknown {
  const items: unknown[] = [];
  for (const item of list) {
    const converted = nativeJson(item);
    if (converted instanceof CelError) return converted;
    items.push(converted);
  }
  return items;
}

function nativeFields(fields: Iterable<readonly [Value, Value]>): unknown {
  const object: Record<string, unknown> = {};
  for (const [key, value] of fields) {
    if (typeof key !== 'string') return new CelError(`map key "${String(key)}" is of type types.${typeOf(key).name}, not string`);
    const converted = nativeJson(value);
    if (converted instanceof CelError) return converted;
    // `__proto__` is a name like any other
    Object.defineProperty(object, key, { value: converted, enumerable: true, writable: true, configurable: true });
  }
  return object;
}
