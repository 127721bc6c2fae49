// Upstream: k8s.io/apimachinery/pkg/runtime/serializer/json/json.go
// Strict decoding of configuration files.
import { parseDuration } from './duration.ts';
import { goQuote } from './go-format.ts';

/** What a configuration file may hold where the schema has no type for it. The name in Go is only for messages. */
export type Shape =
  | 'string'
  | 'bool'
  | 'int32'
  | 'duration'
  | { readonly list: Shape }
  | { readonly name: string; readonly fields: Readonly<Record<string, Shape>> };

interface Place {
  readonly typeName: string;
  /** as type errors show it: without indexes */
  readonly dotted: string;
  /** as unknown fields show it: with indexes */
  readonly indexed: string;
}

/** Fields that the shape does not have, as messages. Throws for a value of the wrong type. */
export function unknownFields(value: unknown, shape: Shape): string[] {
  const unknown: string[] = [];
  check(value, shape, { typeName: '', dotted: '', indexed: '' }, unknown);
  return unknown;
}

function check(value: unknown, shape: Shape, place: Place, unknown: string[]): void {
  if (value === null || value === undefined) return;
  if (typeof shape === 'string') return checkScalar(value, shape, place);
  if ('list' in shape) {
    if (!Array.isArray(value)) throw mismatch(value, place, goListType(shape.list));
    value.forEach((item, i) => check(item, shape.list, { ...place, indexed: `${place.indexed}[${i}]` }, unknown));
    return;
  }
  if (typeof value !== 'object' || Array.isArray(value)) throw mismatch(value, place, `v1.${shape.name}`);
  for (const [name, child] of Object.entries(value)) {
    const join = (path: string): string => (path === '' ? name : `${path}.${name}`);
    const childPlace = { typeName: shape.name, dotted: join(place.dotted), indexed: join(place.indexed) };
    const childShape = Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined;
    if (childShape === undefined) unknown.push(`unknown field ${goQuote(childPlace.indexed)}`);
    else check(child, childShape, childPlace, unknown);
  }
}

function checkScalar(value: unknown, shape: Extract<Shape, string>, place: Place): void {
  if (shape === 'bool') {
    if (typeof value !== 'boolean') throw mismatch(value, place, 'bool');
  } else if (shape === 'int32') {
    if (!Number.isInteger(value)) throw mismatch(value, place, 'int32');
  } else {
    if (typeof value !== 'string') throw mismatch(value, place, 'string');
    if (shape === 'duration') parseDuration(value);
  }
}

function mismatch(value: unknown, { typeName, dotted }: Place, goType: string): Error {
  return new Error(`json: cannot unmarshal ${jsonType(value)} into Go struct field ${typeName}.${dotted} of type ${goType}`);
}

function goListType(item: Shape): string {
  return typeof item === 'object' && 'name' in item ? `[]v1.${item.name}` : '[]string';
}

function jsonType(value: unknown): string {
  if (typeof value === 'boolean') return 'bool';
  return Array.isArray(value) ? 'array' : typeof value;
}
