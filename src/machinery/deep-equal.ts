// Upstream: k8s.io/apimachinery/third_party/forked/golang/reflect/deep_equal.go#DeepEqual, k8s.io/apimachinery/pkg/api/equality/semantic.go#Semantic
import type { Type } from './type-model.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** Equality of canonical JSON values: keys in any order, an undefined member equals an absent one. */
export function deepEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left)) {
    return Array.isArray(right) && left.length === right.length && left.every((item, index) => deepEqual(item, right[index]));
  }
  if (!isObject(left) || !isObject(right) || Array.isArray(right)) return false;
  for (const key in left) if (!deepEqual(left[key], right[key])) return false;
  for (const key in right) if (left[key] === undefined && right[key] !== undefined) return false;
  return true;
}

/**
 * Upstream's semantic equality: as deepEqual, but an empty list or map equals an absent one. An empty struct behind a pointer does not;
 * telling the two apart takes the type. Without it every `{}` counts as a struct: decoding leaves empty maps out.
 */
export function semanticDeepEqual(left: unknown, right: unknown, type?: Type): boolean {
  if (left === right || (isNothing(left, type) && isNothing(right, type))) return true;
  if (Array.isArray(left)) {
    const element = type?.kind === 'list' ? type.element : undefined;
    if (!Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item, index) => semanticDeepEqual(item, right[index], element));
  }
  if (!isObject(left) || !isObject(right) || Array.isArray(right)) return false;
  for (const key in left) if (!semanticDeepEqual(left[key], right[key], memberType(type, key))) return false;
  for (const key in right) if (left[key] === undefined && !semanticDeepEqual(undefined, right[key], memberType(type, key))) return false;
  return true;
}

function memberType(type: Type | undefined, key: string): Type | undefined {
  if (type?.kind === 'struct') return type.byName.get(key)?.type;
  return type?.kind === 'map' ? type.value : undefined;
}

function isNothing(value: unknown, type: Type | undefined): boolean {
  if (value === null || value === undefined) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && type?.kind === 'map' && isEmpty(value);
}

function isEmpty(object: JsonObject): boolean {
  for (const key in object) if (object[key] !== undefined) return false;
  return true;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null;
}
