import { readdirSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { join } from 'node:path';
import type { StructType, Type } from '../../src/machinery/type-model.ts';
import { publishedDefault } from '../../src/schema/published-default.ts';
import type { Schema } from '../../src/schema/index.ts';

interface OpenApiSchema {
  readonly type?: string;
  readonly format?: string;
  readonly default?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly items?: OpenApiSchema;
  readonly additionalProperties?: OpenApiSchema;
  readonly allOf?: readonly OpenApiSchema[];
  readonly $ref?: string;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-patch-merge-key'?: string;
  readonly 'x-kubernetes-unions'?: readonly unknown[];
}

/** How OpenAPI shows a scalar: type and format, or the name of the definition it refers to. */
const scalarForms: Readonly<Record<string, string>> = {
  string: 'string',
  bool: 'boolean',
  int32: 'integer/int32',
  int64: 'integer/int64',
  float64: 'number/double',
  bytes: 'string/byte',
  quantity: '#io.k8s.apimachinery.pkg.api.resource.Quantity',
  intOrString: '#io.k8s.apimachinery.pkg.util.intstr.IntOrString',
  time: '#io.k8s.apimachinery.pkg.apis.meta.v1.Time',
  microTime: '#io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime',
  raw: '#io.k8s.apimachinery.pkg.runtime.RawExtension',
  fieldsV1: '#io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1',
  json: '#io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON',
};

/** Compares the tables with the published OpenAPI documents; gives a line for every difference. */
export function compareWithOpenApi(
  schema: Schema,
  kubernetes: string,
): { readonly compared: number; readonly differences: readonly string[] } {
  const directory = join(kubernetes, 'api/openapi-spec/v3');
  const seen = new Set<string>();
  const differences: string[] = [];
  for (const file of readdirSync(directory).toSorted()) {
    const document = JSON.parse(readFileSync(join(directory, file), 'utf8')) as {
      components?: { schemas?: Record<string, OpenApiSchema> };
    };
    for (const [name, published] of Object.entries(document.components?.schemas ?? {})) {
      if (seen.has(name) || published.properties === undefined) continue;
      seen.add(name);
      const type = schema.structByName(name);
      if (type === undefined) differences.push(`${name}: not in the tables`);
      else differences.push(...compareStruct(type, published));
    }
  }
  return { compared: seen.size, differences };
}

function compareStruct(type: StructType, published: OpenApiSchema): string[] {
  const found: string[] = [];
  const check = (what: string, ours: unknown, theirs: unknown): void => {
    if (!isDeepStrictEqual(ours, theirs))
      found.push(`${type.name} ${what}: ${JSON.stringify(ours)} but published ${JSON.stringify(theirs)}`);
  };
  const properties = published.properties ?? {};
  check('fields', [...type.byName.keys()].toSorted(), Object.keys(properties).toSorted());
  const required = type.fields.filter((field) => field.required).map(({ name }) => name);
  check('required', required.toSorted(), [...(published.required ?? [])].toSorted());
  check('map type', type.mapType, published['x-kubernetes-map-type']);
  check('unions', unionsOf(type), published['x-kubernetes-unions']);
  for (const field of type.fields) {
    const property = properties[field.name];
    if (property === undefined) continue;
    const at = `.${field.name}`;
    check(`${at} type`, formOf(field.type), publishedForm(property));
    check(`${at} default`, publishedDefault(field), property.default);
    check(`${at} list type`, field.listType, property['x-kubernetes-list-type']);
    check(`${at} list map keys`, field.listMapKeys, property['x-kubernetes-list-map-keys']);
    check(`${at} map type`, field.mapType, property['x-kubernetes-map-type']);
    check(`${at} patch strategy`, field.patchStrategy?.join(','), property['x-kubernetes-patch-strategy']);
    check(`${at} patch merge key`, field.patchMergeKey, property['x-kubernetes-patch-merge-key']);
  }
  return found;
}

function unionsOf(type: StructType): unknown[] | undefined {
  return type.unions?.map(({ discriminator, members, values }: NonNullable<StructType['unions']>[number]) => ({
    ...(discriminator !== undefined && { discriminator }),
    'fields-to-discriminateBy': Object.fromEntries(members.map((member, i) => [member, values?.[i]])),
  }));
}

function formOf(type: Type): string {
  switch (type.kind) {
    case 'scalar':
      return scalarForms[type.scalar] ?? type.scalar;
    case 'list':
      return `[]${formOf(type.element)}`;
    case 'map':
      return `{}${formOf(type.value)}`;
    default:
      return `#${type.name}`;
  }
}

function publishedForm(schema: OpenApiSchema): string {
  const reference = schema.$ref ?? schema.allOf?.[0]?.$ref;
  if (reference !== undefined) return `#${reference.slice(reference.lastIndexOf('/') + 1)}`;
  if (schema.items !== undefined) return `[]${publishedForm(schema.items)}`;
  if (schema.additionalProperties !== undefined) return `{}${publishedForm(schema.additionalProperties)}`;
  return schema.format === undefined ? (schema.type ?? 'any') : `${schema.type}/${schema.format}`;
}
