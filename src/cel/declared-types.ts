// Upstream: k8s.io/apiserver/pkg/cel/types.go

import type { SizeHints } from './cost-estimate.ts';
import type { TypeProvider } from './environment.ts';
import { isReserved } from './escaping.ts';
import type { CelType } from './types.ts';
import { boolType, dynType, listOf, mapOf, stringType, structType } from './types.ts';
import type { Value } from './values.ts';

/**
 * A type of values that come from outside: what the checker sees of it, how large values can get, and how a JSON value becomes
 * one. Schemas of custom resources and the tables of built-in types both produce these.
 */
export interface DeclaredType {
  readonly celType: CelType;
  /** Most elements, properties or characters a value can have. */
  readonly maxElements: number;
  /** Fewest bytes a value takes in JSON. */
  readonly minSerializedSize: number;
  /** For object types: by the name used in expressions. */
  readonly fields?: ReadonlyMap<string, DeclaredType>;
  readonly key?: DeclaredType;
  readonly element?: DeclaredType;
  adapt(json: unknown): Value;
}

/** All object types that can be reached from the roots. */
export function typeProvider(...roots: readonly DeclaredType[]): TypeProvider {
  const structs = new Map<string, DeclaredType>();
  const collect = (type: DeclaredType): void => {
    if (type.fields) {
      if (structs.has(type.celType.name)) return;
      structs.set(type.celType.name, type);
      for (const field of type.fields.values()) collect(field);
    }
    if (type.element) collect(type.element);
  };
  roots.forEach(collect);
  return {
    struct: (name) => structs.get(name)?.celType,
    field: (struct, field) => {
      const fields = structs.get(struct)?.fields;
      // Keywords are also accepted unescaped: self.namespace.
      return (fields?.get(field) ?? (isReserved(field) ? fields?.get(`__${field}__`) : undefined))?.celType;
    },
  };
}

/** Size bounds for paths that start at a variable of a type. Upstream takes every name for that variable, and so do we. */
export function sizeHints(root: DeclaredType): SizeHints {
  return ([, ...path]) => {
    let type: DeclaredType | undefined = root;
    for (const step of path) {
      if (!type) return undefined;
      if (step === '@items' || step === '@values') type = type.element;
      else if (step === '@keys') type = type.key;
      else type = type.fields?.get(step);
    }
    return type && { min: 0, max: type.maxElements };
  };
}

type Adapt = (json: unknown) => Value;

const unadapted: Adapt = (json) => json as Value;

const simple = (celType: CelType, minSerializedSize: number, adapt: Adapt = unadapted): DeclaredType => ({
  celType,
  maxElements: 0,
  minSerializedSize,
  adapt,
});

/** Building blocks for variables whose shape is fixed, such as the admission request. */
export const declared = {
  string: simple(stringType, 2),
  bool: simple(boolType, 4),
  dyn: simple(dynType, 1),
  list: (element: DeclaredType): DeclaredType => ({
    celType: listOf(element.celType),
    maxElements: -1,
    minSerializedSize: 2,
    element,
    adapt: unadapted,
  }),
  map: (element: DeclaredType): DeclaredType => ({
    celType: mapOf(stringType, element.celType),
    maxElements: -1,
    minSerializedSize: 2,
    key: declared.string,
    element,
    adapt: unadapted,
  }),
  object: (name: string, fields: Readonly<Record<string, DeclaredType>>): DeclaredType => ({
    celType: structType(name),
    maxElements: 0,
    minSerializedSize: 2,
    fields: new Map(Object.entries(fields)),
    adapt: unadapted,
  }),
} as const;
