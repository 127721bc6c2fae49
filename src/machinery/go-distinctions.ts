/**
 * Go's memory tells apart what the canonical form does not: an empty list or map from none where JSON leaves both out, and a quantity
 * that was not given from zero. Some messages and comparisons of upstream depend on it. A mark that neither loops over keys nor JSON
 * see, but copies keep, tells the difference to those who need it; what has been stored has none.
 */
const fieldsMark = Symbol('fields that Go tells from what they look like');

interface Marked {
  [fieldsMark]?: readonly string[];
}

/** Remembers that the field was given as empty, or not given although it shows. */
export function markDistinct(object: object, field: string): void {
  (object as Marked)[fieldsMark] = [...((object as Marked)[fieldsMark] ?? []), field];
}

export function isDistinct(object: object, field: string): boolean {
  return (object as Marked)[fieldsMark]?.includes(field) ?? false;
}

export function hasDistinctions(object: object): boolean {
  return ((object as Marked)[fieldsMark]?.length ?? 0) > 0;
}

/** A list or a map as Go would print it: null only where none was given. */
export function asPrinted<T extends object, K extends keyof T & string, E extends [] | object>(
  owner: T,
  field: K,
  empty: E,
): NonNullable<T[K]> | E | null {
  return owner[field] ?? (isDistinct(owner, field) ? empty : null);
}

/** Takes a field away, as Go does with nil: no empty list stays behind. */
export function removeField<T extends object, K extends keyof T & string>(owner: T, field: K): void {
  delete owner[field];
  const { [fieldsMark]: fields } = owner as Marked;
  if (fields?.includes(field)) (owner as Marked)[fieldsMark] = fields.filter((name) => name !== field);
}

/** Both have the same marks, mostly none. */
export function sameDistinctions(left: object, right: object): boolean {
  const { [fieldsMark]: ours } = left as Marked;
  const { [fieldsMark]: theirs } = right as Marked;
  if (ours === undefined && theirs === undefined) return true;
  return hasMarksOf(left, right, ours) && hasMarksOf(right, left, theirs);
}

/** What was given as empty and filled in since is empty no more. */
function hasMarksOf(owner: object, other: object, fields: readonly string[] = []): boolean {
  return fields.every((field) => isDistinct(other, field) || typeof (owner as Record<string, unknown>)[field] === 'object');
}

/** For copies that go by keys. */
export function copyDistinctions(from: object, to: object): void {
  const fields = (from as Marked)[fieldsMark];
  if (fields !== undefined) (to as Marked)[fieldsMark] = fields;
}
