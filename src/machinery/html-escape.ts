// Upstream: std/encoding/json#HTMLEscape

const unsafeInHtml = /[<>&\u2028\u2029]/;
/** Replaced one by one: a text may be full of them, and a function called for each takes five times as long. */
const htmlEscapes = [
  ['<', '\\u003c'],
  ['>', '\\u003e'],
  ['&', '\\u0026'],
  ['\u2028', '\\u2028'],
  ['\u2029', '\\u2029'],
] as const;

/** Go's encoder escapes these inside strings, the only place where they can be. */
export function escapeForHtml(text: string): string {
  if (!unsafeInHtml.test(text)) return text;
  let escaped = text;
  for (const [character, escape] of htmlEscapes) if (escaped.includes(character)) escaped = escaped.replaceAll(character, escape);
  return escaped;
}
