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

/** Both have the same marks, mostly none. */
export function sameDistinctions(left: object, right: object): boolean {
  const { [fieldsMark]: ours } = left as Marked;
  const { [fieldsMark]: theirs } = right as Marked;
  if (ours === undefined || theirs === undefined) return ours === theirs;
  return ours.length === theirs.length && ours.every((field) => theirs.includes(field));
}

/** For copies that go by keys. */
export function copyDistinctions(from: object, to: object): void {
  const fields = (from as Marked)[fieldsMark];
  if (fields !== undefined) (to as Marked)[fieldsMark] = fields;
}
