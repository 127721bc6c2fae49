// Upstream: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/validation.go#ValidFieldPath

import { FieldPath } from '../../machinery/field.ts';
import type { OpenApiSchema } from '../schema-types.ts';

const escapes: Readonly<Record<string, string>> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', "'": "'", '\\': '\\' };

/** Dots, brackets, quoted names and plain names, in order. */
const tokenPattern = /'(?:[^'\\]|\\.)*'|[.[\]]|[^.[\]]+/gs;

export type NormalizedPath = { readonly path: FieldPath; readonly schema: OpenApiSchema } | { readonly error: string };

/** Reads a path such as `.spec.names['x']` and follows it through the schema. */
export function normalizeFieldPath(text: string, root: OpenApiSchema): NormalizedPath {
  const tokens = text.match(tokenPattern) ?? [];
  let path: FieldPath | undefined;
  let schema: OpenApiSchema = root;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (token !== '[' && token !== '.') return { error: `expected [ or . but got: ${token}` };
    const quoted = tokens[++i];
    if (quoted === undefined) return { error: 'unexpected end of JSON path' };
    const name = token === '.' ? { name: quoted } : unquote(quoted);
    if ('error' in name) return name;
    if (token === '[') {
      const close = tokens[++i];
      if (close === undefined) return { error: 'unexpected end of JSON path' };
      if (close !== ']') return { error: `expected ] but got ${close}` };
    }
    const step: OpenApiSchema | undefined = schema.properties ? schema.properties[name.name] : valuesOf(schema);
    if (!step) return { error: 'does not refer to a valid field' };
    path = schema.properties ? (path?.child(name.name) ?? FieldPath.root(name.name)) : path?.key(name.name);
    schema = step;
  }
  return path ? { path, schema } : { error: 'does not refer to a valid field' };
}

const valuesOf = (schema: OpenApiSchema): OpenApiSchema | undefined =>
  typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;

function unquote(token: string): { readonly name: string } | { readonly error: string } {
  if (token.length < 2 || !token.startsWith("'") || !token.endsWith("'"))
    return { error: `expected single quoted string but got ${token}` };
  let bad: string | undefined;
  const name = token.slice(1, -1).replaceAll(/\\./gs, (escape) => {
    const meaning = escapes[escape[1]!];
    if (meaning === undefined) bad = escape;
    return meaning ?? '';
  });
  return bad === undefined ? { name } : { error: `invalid string literal: invalid escape char ${bad}` };
}
