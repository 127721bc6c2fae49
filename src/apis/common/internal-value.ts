/**
 * Some messages of upstream show a value of one of its internal types. Those have the fields of the served version in the same order,
 * but no JSON names: Go's names appear, and nothing is left out. Types of metadata are the same inside and outside.
 */
import { longestValue } from '../../machinery/field.ts';
import { isDistinct } from '../../machinery/go-distinctions.ts';
import { plainZeros } from '../../machinery/plain-zeros.ts';
import type { Field, ScalarName, StructType, Type } from '../../machinery/type-model.ts';

const metadataTypes = 'io.k8s.apimachinery.pkg.apis.meta.v1.';

export function internalValue(type: Type, value: unknown): unknown {
  if (value === null || value === undefined) return zeroOf(type);
  switch (type.kind) {
    case 'list':
      return Array.isArray(value) ? value.slice(0, mostShown(type.element)).map((item) => internalValue(type.element, item)) : value;
    case 'map':
      return sortedMap(value as Readonly<Record<string, unknown>>, type.value);
    case 'struct': {
      const members = value as Readonly<Record<string, unknown>>;
      return type.name.startsWith(metadataTypes) ? servedStruct(type, members) : internalStruct(type, members);
    }
    default:
      return value;
  }
}

/** As many items of a list as messages have room for: of a struct all fields are shown, each with its name, a colon, a value and a comma. */
export function mostShown(element: Type): number {
  const shortest = element.kind === 'struct' && !element.name.startsWith(metadataTypes) ? 5 * element.fields.length : 2;
  return Math.ceil(longestValue / shortest);
}

/** The type of a field, by the JSON names that lead to it. */
export function typeAt(type: Type, ...path: readonly string[]): Type {
  let current = type;
  for (const name of path) {
    const field = current.kind === 'struct' ? current.byName.get(name) : undefined;
    if (field === undefined) throw new Error(`${current.kind === 'struct' ? current.name : current.kind} has no field ${name}`);
    current = field.type;
  }
  return current;
}

/** What is there, under the names of the API, in declared order. */
function servedStruct(type: StructType, value: Readonly<Record<string, unknown>>): unknown {
  const present = type.fields.filter(({ name }) => value[name] !== undefined);
  return Object.fromEntries(present.map((field) => [field.name, internalValue(field.type, value[field.name])]));
}

function internalStruct(type: StructType, value: Readonly<Record<string, unknown>>): unknown {
  const goNames = goNamesOf(type);
  return Object.fromEntries(
    type.fields.map((field) => [
      goNames.get(field.name) ?? field.name,
      (value[field.name] ?? null) === null ? absent(field, value) : internalValue(field.type, value[field.name]),
    ]),
  );
}

function goNamesOf(type: StructType): Map<string, string> {
  const names = new Map<string, string>();
  for (const { goName, field, inline } of type.proto) {
    if (!inline) names.set(field.name, goName);
    else if (field.type.kind === 'struct') for (const [name, inner] of goNamesOf(field.type)) names.set(name, inner);
  }
  return names;
}

function absent({ name, pointer, type }: Field, owner: object): unknown {
  // What was given as empty shows as such.
  if (isDistinct(owner, name)) {
    if (type.kind === 'list') return [];
    if (type.kind === 'map') return {};
    if (type.kind === 'scalar' && type.scalar === 'bytes') return '';
  }
  return pointer ? null : zeroOf(type);
}

function zeroOf(type: Type): unknown {
  switch (type.kind) {
    case 'struct':
      return type.name.startsWith(metadataTypes) ? {} : internalStruct(type, {});
    case 'scalar':
      return scalarZeros[type.scalar] ?? null;
    default:
      return null;
  }
}

const scalarZeros: Readonly<Partial<Record<ScalarName, unknown>>> = {
  ...plainZeros,
  quantity: '0',
  intOrString: 0,
};

function sortedMap(map: Readonly<Record<string, unknown>>, type: Type): unknown {
  return Object.fromEntries(
    Object.keys(map)
      .sort()
      .map((key) => [key, internalValue(type, map[key])]),
  );
}
