// Upstream: k8s.io/apimachinery/pkg/util/strategicpatch/meta.go, k8s.io/apimachinery/third_party/forked/golang/json/fields.go
import { goQuote } from '../../machinery/go-format.ts';
import type { Field, ScalarName, Type } from '../../machinery/type-model.ts';

/** How a field takes a patch. */
export interface PatchMeta {
  /** of the field's value, or of its elements where it is a list */
  readonly type: Type;
  readonly strategy: 'merge' | 'replace' | '';
  readonly mergeKey: string;
}

export function metaOfObject(type: Type, name: string): PatchMeta {
  const field = lookup(type, name);
  return meta(field, field.type);
}

export function metaOfList(type: Type, name: string): PatchMeta {
  const field = lookup(type, name);
  if (field.type.kind === 'list') {
    if (field.type.element.kind === 'list') throw new Error('unexpected slice of slice');
    return meta(field, field.type.element);
  }
  if (field.pointer) return meta(field, field.type);
  throw new Error(`expected slice or array type, but got: ${kindName(type)}`);
}

function meta(field: Field, type: Type): PatchMeta {
  const strategy = field.patchStrategy?.find((name) => name !== 'retainKeys') ?? '';
  return { type, strategy, mergeKey: field.patchMergeKey ?? '' };
}

/** A field by name; as Go's decoder does, in any case of its letters if none has exactly that name. */
function lookup(type: Type, name: string): Field {
  const writesItself = type.kind === 'scalar' ? structNames[type.scalar] : undefined;
  if (writesItself !== undefined) throw noField(writesItself, name);
  if (type.kind !== 'struct') {
    throw new Error(`merging an object in json but data type is not struct, instead is: ${kindName(type)}`);
  }
  const exact = type.byName.get(name);
  if (exact !== undefined) return exact;
  const folded = name.toLowerCase();
  const field = type.fields.find((candidate) => candidate.name.toLowerCase() === folded);
  if (field !== undefined) return field;
  throw noField(type.name.slice(type.name.lastIndexOf('.') + 1), name);
}

/** Scalars that are structs in Go, without a field that JSON could name. */
const structNames: Readonly<Partial<Record<ScalarName, string>>> = {
  duration: 'Duration',
  fieldsV1: 'FieldsV1',
  intOrString: 'IntOrString',
  json: 'JSON',
  microTime: 'MicroTime',
  quantity: 'Quantity',
  raw: 'RawExtension',
  time: 'Time',
};

function noField(struct: string, name: string): Error {
  return new Error(`unable to find api field in struct ${struct} for the json field ${goQuote(name)}`);
}

/** The kind of a Go type, as reflection names it. */
export function kindName(type: Type): string {
  switch (type.kind) {
    case 'struct':
    case 'variant':
      return 'struct';
    case 'map':
      return 'map';
    case 'list':
      return 'slice';
    case 'scalar':
      switch (type.scalar) {
        case 'string':
        case 'bool':
        case 'int32':
        case 'int64':
        case 'uint32':
        case 'uint64':
        case 'float32':
        case 'float64':
          return type.scalar;
        case 'bytes':
          return 'slice';
        case 'unknown':
          return 'interface';
        default:
          return 'struct';
      }
  }
}
