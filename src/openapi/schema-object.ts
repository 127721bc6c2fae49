import type { GroupVersionKind } from '../machinery/type-model.ts';

/** A schema as both OpenAPI forms write it; keys stand in the order in which upstream writes them. */
export interface SchemaObject {
  description?: string;
  $ref?: string;
  type?: string;
  format?: string;
  default?: unknown;
  enum?: readonly unknown[];
  required?: readonly string[];
  items?: SchemaObject;
  allOf?: readonly SchemaObject[];
  oneOf?: readonly SchemaObject[];
  properties?: Record<string, SchemaObject>;
  additionalProperties?: SchemaObject;
  'x-kubernetes-group-version-kind'?: readonly GroupVersionKind[];
  'x-kubernetes-list-map-keys'?: readonly string[];
  'x-kubernetes-list-type'?: string;
  'x-kubernetes-map-type'?: string;
  'x-kubernetes-patch-merge-key'?: string;
  'x-kubernetes-patch-strategy'?: string;
  'x-kubernetes-unions'?: readonly object[];
}

/** OpenAPI 2 has neither defaults nor choices here: upstream takes them out for old clients. */
export type Form = 'v2' | 'v3';

export function reference(form: Form, type: string): SchemaObject {
  return { $ref: `#/${form === 'v2' ? 'definitions' : 'components/schemas'}/${type}` };
}
