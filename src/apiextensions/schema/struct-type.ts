// Upstream: k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder/builder.go, k8s.io/kube-openapi/pkg/schemaconv/openapi.go
import type { Field, ScalarName, ScalarType, StructType, Type } from '../../machinery/type-model.ts';
import type { JSONSchemaProps } from '../../schema/types/apiextensions-v1.ts';

const scalar = (name: ScalarName): ScalarType => Object.freeze({ kind: 'scalar', scalar: name });
const unknownValue = scalar('unknown');
const text = scalar('string');

const scalars: Readonly<Record<string, ScalarType>> = {
  string: text,
  integer: scalar('int64'),
  number: scalar('float64'),
  boolean: scalar('bool'),
};

/** The type of a custom resource as server-side apply sees it; without a schema nothing is known but the metadata. */
export function structTypeOf(
  name: string,
  schema: JSONSchemaProps | undefined,
  preserveUnknown: boolean,
  objectMeta: StructType,
): StructType {
  if (schema === undefined) return struct(name, implied(objectMeta), { preserveUnknown: true });
  return new Builder(objectMeta, preserveUnknown).root(name, schema);
}

class Builder {
  readonly #objectMeta: StructType;
  readonly #preserve: boolean;

  constructor(objectMeta: StructType, preserve: boolean) {
    this.#objectMeta = objectMeta;
    this.#preserve = preserve;
  }

  root(name: string, schema: JSONSchemaProps): StructType {
    return this.#struct(name, schema, true);
  }

  #type(name: string, schema: JSONSchemaProps): Type {
    if (schema['x-kubernetes-int-or-string'] === true) return unknownValue;
    switch (schema.type) {
      case 'object':
        return this.#objectType(name, schema);
      case 'array': {
        const { items, 'x-kubernetes-list-type': listType, 'x-kubernetes-list-map-keys': listMapKeys } = schema;
        return {
          kind: 'list',
          element: items && !Array.isArray(items) ? this.#type(`${name}[]`, items) : unknownValue,
          ...(isListType(listType) && { listType }),
          ...(listMapKeys !== undefined && { listMapKeys }),
        };
      }
      default:
        return scalars[schema.type ?? ''] ?? unknownValue;
    }
  }

  #objectType(name: string, schema: JSONSchemaProps): Type {
    const { additionalProperties, properties } = schema;
    if (typeof additionalProperties === 'object' && Object.keys(properties ?? {}).length === 0) {
      const mapType = schema['x-kubernetes-map-type'];
      return { kind: 'map', value: this.#type(`${name}{}`, additionalProperties), ...(isMapType(mapType) && { mapType }) };
    }
    return this.#struct(name, schema, schema['x-kubernetes-embedded-resource'] === true);
  }

  #struct(name: string, schema: JSONSchemaProps, hasMeta: boolean): StructType {
    const required = new Set(schema.required);
    const fields = new Map<string, Field>(hasMeta ? implied(this.#objectMeta).map((field) => [field.name, field]) : []);
    for (const [property, propertySchema] of Object.entries(schema.properties ?? {})) {
      if (!fields.has(property)) fields.set(property, this.#field(`${name}.${property}`, property, propertySchema, required.has(property)));
    }
    return struct(name, [...fields.values()], {
      preserveUnknown: this.#preserve || schema['x-kubernetes-preserve-unknown-fields'] === true,
      embeddedResource: hasMeta,
      atomic: schema['x-kubernetes-map-type'] === 'atomic',
    });
  }

  #field(path: string, name: string, schema: JSONSchemaProps, required: boolean): Field {
    return {
      name,
      type: this.#type(path, schema),
      pointer: false,
      omit: 'empty',
      optional: !required,
      required,
      ...(schema.nullable === true && { nullable: true }),
      ...(schema.default !== undefined && { default: schema.default }),
    };
  }
}

function isListType(value: string | undefined): value is 'atomic' | 'set' | 'map' {
  return value === 'atomic' || value === 'set' || value === 'map';
}

function isMapType(value: string | undefined): value is 'atomic' | 'granular' {
  return value === 'atomic' || value === 'granular';
}

/** What every object has. */
function implied(objectMeta: StructType): Field[] {
  const field = (name: string, type: Type): Field => ({ name, type, pointer: false, omit: 'empty', optional: true, required: false });
  return [field('apiVersion', text), field('kind', text), field('metadata', objectMeta)];
}

function struct(
  name: string,
  fields: readonly Field[],
  flags: { preserveUnknown?: boolean; embeddedResource?: boolean; atomic?: boolean },
): StructType {
  return {
    kind: 'struct',
    name,
    fields,
    byName: new Map(fields.map((field) => [field.name, field])),
    proto: [],
    ...(flags.preserveUnknown === true && { preserveUnknown: true }),
    ...(flags.embeddedResource === true && { embeddedResource: true }),
    ...(flags.atomic === true && { atomic: true }),
  };
}
