import { isDistinct } from '../../machinery/go-distinctions.ts';

/**
 * Some messages of upstream show one of its internal types, whose JSON has Go's names and leaves nothing out. A shape lists the fields
 * in declared order; what is absent shows as its zero value.
 */
export interface InternalField {
  readonly go: string;
  readonly json: string;
  /** shown when the field is absent; null for pointers, lists and maps */
  readonly zero?: unknown;
  readonly shape?: InternalShape;
}

export type InternalShape = readonly InternalField[];

export function internalForm(value: object, shape: InternalShape): unknown {
  const members = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    shape.map(({ go, json, zero = null, shape: inner }) => {
      const member = members[json];
      if (member === undefined) return [go, isDistinct(value, json) ? [] : zero];
      return [go, inner === undefined ? member : internalForm(member as object, inner)];
    }),
  );
}

/** Fields that are pointers, named alike but for the first letter. */
export function pointers(...names: readonly string[]): InternalShape {
  return names.map((json) => ({ go: json[0]!.toUpperCase() + json.slice(1), json }));
}

/** Strings that are not pointers, named alike but for the first letter. */
export function strings(...names: readonly string[]): InternalShape {
  return pointers(...names).map((field) => ({ ...field, zero: '' }));
}
