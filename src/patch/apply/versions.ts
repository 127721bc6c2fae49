// Upstream: apimachinery pkg/util/managedfields/internal/versionconverter.go
import type { JsonObject } from '../json/json-object.ts';
import type { FieldSet } from './field-set.ts';
import type { Shape } from './shape.ts';

/** Drops the fields that a kind does not let a request set: they never come to be owned through it. */
export type FieldFilter = (set: FieldSet) => FieldSet;

/** An object that cannot be had in another version. */
export class ConversionError extends Error {
  override readonly name = 'ConversionError';
}

/** The versions that owners may speak. */
export interface Versions {
  /** Undefined for a version that is not known any more. */
  shapeOf(apiVersion: string): Shape | undefined;
  /** An object in a known version. Throws ConversionError where the conversion fails. */
  convert(object: JsonObject, apiVersion: string): JsonObject;
  filterOf(apiVersion: string): FieldFilter | undefined;
}
