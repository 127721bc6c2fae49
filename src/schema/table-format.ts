/**
 * The form of a generated table: one JSON text per Go package of API types, small enough to ship and cheap to parse.
 *
 * A type is written as a short text:
 *   `string`, `int32`, `quantity`, ...   a scalar
 *   `Pod`, `meta-v1.ObjectMeta`          a declared type of this or of another table
 *   `=PullPolicy`, `=core-v1.PullPolicy` a string with declared values
 *   `[]x`, `[]*x`, `{}x`                 list, list of pointers, map with string keys
 */
export interface Table {
  /** file name of the table, e.g. `core-v1` */
  readonly id: string;
  /** as OpenAPI names it, e.g. `io.k8s.api.core.v1` */
  readonly package: string;
  readonly group: string;
  readonly version: string;
  /** kind -> type name (in this table, or `id.Name`) */
  readonly kinds: Readonly<Record<string, string>>;
  /** by kind, where declared */
  readonly lifecycles: Readonly<Record<string, Lifecycle>>;
  readonly enums: Readonly<Record<string, readonly string[]>>;
  /** declarative-validation markers of the types in `enums`, where they have any */
  readonly enumRules?: Readonly<Record<string, readonly string[]>>;
  /** names of structs for which validation markers anywhere below may find fault with an object */
  readonly ruled?: readonly string[];
  readonly types: Readonly<Record<string, TypeRow>>;
}

/** Releases such as `1.37`. */
export interface Lifecycle {
  readonly introduced?: string;
  readonly deprecated?: string;
  readonly removed?: string;
  readonly replacement?: readonly [group: string, version: string, kind: string];
}

/** A struct; or an alias of another type; or a list that is a message of its own in protobuf; or a value of several shapes. */
export type TypeRow = StructRow | string | { readonly items: string } | VariantRow;

export interface VariantRow {
  readonly variant: { readonly bool?: number; readonly object: readonly [number, string]; readonly array?: readonly [number, string] };
}

export type StructRow = readonly FieldRow[] | { readonly fields: readonly FieldRow[]; readonly extra: StructExtra };

export interface StructExtra {
  readonly mapType?: 'granular' | 'atomic';
  readonly unions?: readonly { readonly discriminator?: string; readonly members: readonly (readonly [name: string, value: string])[] }[];
  readonly validation?: readonly string[];
}

/**
 * Flags: `i` inlined struct, `p` pointer, `e` omitempty, `z` omitzero, `o` +optional, `r` required in OpenAPI, `n` +nullable.
 * The protobuf number is 0 when the field is not in the message.
 */
export type FieldRow =
  | readonly [name: string, type: string, number: number, flags: string]
  | readonly [name: string, type: string, number: number, flags: string, extra: FieldExtra];

export interface FieldExtra {
  /** Go's name of the field where it is not the JSON name with a capital */
  readonly go?: string;
  /** Go's type where a part of it that is no struct has a name of its own: `[]v1.FinalizerName` */
  readonly goType?: string;
  readonly default?: unknown;
  readonly listType?: 'atomic' | 'set' | 'map';
  readonly listMapKeys?: readonly string[];
  readonly mapType?: 'granular' | 'atomic';
  readonly patchStrategy?: readonly ('merge' | 'replace' | 'retainKeys')[];
  readonly patchMergeKey?: string;
  readonly validation?: readonly string[];
  /** feature gate that guards the field */
  readonly featureGate?: string;
}
