// Upstream: std/fmt
// What %v, %#v, %T and %s print for decoded JSON, as far as messages show it to clients.
import { goNumber, goQuote } from '../../machinery/go-format.ts';
import { sortNames } from './list-element.ts';
import { isObject } from '../json/json-object.ts';

/** `%v`: map[a:1 b:[x y]] */
export function goPlain(value: unknown): string {
  if (typeof value === 'number') return goNumber(value);
  if (Array.isArray(value)) return `[${value.map(goPlain).join(' ')}]`;
  if (isObject(value)) {
    const names = sortNames(Object.keys(value));
    return `map[${names.map((name) => `${name}:${goPlain(value[name])}`).join(' ')}]`;
  }
  return value === null || value === undefined ? '<nil>' : String(value);
}

/** `%#v`: map[string]interface {}{"a":1} */
export function goSyntax(value: unknown): string {
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number') return goNumber(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (isObject(value)) {
    const names = sortNames(Object.keys(value));
    return `map[string]interface {}{${names.map((name) => `${goQuote(name)}:${goSyntax(value[name])}`).join(', ')}}`;
  }
  return value === null || value === undefined ? 'interface {}(nil)' : String(value);
}

/** `%T` */
export function goType(value: unknown): string {
  return goScalar(value) ?? (Array.isArray(value) ? '[]interface {}' : isObject(value) ? 'map[string]interface {}' : '<nil>');
}

/** What Go reads a scalar of JSON as; undefined: it is none. */
export function goScalar(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int64';
    case 'number':
      return Number.isInteger(value) ? 'int64' : 'float64';
    default:
      return undefined;
  }
}

/** `%s`: text as it is, everything else marked as not being text. */
export function goText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (isObject(value)) {
    const names = sortNames(Object.keys(value));
    return `map[${names.map((name) => `${name}:${goText(value[name])}`).join(' ')}]`;
  }
  return value === null || value === undefined ? '%!s(<nil>)' : `%!s(${goType(value)}=${goPlain(value)})`;
}
