// Upstream: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/{types,types_jsonschema}.go
// Upstream: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1/conversion.go
import { semanticDeepEqual } from '../../machinery/deep-equal.ts';
import { asPrinted, removeField } from '../../machinery/go-distinctions.ts';
import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
  CustomResourceSubresources,
  CustomResourceValidation,
  JSONSchemaProps,
  SelectableField,
  ValidationRule,
} from '../../schema/types/apiextensions-v1.ts';

/**
 * A definition's spec as upstream's validation sees it: what all versions have in common stands above them. Clients can tell, since
 * errors name fields by where they stand: `spec.validation`, not `spec.versions[0].schema`.
 */
export interface InternalSpec extends Omit<CustomResourceDefinitionSpec, 'versions'> {
  readonly version: string;
  readonly versions: readonly CustomResourceDefinitionVersion[];
  /** false where there is not even an empty list, which a message shows */
  readonly hasVersions: boolean;
  readonly validation: CustomResourceValidation | undefined;
  readonly subresources: CustomResourceSubresources | undefined;
  readonly additionalPrinterColumns: readonly CustomResourceColumnDefinition[] | undefined;
  readonly selectableFields: readonly SelectableField[] | undefined;
}

type Common = 'schema' | 'subresources' | 'additionalPrinterColumns' | 'selectableFields';

export function internalSpec(spec: CustomResourceDefinitionSpec): InternalSpec {
  const versions = spec.versions ?? [];
  const first = versions[0];
  const isCommon = (field: Common): boolean =>
    first !== undefined && versions.every((version) => semanticDeepEqual(version[field], first[field]));
  const common = (['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const).filter(isCommon);
  const above = <F extends Common>(field: F): CustomResourceDefinitionVersion[F] | undefined =>
    common.includes(field) ? first?.[field] : undefined;
  return {
    ...spec,
    version: first?.name ?? '',
    hasVersions: Boolean(spec.versions),
    versions: versions.map((version) => {
      const rest: Partial<CustomResourceDefinitionVersion> = { ...version };
      for (const field of common) removeField(rest, field);
      return rest as CustomResourceDefinitionVersion;
    }),
    validation: above('schema'),
    subresources: above('subresources'),
    additionalPrinterColumns: above('additionalPrinterColumns'),
    selectableFields: above('selectableFields'),
  };
}

/** Values of messages that upstream prints from its internal structs: Go's names, nothing left out. */
export function versionsValue(versions: readonly CustomResourceDefinitionVersion[]): readonly object[] {
  return versions.map(goVersion);
}

function goVersion(version: CustomResourceDefinitionVersion): object {
  const { schema, subresources } = version;
  return {
    Name: version.name,
    Served: version.served,
    Storage: version.storage,
    Deprecated: version.deprecated ?? false,
    DeprecationWarning: version.deprecationWarning ?? null,
    Schema:
      schema === undefined ? null : { OpenAPIV3Schema: schema.openAPIV3Schema === undefined ? null : schemaValue(schema.openAPIV3Schema) },
    Subresources: subresources === undefined ? null : goSubresources(subresources),
    AdditionalPrinterColumns: asPrinted(version, 'additionalPrinterColumns', [])?.map(goColumn) ?? null,
    SelectableFields: asPrinted(version, 'selectableFields', [])?.map(({ jsonPath }) => ({ JSONPath: jsonPath })) ?? null,
  };
}

function goSubresources({ status, scale }: CustomResourceSubresources): object {
  return {
    Status: status === undefined ? null : {},
    Scale:
      scale === undefined
        ? null
        : {
            SpecReplicasPath: scale.specReplicasPath,
            StatusReplicasPath: scale.statusReplicasPath,
            LabelSelectorPath: scale.labelSelectorPath ?? null,
          },
  };
}

function goColumn({ name, type, format, description, priority, jsonPath }: CustomResourceColumnDefinition): object {
  return { Name: name, Type: type, Format: format ?? '', Description: description ?? '', Priority: priority ?? 0, JSONPath: jsonPath };
}

export function ruleValue({ rule, message, messageExpression, reason, fieldPath, optionalOldSelf }: ValidationRule): object {
  return {
    Rule: rule,
    Message: message ?? '',
    MessageExpression: messageExpression ?? '',
    Reason: reason ?? null,
    FieldPath: fieldPath ?? '',
    OptionalOldSelf: optionalOldSelf ?? null,
  };
}

export function itemsValue(items: readonly JSONSchemaProps[] | JSONSchemaProps | null): object {
  const several = Array.isArray(items) ? (items as readonly JSONSchemaProps[]) : undefined;
  const one = several === undefined && items !== null ? (items as JSONSchemaProps) : undefined;
  return { Schema: one === undefined ? null : schemaValue(one), JSONSchemas: several?.map(schemaValue) ?? null };
}

function goSchemas(schemas: Readonly<Record<string, JSONSchemaProps>> | null): object | null {
  if (schemas === null) return null;
  const sorted = Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, schema]) => [name, schemaValue(schema)]));
}

function goOrBool(value: JSONSchemaProps | boolean | undefined): object | null {
  if (value === undefined) return null;
  return typeof value === 'boolean' ? { Allows: value, Schema: null } : { Allows: true, Schema: schemaValue(value) };
}

export function schemaValue(schema: JSONSchemaProps): object {
  const { externalDocs } = schema;
  const dependencies = asPrinted(schema, 'dependencies', {});
  return {
    ID: schema.id ?? '',
    Schema: schema.$schema ?? '',
    Ref: schema.$ref ?? null,
    Description: schema.description ?? '',
    Type: schema.type ?? '',
    Nullable: schema.nullable ?? false,
    Format: schema.format ?? '',
    Title: schema.title ?? '',
    Default: schema.default ?? null,
    Maximum: schema.maximum ?? null,
    ExclusiveMaximum: schema.exclusiveMaximum ?? false,
    Minimum: schema.minimum ?? null,
    ExclusiveMinimum: schema.exclusiveMinimum ?? false,
    MaxLength: schema.maxLength ?? null,
    MinLength: schema.minLength ?? null,
    Pattern: schema.pattern ?? '',
    MaxItems: schema.maxItems ?? null,
    MinItems: schema.minItems ?? null,
    UniqueItems: schema.uniqueItems ?? false,
    MultipleOf: schema.multipleOf ?? null,
    Enum: asPrinted(schema, 'enum', []),
    MaxProperties: schema.maxProperties ?? null,
    MinProperties: schema.minProperties ?? null,
    Required: asPrinted(schema, 'required', []),
    Items: schema.items === undefined ? null : itemsValue(schema.items),
    AllOf: asPrinted(schema, 'allOf', [])?.map(schemaValue) ?? null,
    OneOf: asPrinted(schema, 'oneOf', [])?.map(schemaValue) ?? null,
    AnyOf: asPrinted(schema, 'anyOf', [])?.map(schemaValue) ?? null,
    Not: schema.not === undefined ? null : schemaValue(schema.not),
    Properties: goSchemas(asPrinted(schema, 'properties', {})),
    AdditionalProperties: goOrBool(schema.additionalProperties),
    PatternProperties: goSchemas(asPrinted(schema, 'patternProperties', {})),
    Dependencies: dependencies === null ? null : goDependencies(dependencies),
    AdditionalItems: goOrBool(schema.additionalItems),
    Definitions: goSchemas(asPrinted(schema, 'definitions', {})),
    ExternalDocs: externalDocs === undefined ? null : { Description: externalDocs.description ?? '', URL: externalDocs.url ?? '' },
    Example: schema.example ?? null,
    XPreserveUnknownFields: schema['x-kubernetes-preserve-unknown-fields'] ?? null,
    XEmbeddedResource: schema['x-kubernetes-embedded-resource'] ?? false,
    XIntOrString: schema['x-kubernetes-int-or-string'] ?? false,
    XListMapKeys: asPrinted(schema, 'x-kubernetes-list-map-keys', []),
    XListType: schema['x-kubernetes-list-type'] ?? null,
    XMapType: schema['x-kubernetes-map-type'] ?? null,
    XValidations: asPrinted(schema, 'x-kubernetes-validations', [])?.map(ruleValue) ?? null,
  };
}

function goDependencies(dependencies: NonNullable<JSONSchemaProps['dependencies']>): object {
  const entries = Object.entries(dependencies).map(([name, value]) => {
    if (Array.isArray(value)) return [name, { Schema: null, Property: value }];
    return [name, { Schema: value === null ? null : schemaValue(value), Property: null }];
  });
  return Object.fromEntries(entries) as object;
}
