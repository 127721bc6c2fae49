/**
 * Go tells an empty list or map from none, and some messages show which it is, but where JSON leaves both out the canonical form has
 * neither. A mark that neither loops over keys nor JSON see, but copies keep, tells the difference to those who need it.
 */
const FIELDS = Symbol('explicitly empty fields');

interface Marked {
  [FIELDS]?: readonly string[];
}

/** Remembers that the field was written as empty, not left out. */
export function markEmpty(object: object, field: string): void {
  (object as Marked)[FIELDS] = [...((object as Marked)[FIELDS] ?? []), field];
}

export function isExplicitlyEmpty(object: object, field: string): boolean {
  return (object as Marked)[FIELDS]?.includes(field) ?? false;
}

/** For copies that go by keys. */
export function copyMarks(from: object, to: object): void {
  const fields = (from as Marked)[FIELDS];
  if (fields !== undefined) (to as Marked)[FIELDS] = fields;
}
