/** The kind of a JSON value as Go's decoder names it in errors. */
export function jsonTypeName(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'number':
    case 'bigint':
      return 'number';
    default:
      return value === null ? 'null' : 'object';
  }
}
