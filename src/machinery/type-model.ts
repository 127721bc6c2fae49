/**
 * The shape of an API type, as every part that depends on shapes sees it: strict decoding, protobuf, CBOR, defaulting of declared
 * defaults, strategic merge, server-side apply, pruning, OpenAPI, CEL. `src/schema` makes these from generated tables for built-in
 * types; a CustomResourceDefinition makes them at run time.
 *
 * Objects in memory are plain JSON values in canonical form: what upstream would write after reading them. Absent means absent
 * (never `undefined` values); []byte is a base64 string; Quantity, Time, MicroTime and Duration are their canonical strings;
 * IntOrString is a number or a string; integers beyond 2^53 are bigint.
 */
export type ScalarName =
  | 'string'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'uint32'
  | 'uint64'
  | 'float32'
  | 'float64'
  | 'bytes'
  | 'quantity'
  | 'intOrString'
  | 'time'
  | 'microTime'
  | 'duration'
  /** runtime.RawExtension: any JSON object, in protobuf a message with raw bytes */
  | 'raw'
  /** metav1.FieldsV1: any JSON object, in protobuf a message with raw bytes */
  | 'fieldsV1'
  /** apiextensions JSON and friends: any JSON value, in protobuf a message with raw bytes */
  | 'json'
  /** a value without a declared shape (custom resources that preserve unknown fields) */
  | 'unknown';

export interface ScalarType {
  readonly kind: 'scalar';
  readonly scalar: ScalarName;
  /** Go's name with its package, where the type has one of its own, e.g. `v1.PullPolicy`: clients read it in decoding errors */
  readonly goName?: string;
  /** the values of a declared enum */
  readonly enum?: readonly string[];
  /** declarative-validation markers of the named type */
  readonly validation?: readonly string[];
}

export interface ListType {
  readonly kind: 'list';
  /** as for scalars: `v1.ExtraValue` where the Go type has a name of its own */
  readonly goName?: string;
  readonly element: Type;
  /** elements are pointers in Go: null stays null instead of becoming a zero value */
  readonly elementNullable?: boolean;
  /** in protobuf the list is a message of its own (its name) whose field 1 repeats the elements, e.g. ExtraValue */
  readonly message?: string;
  /** how server-side apply merges such a list wherever it stands; a field that holds one may say otherwise */
  readonly listType?: 'atomic' | 'set' | 'map';
  readonly listMapKeys?: readonly string[];
}

export interface MapType {
  readonly kind: 'map';
  /** as for scalars: `v1.ResourceList` */
  readonly goName?: string;
  readonly value: Type;
  /** as for lists: whether server-side apply replaces such a map as a whole */
  readonly mapType?: 'granular' | 'atomic';
}

export interface StructType {
  readonly kind: 'struct';
  /** unique: `<Go package path below k8s.io/api etc.>.<Name>`, e.g. `io.k8s.api.core.v1.Pod`, as the OpenAPI documents name it */
  readonly name: string;
  /** in the order of declaration, inlined structs flattened in place: the order in which JSON is written */
  readonly fields: readonly Field[];
  /** as written in the declaration: an inlined struct is one entry; absent where nothing can be inlined (custom resources) */
  readonly declared?: readonly DeclaredField[];
  /** by JSON name */
  readonly byName: ReadonlyMap<string, Field>;
  /** protobuf view: own fields and inlined structs that are messages of their own in protobuf, ordered by number */
  readonly proto: readonly ProtoField[];
  /** +structType=atomic, x-kubernetes-map-type: atomic */
  readonly atomic?: boolean;
  /** the same where it is declared: `granular` may be said although it is the rule */
  readonly mapType?: 'granular' | 'atomic';
  /** names of union groups and their member fields, where declared */
  readonly unions?: readonly Union[];
  /** custom resources: fields that are not declared stay */
  readonly preserveUnknown?: boolean;
  /** custom resources: apiVersion, kind and metadata are implied */
  readonly embeddedResource?: boolean;
  /** declarative-validation markers of the type itself */
  readonly validation?: readonly string[];
  /** such markers, here or anywhere below, may find fault with an object */
  readonly ruled?: boolean;
}

/**
 * A value of several shapes, distinguished by its JSON type: a schema or a boolean, a schema or a list (JSONSchemaPropsOrBool and
 * friends). `null` stands for none of them, except where a boolean is allowed: there none is `false`.
 */
export interface VariantType {
  readonly kind: 'variant';
  readonly name: string;
  readonly object: StructType;
  readonly array?: ListType;
  readonly bool: boolean;
  readonly proto: { readonly object: number; readonly array?: number; readonly bool?: number };
}

export type Type = ScalarType | ListType | MapType | StructType | VariantType;

export interface Field {
  readonly name: string;
  readonly type: Type;
  /** a Go pointer: null/absent differs from the zero value */
  readonly pointer: boolean;
  /** when the encoder leaves the field out: never, when it is the empty value (omitempty), when it is zero (omitzero) */
  readonly omit: 'never' | 'empty' | 'zero';
  /** +optional; a field that is neither optional nor omitted when empty is required in OpenAPI */
  readonly optional: boolean;
  readonly required: boolean;
  readonly nullable?: boolean;
  /** declared default (+default / default: in a CRD), a canonical JSON value */
  readonly default?: unknown;
  /** how server-side apply merges a list, where the field and not its type says it; absent from both means atomic */
  readonly listType?: 'atomic' | 'set' | 'map';
  readonly listMapKeys?: readonly string[];
  /** server-side apply: map or struct replaced as a whole */
  readonly mapType?: 'granular' | 'atomic';
  readonly patchStrategy?: readonly ('merge' | 'replace' | 'retainKeys')[];
  readonly patchMergeKey?: string;
  /** declarative-validation markers (+k8s:...), as written, without the prefix */
  readonly validation?: readonly string[];
  /** the feature gate that guards the field */
  readonly featureGate?: string;
}

export interface DeclaredField {
  /** the name is empty for an inlined struct */
  readonly field: Field;
  readonly inline: boolean;
}

export interface ProtoField {
  readonly number: number;
  /** Go's name of the field, which decoding errors mention */
  readonly goName: string;
  /** the name is empty for an inlined struct */
  readonly field: Field;
  /** JSON inlines this struct into its parent; in protobuf it is a message of its own */
  readonly inline: boolean;
}

export interface Union {
  readonly name: string;
  readonly discriminator?: string;
  readonly members: readonly string[];
  /** what the discriminator says when a member is set, in the order of members */
  readonly values?: readonly string[];
}

export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

export interface GroupVersionKind extends GroupVersion {
  readonly kind: string;
}

export interface GroupVersionResource extends GroupVersion {
  readonly resource: string;
}

/** `v1` for the core group, `group/version` otherwise. */
export function apiVersionOf({ group, version }: GroupVersion): string {
  return group === '' ? version : `${group}/${version}`;
}
