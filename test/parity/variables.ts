export type Variables = Record<string, unknown>;

/** Replaces `{name}` of variables that are known, and `{repeat:c:n}`; other braces (of CEL, of JSON path) stay. */
export function replaceIn(text: string, variables: Readonly<Variables>): string {
  if (!text.includes('{')) return text;
  return text
    .replaceAll(/\{repeat:([^{}]+?):(\d+)\}/g, (_, unit: string, count: string) => unit.repeat(Number(count)))
    .replaceAll(/\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (whole: string, name: string) => (name in variables ? String(variables[name]) : whole));
}

/** Keys too; `{=name}` alone is the variable's value with its own JSON type. */
export function replaceAll<Value>(value: Value, variables: Readonly<Variables>): Value {
  return replaced(value, variables) as Value;
}

function replaced(value: unknown, variables: Readonly<Variables>): unknown {
  if (typeof value === 'string') {
    const typed = /^\{=([A-Za-z_][A-Za-z0-9_]*)\}$/.exec(value)?.[1];
    return typed !== undefined && typed in variables ? variables[typed] : replaceIn(value, variables);
  }
  if (Array.isArray(value)) return value.map((item) => replaced(item, variables));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [replaceIn(key, variables), replaced(item, variables)]));
}
