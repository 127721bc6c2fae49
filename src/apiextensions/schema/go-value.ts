import { stringify } from '../../machinery/codec/json/write.ts';

/** A JSON value and its type as Go prints them: `5 is of the type int64`. */
export function described(value: unknown): string {
  return `${value === null ? '<nil>' : typeof value === 'object' ? stringify(value) : String(value)} is of the type ${goType(value)}`;
}

export function goType(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'number':
      return Number.isInteger(value) ? 'int64' : 'float64';
    case 'bigint':
      return 'int64';
    default:
      return value === null ? '<nil>' : Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
  }
}
