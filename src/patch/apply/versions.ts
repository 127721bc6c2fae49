// Upstream: k8s.io/apimachinery/pkg/util/managedfields/internal/versionconverter.go
import type { Steps } from '../../base/steps.ts';
import type { JsonObject } from '../json/json-object.ts';
import type { FieldSet } from './field-set.ts';
import type { Shape } from './shape.ts';
import { ShapeError } from './validate.ts';

/** Drops the fields that a kind does not let a request set: they never come to be owned through it. */
export type FieldFilter = (set: FieldSet) => FieldSet;

/** An object that cannot be had in another version. */
export class ConversionError extends Error {
  override readonly name = 'ConversionError';
}

/** An error of a conversion says what the conversion was for. */
export function converting<T>(what: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw sayingWhat(what, error);
  }
}

/** The same in steps. */
export function* convertingInSteps<T>(what: string, steps: Steps<T>): Steps<T> {
  try {
    return yield* steps;
  } catch (error) {
    throw sayingWhat(what, error);
  }
}

function sayingWhat(what: string, error: unknown): unknown {
  if (!(error instanceof ConversionError) && !(error instanceof ShapeError)) return error;
  return new ConversionError(`${what}: ${error.message}`, { cause: error });
}

/** The versions that managers may speak. */
export interface Versions {
  /** whether conversions may fail: those of built-in kinds do not */
  readonly fallible: boolean;
  /** Undefined for a version that is not known any more. */
  shapeOf(apiVersion: string): Shape | undefined;
  /** An object in a known version. Throws ConversionError where the conversion fails, ShapeError where its result does not fit the version. */
  convert(object: JsonObject, apiVersion: string): JsonObject;
  filterOf(apiVersion: string): FieldFilter | undefined;
}
