// Upstream: k8s.io/kube-openapi/pkg/schemaconv/{smd,openapi}.go, sigs.k8s.io/structured-merge-diff/v6/schema/elements.go
import type { Field, ListType, ScalarType, StructType, Type } from '../../machinery/type-model.ts';
import { publishedDefault } from '../../schema/published-default.ts';
import { compareStrings } from './path-element.ts';

/**
 * How a value merges: which of scalar, list and map it may be, and what each means. Most types allow one of them; values that no schema
 * declared allow all three.
 */
export interface Shape {
  readonly scalar?: ScalarShape;
  readonly list?: ListShape;
  readonly map?: MapShape;
}

export type ScalarShape = 'string' | 'numeric' | 'boolean' | 'untyped';

export interface ListShape {
  readonly atomic: boolean;
  readonly element: Shape;
  /** of a list-map, in declared order; a list that is neither atomic nor has keys is a set */
  readonly keys: readonly string[];
  /** the same by name, with the default that stands in for an absent key */
  readonly sortedKeys: readonly ListKey[];
}

export interface ListKey {
  readonly name: string;
  readonly default: unknown;
  /** may be absent from an item, with no default to take its place */
  readonly optional: boolean;
  /** `"name":`, as it stands in an element */
  readonly prefix: string;
}

export interface MapShape {
  readonly atomic: boolean;
  /** declared fields by name; undefined for a map */
  readonly fields: ReadonlyMap<string, FieldShape> | undefined;
  /** the same in the order of their names */
  readonly ordered: readonly FieldShape[];
  /** shapes of declared fields by path element */
  readonly byElement: ReadonlyMap<string, Shape>;
  /** of keys that are not declared; undefined where there may be none */
  readonly element: Shape | undefined;
}

export interface FieldShape {
  readonly name: string;
  /** `f:name` */
  readonly element: string;
  readonly shape: Shape;
  readonly default: unknown;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A value of unknown type below an atomic one. */
export const untypedAtomicShape: Shape = untypedAtomic();
/** A value whose shape is what it happens to be: maps merge key by key, lists are atomic. For custom resources without a schema. */
export const deducedShape: Shape = deduced();

const stringShape: Shape = { scalar: 'string' };
const numeric: Shape = { scalar: 'numeric' };
const booleanShape: Shape = { scalar: 'boolean' };
const untyped: Shape = { scalar: 'untyped' };
/** An OpenAPI schema that names no type: any scalar, atomic lists, maps that merge. */
const anyShape: Shape = { scalar: 'untyped', list: deducedShape.list!, map: deducedShape.map! };
const freeForm: Shape = { map: deducedShape.map! };

function untypedAtomic(): Shape {
  const shape: Mutable<Shape> = { scalar: 'untyped' };
  shape.list = { atomic: true, element: shape, keys: [], sortedKeys: [] };
  shape.map = { atomic: true, fields: undefined, ordered: [], byElement: new Map(), element: shape };
  return shape;
}

function deduced(): Shape {
  const shape: Mutable<Shape> = { scalar: 'untyped' };
  shape.list = { atomic: true, element: untypedAtomicShape, keys: [], sortedKeys: [] };
  shape.map = { atomic: false, fields: undefined, ordered: [], byElement: new Map(), element: shape };
  return shape;
}

const scalars: Readonly<Record<ScalarType['scalar'], Shape>> = {
  string: stringShape,
  bool: booleanShape,
  int32: numeric,
  int64: numeric,
  uint32: numeric,
  uint64: numeric,
  float32: numeric,
  float64: numeric,
  bytes: stringShape,
  duration: stringShape,
  quantity: untyped,
  time: untyped,
  microTime: untyped,
  intOrString: anyShape,
  raw: untypedAtomicShape,
  fieldsV1: freeForm,
  json: anyShape,
  unknown: anyShape,
};

interface Variants {
  plain?: Shape;
  atomic?: Shape;
  granular?: Shape;
  preserving?: Shape;
}

/** Shapes of types, each made once. Owned by the server. */
export class Shapes {
  readonly #structs = new WeakMap<StructType, Variants>();

  of(type: Type): Shape {
    return this.#shape(type, undefined, false);
  }

  #shape(type: Type, field: Field | undefined, preserve: boolean): Shape {
    switch (type.kind) {
      case 'scalar':
        return scalars[type.scalar];
      case 'list':
        return { list: this.#list(type, field, preserve) };
      case 'map':
        return {
          map: {
            atomic: (field?.mapType ?? type.mapType) === 'atomic',
            fields: undefined,
            ordered: [],
            byElement: new Map(),
            element: this.#shape(type.value, undefined, preserve),
          },
        };
      case 'struct':
        return this.#struct(type, field?.mapType, preserve);
      case 'variant':
        return anyShape;
    }
  }

  #struct(type: StructType, override: Field['mapType'], inherited: boolean): Shape {
    let variants = this.#structs.get(type);
    if (variants === undefined) this.#structs.set(type, (variants = {}));
    const preserve = inherited || type.preserveUnknown === true;
    const variant = preserve && !type.preserveUnknown ? 'preserving' : (override ?? 'plain');
    const known = variants[variant];
    if (known !== undefined) return known;
    // Registered before its fields are looked at: types refer to themselves.
    const shape: Mutable<Shape> = {};
    variants[variant] = shape;
    const fields = new Map<string, FieldShape>();
    const atomic = override === undefined ? type.atomic === true : override === 'atomic';
    const ordered: FieldShape[] = [];
    const byElement = new Map<string, Shape>();
    shape.map = {
      atomic,
      fields: type.fields.length === 0 && preserve ? undefined : fields,
      ordered,
      byElement,
      // An object that declares neither properties nor what else it may hold is free-form.
      element: preserve || type.fields.length === 0 ? deducedShape : undefined,
    };
    for (const field of type.fields) {
      const entry = {
        name: field.name,
        element: `f:${field.name}`,
        shape: this.#shape(field.type, field, preserve),
        default: field.default,
      };
      fields.set(field.name, entry);
      ordered.push(entry);
      byElement.set(entry.element, entry.shape);
    }
    ordered.sort((a, b) => compareStrings(a.name, b.name));
    return shape;
  }

  #list(type: ListType, field: Field | undefined, preserve: boolean): ListShape {
    const { element } = type;
    const { atomic, keys } = listRelationship(type, field);
    const sortedKeys = [...keys].sort(compareStrings).map((name) => {
      const key = element.kind === 'struct' ? element.byName.get(name) : undefined;
      const standIn = key && publishedDefault(key);
      return { name, default: standIn, optional: standIn === undefined, prefix: `${JSON.stringify(name)}:` };
    });
    return { atomic, keys, sortedKeys, element: this.#shape(element, undefined, preserve) };
  }
}

/** The list type decides; where none is declared, the merge key of strategic merge patch does. */
function listRelationship(type: ListType, field: Field | undefined): { atomic: boolean; keys: readonly string[] } {
  const { listType, listMapKeys = [] } = field?.listType === undefined ? type : field;
  if (listType !== undefined) return { atomic: listType === 'atomic', keys: listType === 'map' ? listMapKeys : [] };
  const merges = field?.patchStrategy?.includes('merge') === true;
  return { atomic: !merges, keys: merges && field.patchMergeKey !== undefined ? [field.patchMergeKey] : [] };
}

/** The map keeps undeclared content only, so that nothing about it can have been declared atomic or not. */
export function isDeducedMap(map: MapShape): boolean {
  return map.element === deducedShape && map.fields === undefined;
}

export function fieldShape(map: MapShape, name: string): Shape | undefined {
  return map.fields?.get(name)?.shape ?? map.element;
}
