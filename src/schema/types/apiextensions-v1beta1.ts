// Made by `npm run generate`; do not edit.
import type { Base64, Int64, Json, RawExtension, Time } from '../scalars.ts';
import type * as metaV1 from './meta-v1.ts';

export type FieldValueErrorReason = 'FieldValueDuplicate' | 'FieldValueForbidden' | 'FieldValueInvalid' | 'FieldValueRequired' | (string & {});

export interface ConversionRequest {
  uid: string;
  desiredAPIVersion: string;
  objects: RawExtension[] | null;
}

export interface ConversionResponse {
  uid: string;
  convertedObjects: RawExtension[] | null;
  result: metaV1.Status;
}

export interface ConversionReview extends metaV1.TypeMeta {
  request?: ConversionRequest;
  response?: ConversionResponse;
}

export interface CustomResourceColumnDefinition {
  name: string;
  type: string;
  format?: string;
  description?: string;
  priority?: number;
  JSONPath: string;
}

export interface CustomResourceConversion {
  strategy: string;
  webhookClientConfig?: WebhookClientConfig;
  conversionReviewVersions?: string[];
}

export interface CustomResourceDefinition extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: CustomResourceDefinitionSpec;
  status: CustomResourceDefinitionStatus;
}

export interface CustomResourceDefinitionCondition {
  type: string;
  status: string;
  lastTransitionTime: Time | null;
  reason?: string;
  message?: string;
  observedGeneration?: Int64;
}

export interface CustomResourceDefinitionList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: CustomResourceDefinition[] | null;
}

export interface CustomResourceDefinitionNames {
  plural: string;
  singular?: string;
  shortNames?: string[];
  kind: string;
  listKind?: string;
  categories?: string[];
}

export interface CustomResourceDefinitionSpec {
  group: string;
  version?: string;
  names: CustomResourceDefinitionNames;
  scope: string;
  validation?: CustomResourceValidation;
  subresources?: CustomResourceSubresources;
  versions?: CustomResourceDefinitionVersion[];
  additionalPrinterColumns?: CustomResourceColumnDefinition[];
  selectableFields?: SelectableField[];
  conversion?: CustomResourceConversion;
  preserveUnknownFields?: boolean;
}

export interface CustomResourceDefinitionStatus {
  conditions: CustomResourceDefinitionCondition[] | null;
  acceptedNames: CustomResourceDefinitionNames;
  storedVersions: string[] | null;
  observedGeneration?: Int64;
}

export interface CustomResourceDefinitionVersion {
  name: string;
  served: boolean;
  storage: boolean;
  deprecated?: boolean;
  deprecationWarning?: string;
  schema?: CustomResourceValidation;
  subresources?: CustomResourceSubresources;
  additionalPrinterColumns?: CustomResourceColumnDefinition[];
  selectableFields?: SelectableField[];
}

export interface CustomResourceSubresourceScale {
  specReplicasPath: string;
  statusReplicasPath: string;
  labelSelectorPath?: string;
}

export interface CustomResourceSubresourceStatus {}

export interface CustomResourceSubresources {
  status?: CustomResourceSubresourceStatus;
  scale?: CustomResourceSubresourceScale;
}

export interface CustomResourceValidation {
  openAPIV3Schema?: JSONSchemaProps;
}

export interface ExternalDocumentation {
  description?: string;
  url?: string;
}

export interface JSONSchemaProps {
  id?: string;
  '$schema'?: string;
  '$ref'?: string;
  description?: string;
  type?: string;
  format?: string;
  title?: string;
  default?: Json;
  maximum?: number;
  exclusiveMaximum?: boolean;
  minimum?: number;
  exclusiveMinimum?: boolean;
  maxLength?: Int64;
  minLength?: Int64;
  pattern?: string;
  maxItems?: Int64;
  minItems?: Int64;
  uniqueItems?: boolean;
  multipleOf?: number;
  enum?: Json[];
  maxProperties?: Int64;
  minProperties?: Int64;
  required?: string[];
  items?: JSONSchemaPropsOrArray;
  allOf?: JSONSchemaProps[];
  oneOf?: JSONSchemaProps[];
  anyOf?: JSONSchemaProps[];
  not?: JSONSchemaProps;
  properties?: Record<string, JSONSchemaProps>;
  additionalProperties?: JSONSchemaPropsOrBool;
  patternProperties?: Record<string, JSONSchemaProps>;
  dependencies?: Record<string, JSONSchemaPropsOrStringArray>;
  additionalItems?: JSONSchemaPropsOrBool;
  definitions?: Record<string, JSONSchemaProps>;
  externalDocs?: ExternalDocumentation;
  example?: Json;
  nullable?: boolean;
  'x-kubernetes-preserve-unknown-fields'?: boolean;
  'x-kubernetes-embedded-resource'?: boolean;
  'x-kubernetes-int-or-string'?: boolean;
  'x-kubernetes-list-map-keys'?: string[];
  'x-kubernetes-list-type'?: string;
  'x-kubernetes-map-type'?: string;
  'x-kubernetes-validations'?: ValidationRule[];
}

export type JSONSchemaPropsOrArray = JSONSchemaProps | JSONSchemaProps[] | null;

export type JSONSchemaPropsOrBool = JSONSchemaProps | boolean;

export type JSONSchemaPropsOrStringArray = JSONSchemaProps | string[] | null;

export interface SelectableField {
  jsonPath: string;
}

export interface ServiceReference {
  namespace: string;
  name: string;
  path?: string;
  port?: number;
}

export interface ValidationRule {
  rule: string;
  message?: string;
  messageExpression?: string;
  reason?: FieldValueErrorReason;
  fieldPath?: string;
  optionalOldSelf?: boolean;
}

export interface WebhookClientConfig {
  url?: string;
  service?: ServiceReference;
  caBundle?: Base64;
}
