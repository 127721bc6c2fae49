// Upstream: k8s.io/apiextensions-apiserver/pkg/controller/openapi/{builder/builder.go,v2/conversion.go}
// Upstream: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/{unfold,kubeopenapi}.go
import type { CustomKind, JsonSchema } from './custom-kind.ts';
import { customTypeName } from './custom-kind.ts';
import type { Descriptions } from './descriptions.ts';
import type { Form, SchemaObject } from './schema-object.ts';
import { reference } from './schema-object.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** In the order in which upstream writes them; the rest is not shown. */
const keywords = [
  'description',
  'type',
  'nullable',
  'format',
  'title',
  'default',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'multipleOf',
  'enum',
  'maxProperties',
  'minProperties',
  'required',
  'items',
  'allOf',
  'oneOf',
  'anyOf',
  'not',
  'properties',
  'additionalProperties',
  'externalDocs',
  'example',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-list-type',
  'x-kubernetes-map-type',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-validations',
] as const;

/** What OpenAPI 2 and its old clients cannot take. */
const notInV2: ReadonlySet<string> = new Set(['default', 'nullable', 'allOf', 'oneOf', 'anyOf', 'not']);

type Shown = Record<string, unknown>;

/** The definitions of a custom kind and of its list. */
export function customDefinitions(custom: CustomKind, form: Form, descriptions: Descriptions): Record<string, SchemaObject> {
  const shared = {
    'x-kubernetes-group-version-kind': [{ group: custom.group, kind: custom.kind, version: custom.version }],
  };
  const selectable = custom.selectableFields?.map((path) => ({ fieldPath: path.replace(/^\./, '') }));
  const fields = selectable === undefined || selectable.length === 0 ? {} : { 'x-kubernetes-selectable-fields': selectable };
  return {
    [customTypeName(custom, custom.kind)]: { ...objectSchema(custom, form, descriptions), ...shared, ...fields },
    [customTypeName(custom, custom.listKind)]: { ...listSchema(custom, form, descriptions), ...fields },
  };
}

function objectSchema(custom: CustomKind, form: Form, descriptions: Descriptions): SchemaObject {
  const { schema } = custom;
  if (schema === undefined) return { type: 'object' };
  const open = schema['x-kubernetes-preserve-unknown-fields'] === true || custom.preserveUnknownFields === true;
  if (form === 'v2' && open) return { type: 'object' };
  const shown = convert(schema, form, descriptions);
  shown['properties'] = sorted({
    ...(shown['properties'] as Shown | undefined),
    ...typeMeta(descriptions),
    metadata: metadata(form, 'ObjectMeta', descriptions.ofField('io.k8s.api.core.v1.Pod', 'metadata')),
  });
  return inOrder(shown);
}

function listSchema(custom: CustomKind, form: Form, descriptions: Descriptions): SchemaObject {
  return {
    description: `${custom.listKind} is a list of ${custom.kind}`,
    type: 'object',
    required: ['items'],
    properties: sorted({
      ...typeMeta(descriptions),
      items: {
        description: `List of ${custom.plural}. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md`,
        type: 'array',
        items: reference(form, customTypeName(custom, custom.kind)),
      },
      metadata: metadata(form, 'ListMeta', descriptions.ofField('io.k8s.api.core.v1.PodList', 'metadata')),
    }) as Record<string, SchemaObject>,
    'x-kubernetes-group-version-kind': [{ group: custom.group, kind: custom.listKind, version: custom.version }],
  };
}

function convert(schema: JsonSchema, form: Form, descriptions: Descriptions): Shown {
  const out: Shown = {};
  for (const key of keywords) {
    const value = schema[key];
    // Every keyword but this one may as well be absent as false.
    const absent = value === undefined || (value === false && key !== 'default');
    if (absent || (form === 'v2' && notInV2.has(key))) continue;
    if (key === 'items') out[key] = convert(value as JsonSchema, form, descriptions);
    else if (key === 'properties')
      out[key] = sorted(mapValues(value as Record<string, JsonSchema>, (one) => convert(one, form, descriptions)));
    else if (key === 'additionalProperties') out[key] = value === true ? true : convert(value as JsonSchema, form, descriptions);
    else if (key === 'x-kubernetes-validations' && form === 'v2') out[key] = (value as readonly Shown[]).map(sorted);
    else out[key] = value;
  }
  if (form === 'v2') narrowForV2(schema, out);
  else if (schema['x-kubernetes-int-or-string'] === true) unfoldIntOrString(out);
  if (schema['x-kubernetes-embedded-resource'] === true) addEmbedded(out, form, descriptions);
  return inOrder(out);
}

/** Old clients stumble over lists without items and over properties of what may have any. */
function narrowForV2(schema: JsonSchema, out: Shown): void {
  const open = schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (schema['nullable'] === true) delete out['type'];
  if (schema['nullable'] === true || open) {
    delete out['items'];
    delete out['properties'];
  }
  if (out['type'] === 'array' && out['items'] === undefined) delete out['type'];
  if (open && out['type'] === 'object') delete out['type'];
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const additional = schema['additionalProperties'] as JsonSchema | undefined;
  const required = ((out['required'] ?? []) as string[]).filter(
    (name) => out['properties'] === undefined || properties[name]?.['nullable'] !== true,
  );
  if (required.length === 0 || additional?.['nullable'] === true) delete out['required'];
  else out['required'] = required;
}

/** An int-or-string says so in words that every client knows. */
function unfoldIntOrString(out: Shown): void {
  const choice = [{ type: 'integer' }, { type: 'string' }];
  const same = (anyOf: unknown): boolean => JSON.stringify(anyOf) === JSON.stringify(choice);
  const all = out['allOf'] as readonly Shown[] | undefined;
  if (same(out['anyOf']) || (all?.[0] !== undefined && same(all[0]['anyOf']))) return;
  if (out['anyOf'] === undefined) out['anyOf'] = choice;
  else out['allOf'] = [{ anyOf: choice }, ...(all ?? [])];
}

function addEmbedded(out: Shown, form: Form, descriptions: Descriptions): void {
  if (form === 'v2' && out['x-kubernetes-preserve-unknown-fields'] === true) return;
  const conventions = 'https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md';
  out['properties'] = sorted({
    ...(out['properties'] as Shown | undefined),
    apiVersion: {
      description: `apiVersion defines the versioned schema of this representation of an object. More info: ${conventions}#resources`,
      type: 'string',
    },
    kind: {
      description: `kind is a string value representing the type of this object. In CamelCase. More info: ${conventions}#types-kinds`,
      type: 'string',
    },
    metadata: metadata(form, 'ObjectMeta', descriptions.ofField('io.k8s.api.core.v1.Pod', 'metadata')),
  });
  const required = (out['required'] ?? []) as readonly string[];
  out['required'] = [...required, ...['kind', 'apiVersion'].filter((name) => !required.includes(name))];
}

function typeMeta(descriptions: Descriptions): Record<string, SchemaObject> {
  return Object.fromEntries(
    ['apiVersion', 'kind'].map((field) => {
      const description = descriptions.ofField('io.k8s.api.core.v1.Pod', field);
      return [field, { ...(description !== undefined && { description }), type: 'string' }];
    }),
  );
}

function metadata(form: Form, type: string, description: string | undefined): SchemaObject {
  const referred = reference(form, `${meta}.${type}`);
  if (description === undefined) return referred;
  return form === 'v2' ? { description, ...referred } : { description, allOf: [referred] };
}

function inOrder(shown: Shown): Shown {
  return Object.fromEntries(keywords.filter((key) => shown[key] !== undefined).map((key) => [key, shown[key]]));
}

function sorted(object: Shown): Shown {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function mapValues(object: Readonly<Record<string, JsonSchema>>, map: (value: JsonSchema) => Shown): Shown {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}
