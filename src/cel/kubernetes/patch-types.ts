// Upstream: k8s.io/apiserver/pkg/cel/mutation/{typeresolver,jsonpatch}.go, k8s.io/apiserver/pkg/cel/mutation/dynamic/objects.go

import { ArrayList, EntryMap } from '../collections.ts';
import type { TypeProvider } from '../environment.ts';
import { equal } from '../equality.ts';
import { CelType, dynType, stringType, structType } from '../types.ts';
import type { Truth, Value } from '../values.ts';
import { CelError, CelList, CelObject, typeOf } from '../values.ts';

const objectTypeName = 'Object';
const jsonPatch = 'JSONPatch';

/** What an apply configuration evaluates to. */
export const objectType = structType(objectTypeName);
/** What a JSON patch is a list of. */
export const jsonPatchType = structType(jsonPatch);

// Upstream knows of every field of a JSONPatch, but only of four what type it has: others take nothing.
const noType = new CelType('struct', '');

/** `Object{...}` and `Object.spec{...}`: any fields, and a name that tells where in the object they belong. */
export class PatchObject extends CelObject {
  readonly type: CelType;
  readonly fields: ReadonlyMap<string, Value>;

  constructor(type: CelType, fields: ReadonlyMap<string, Value>) {
    super();
    this.type = type;
    this.fields = fields;
  }

  override get isZero(): boolean {
    return this.fields.size === 0;
  }

  /** Objects are maps once they are selected, and have no name: a quirk kept. What is not there is null. */
  override get(field: string): Value {
    return unnamed(this.fields.get(field) ?? null);
  }

  override has(field: string): Truth {
    return this.fields.has(field);
  }

  equals(other: Value): Truth {
    if (!(other instanceof PatchObject) || other.type.name !== this.type.name || other.fields.size !== this.fields.size) return false;
    return [...this.fields].every(([name, value]) => {
      const theirs = other.fields.get(name);
      return theirs !== undefined && equal(value, theirs) === true;
    });
  }
}

function unnamed(value: Value): Value {
  if (value instanceof PatchObject) return new EntryMap([...value.fields].map(([name, inner]) => [name, unnamed(inner)]));
  return value instanceof CelList ? new ArrayList([...value].map(unnamed)) : value;
}

type TextField = 'op' | 'path' | 'from';

const isTextField = (name: string): name is TextField => name === 'op' || name === 'path' || name === 'from';

/** `JSONPatch{op: "add", path: "/a", value: 1}`: one operation of a JSON patch. */
export class JsonPatchOperation extends CelObject {
  readonly type = jsonPatchType;
  readonly texts: Readonly<Record<TextField, string>>;
  readonly value: Value | undefined;

  constructor(text: Readonly<Record<TextField, string>>, value: Value | undefined) {
    super();
    this.texts = text;
    this.value = value;
  }

  equals(other: Value): Truth {
    if (!(other instanceof JsonPatchOperation)) return false;
    const { op, path, from } = this.texts;
    if (op !== other.texts.op || path !== other.texts.path || from !== other.texts.from) return false;
    if (this.value === undefined || other.value === undefined) return this.value === other.value;
    return equal(this.value, other.value);
  }

  override get(field: string): Value {
    if (isTextField(field)) return this.texts[field];
    return field === 'value' ? (this.value ?? null) : new CelError(`unsupported indexer: ${field}`);
  }

  override has(field: string): Truth {
    if (isTextField(field)) return this.texts[field] !== '';
    return field === 'value' ? this.value !== undefined : new CelError(`unsupported field: ${field}`);
  }
}

function makeOperation(fields: ReadonlyMap<string, Value>): Value {
  const text = { op: '', path: '', from: '' };
  for (const [name, value] of fields) {
    if (isTextField(name)) {
      if (typeof value !== 'string') return new CelError(`unexpected type ${typeOf(value).name} for JSONPatchType '${name}' field`);
      text[name] = value;
    } else if (name !== 'value') return new CelError(`unexpected JSONPatchType field: ${name}`);
  }
  return new JsonPatchOperation(text, fields.get('value'));
}

const isObject = (name: string): boolean => name === objectTypeName || name.startsWith(`${objectTypeName}.`);

/** Adds the types that the expressions of mutating policies construct to those of a provider. */
export const withPatchTypes = (types: TypeProvider): TypeProvider => ({
  ...types,
  struct(name) {
    if (name === jsonPatch) return jsonPatchType;
    return isObject(name) ? structType(name) : types.struct(name);
  },
  field(struct, field) {
    if (struct !== jsonPatch) return isObject(struct) ? dynType : types.field(struct, field);
    if (isTextField(field)) return stringType;
    return field === 'value' ? dynType : noType;
  },
  construct: (struct, fields) => (struct === jsonPatch ? makeOperation(fields) : new PatchObject(structType(struct), fields)),
});
