/** Scalars of the API in their canonical JSON form; see `src/machinery/type-model.ts`. */

/** beyond 2^53 a bigint: comparisons take both, arithmetic does not */
export type Int64 = number | bigint;
export type Base64 = string;
/** `100m`, `1Gi` */
export type Quantity = string;
export type IntOrString = number | string;
/** `2006-01-02T15:04:05Z` */
export type Time = string;
/** `2006-01-02T15:04:05.000000Z` */
export type MicroTime = string;
/** `1h0m0s` */
export type Duration = string;
/** any JSON value; objects in practice */
export type RawExtension = Record<string, unknown>;
export type FieldsV1 = Record<string, unknown>;
export type Json = unknown;
