import { compareUtf8 } from '../../machinery/codec/json/go-text.ts';
import type { ScalarName, StructType, Type } from '../../machinery/type-model.ts';
import { isObject, setOwn } from '../json/json-object.ts';
import type { JsonObject } from '../json/json-object.ts';

const opaqueScalars: ReadonlySet<ScalarName> = new Set<ScalarName>(['raw', 'json']);

/** Which types hold values that no schema declared, at any depth. Owns what it has found out: keep one per server. */
export class OpaqueTypes {
  readonly #known = new WeakMap<StructType, boolean>();

  holds(type: StructType): boolean {
    let known = this.#known.get(type);
    if (known === undefined) this.#known.set(type, (known = reachesOpaque(type, new Set())));
    return known;
  }
}

function reachesOpaque(type: Type, seen: Set<Type>): boolean {
  if (seen.has(type)) return false;
  seen.add(type);
  switch (type.kind) {
    case 'scalar':
      return opaqueScalars.has(type.scalar);
    case 'list':
      return reachesOpaque(type.element, seen);
    case 'map':
      return reachesOpaque(type.value, seen);
    case 'struct':
      return type.fields.some((field) => reachesOpaque(field.type, seen));
    case 'variant':
      return reachesOpaque(type.object, seen);
  }
}

/** The value with the keys of every object in order. */
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isObject(value)) return value;
  const result: JsonObject = {};
  for (const name of Object.keys(value).sort(compareUtf8)) setOwn(result, name, sortKeys(value[name]));
  return result;
}
