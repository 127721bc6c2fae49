// Upstream: std/strconv#Quote
const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['"', '\\"'],
  ['\\', '\\\\'],
]);

const plain = /^[ !#-[\]-~]*$/;
const needsEscape = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

/** A string as Go's `%q` shows it: double quotes, escapes for what does not print. */
export function goQuote(text: string): string {
  if (plain.test(text)) return `"${text}"`;
  return `"${text.replace(needsEscape, escapeCharacter)}"`;
}

function escapeCharacter(character: string): string {
  const short = shortEscapes.get(character);
  if (short !== undefined) return short;
  const code = character.codePointAt(0)!;
  // Bytes that are no UTF-8 reach us as lone surrogates from U+DC80 on; any other lone surrogate stands for nothing.
  if (code >= 0xd800 && code <= 0xdfff) return code >= 0xdc80 && code <= 0xdcff ? `\\x${hex(code - 0xdc00, 2)}` : '\ufffd';
  if (code < 0x80) return `\\x${hex(code, 2)}`;
  return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`;
}

function hex(value: number, width: number): string {
  return value.toString(16).padStart(width, '0');
}
