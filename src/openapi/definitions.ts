// Upstream: k8s.io/kube-openapi/pkg/generators/openapi.go, k8s.io/kube-openapi/pkg/builder3/util.go
import type { Field, GroupVersionKind, ScalarName, StructType, Type } from '../machinery/type-model.ts';
import { publishedDefault } from '../schema/published-default.ts';
import type { Descriptions } from './descriptions.ts';
import { valuesHeading } from './descriptions.ts';
import type { Form, SchemaObject } from './schema-object.ts';
import { reference } from './schema-object.ts';

/** Types that write themselves are definitions of their own. */
const namedScalars: Readonly<Partial<Record<ScalarName, string>>> = {
  quantity: 'io.k8s.apimachinery.pkg.api.resource.Quantity',
  intOrString: 'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
  time: 'io.k8s.apimachinery.pkg.apis.meta.v1.Time',
  microTime: 'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime',
  duration: 'io.k8s.apimachinery.pkg.apis.meta.v1.Duration',
  raw: 'io.k8s.apimachinery.pkg.runtime.RawExtension',
  fieldsV1: 'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1',
  json: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON',
};

const scalars: Readonly<Partial<Record<ScalarName, SchemaObject>>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  uint32: { type: 'integer', format: 'int64' },
  uint64: { type: 'integer', format: 'int64' },
  float32: { type: 'number', format: 'float' },
  float64: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
  quantity: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  intOrString: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
  time: { type: 'string', format: 'date-time' },
  microTime: { type: 'string', format: 'date-time' },
  duration: { type: 'string' },
  raw: { type: 'object' },
  fieldsV1: { type: 'object' },
  json: {},
};

const scalarsOfV2: Readonly<Partial<Record<ScalarName, SchemaObject>>> = {
  quantity: { type: 'string' },
  intOrString: { type: 'string', format: 'int-or-string' },
};

/** A body of any patch. */
const patchType = 'io.k8s.apimachinery.pkg.apis.meta.v1.Patch';

/** Built-in types as schemas, in one of the two forms. */
export interface DefinitionSource {
  readonly form: Form;
  readonly descriptions: Descriptions;
  /** whether declared values are shown (feature gate OpenAPIEnums) */
  readonly enums: boolean;
  structByName(name: string): StructType | undefined;
  /** the kinds that a type stands for */
  kindsOf(type: string): readonly GroupVersionKind[];
}

/** The definitions that `roots` need, themselves included, one at a time; each name once, those in `found` not at all. */
export function* collectDefinitions(
  roots: Iterable<string>,
  source: DefinitionSource,
  found: Set<string>,
): Generator<readonly [name: string, SchemaObject]> {
  const pending = [...roots];
  const structs = new Map<string, Type>();
  const need = (name: string, type?: Type): void => {
    if (found.has(name)) return;
    if (type !== undefined) structs.set(name, type);
    pending.push(name);
  };
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    yield [name, definition(name, structs.get(name), source, need)];
  }
}

type Need = (name: string, type?: Type) => void;

function definition(name: string, known: Type | undefined, source: DefinitionSource, need: Need): SchemaObject {
  const description = source.descriptions.ofType(name);
  const prose = description === undefined ? {} : { description };
  const kinds = source.kindsOf(name);
  const standsFor = kinds.length === 0 ? {} : { 'x-kubernetes-group-version-kind': kinds };
  if (name === patchType) return { ...prose, type: 'object' };
  const scalar = (Object.keys(namedScalars) as ScalarName[]).find((one) => namedScalars[one] === name);
  if (scalar !== undefined) return { ...prose, ...scalarSchema(scalar, source.form) };
  const type = known ?? source.structByName(name);
  if (type === undefined) throw new Error(`no type ${name}`);
  if (type.kind === 'struct') return { ...prose, ...structSchema(type, source, need), ...standsFor };
  return prose; // one of several shapes: nothing can be said of it
}

function structSchema(struct: StructType, source: DefinitionSource, need: Need): SchemaObject {
  const required = struct.fields.filter((field) => field.required).map(({ name }) => name);
  const properties: Record<string, SchemaObject> = {};
  for (const field of struct.fields.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    properties[field.name] = property(field, describe(struct.name, field, source), source, need);
  }
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    ...(struct.fields.length > 0 && { properties }),
    ...(struct.mapType !== undefined && { 'x-kubernetes-map-type': struct.mapType }),
    ...(struct.unions !== undefined && { 'x-kubernetes-unions': struct.unions.map(unionSchema) }),
  };
}

/** Of declared values upstream tells after the field's own words; their names alone where they have no description. */
function describe(struct: string, { name, type }: Field, { descriptions, enums }: DefinitionSource): string | undefined {
  const own = descriptions.ofField(struct, name);
  if (own === undefined || !enums) return own;
  const values = descriptions.ofValues(struct, name);
  if (values !== undefined || type.kind !== 'scalar' || type.enum === undefined) return own + (values ?? '');
  return `${own}\n\n${valuesHeading}${type.enum.map((value) => `\n - \`${JSON.stringify(value)}\``).join('')}`;
}

function unionSchema({ discriminator, members, values }: NonNullable<StructType['unions']>[number]): object {
  return {
    ...(discriminator !== undefined && { discriminator }),
    'fields-to-discriminateBy': Object.fromEntries(members.map((member, index) => [member, values?.[index] ?? member]).sort()),
  };
}

function property(field: Field, description: string | undefined, source: DefinitionSource, need: Need): SchemaObject {
  const bare = typeSchema(field.type, source, need);
  const shown = source.form === 'v3' ? publishedDefault(field) : undefined;
  const prose = description === undefined ? {} : { description };
  const preset = shown === undefined ? {} : { default: shown };
  const extensions = extensionsOf(field);
  if (bare.$ref === undefined) {
    const { type, format, ...rest } = bare;
    return { ...prose, ...(type !== undefined && { type }), ...(format !== undefined && { format }), ...preset, ...rest, ...extensions };
  }
  if (source.form === 'v2') return { ...prose, ...bare, ...extensions };
  // OpenAPI 3 allows nothing beside a reference.
  const alone = description === undefined && shown === undefined && Object.keys(extensions).length === 0;
  return alone ? bare : { ...prose, ...preset, allOf: [bare], ...extensions };
}

function extensionsOf(field: Field): SchemaObject {
  return {
    ...(field.listMapKeys !== undefined && { 'x-kubernetes-list-map-keys': field.listMapKeys }),
    ...(field.listType !== undefined && { 'x-kubernetes-list-type': field.listType }),
    ...(field.mapType !== undefined && { 'x-kubernetes-map-type': field.mapType }),
    ...(field.patchMergeKey !== undefined && { 'x-kubernetes-patch-merge-key': field.patchMergeKey }),
    ...(field.patchStrategy !== undefined && { 'x-kubernetes-patch-strategy': field.patchStrategy.join(',') }),
  };
}

function typeSchema(type: Type, source: DefinitionSource, need: Need): SchemaObject {
  const { form, enums } = source;
  switch (type.kind) {
    case 'scalar': {
      const name = namedScalars[type.scalar];
      if (name === undefined) return { ...scalarSchema(type.scalar, form), ...(enums && type.enum !== undefined && { enum: type.enum }) };
      need(name);
      return reference(form, name);
    }
    case 'list':
      return { type: 'array', items: typeSchema(type.element, source, need) };
    case 'map':
      return { type: 'object', additionalProperties: typeSchema(type.value, source, need) };
    default:
      need(type.name, type);
      return reference(form, type.name);
  }
}

function scalarSchema(scalar: ScalarName, form: Form): SchemaObject {
  return (form === 'v2' ? scalarsOfV2[scalar] : undefined) ?? scalars[scalar] ?? {};
}
