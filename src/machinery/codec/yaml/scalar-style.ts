// Upstream: go.yaml.in/yaml/v2/emitterc.go#yaml_emitter_analyze_scalar, #yaml_emitter_select_scalar_style

export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal';

const isBreak = /[\n\r\x85\u2028\u2029]/;
const unprintable = /[^\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u;
const indicatorAtStart = /^(?:---|\.\.\.|[#,[\]{}&*!|>'"%@`]|[-?:](?:[ \t]|$))/;
const indicatorInside = /:(?:[ \t]|$)|[ \t\n\r\x85\u2028\u2029]#/;

/**
 * How a string is written. `plain` says that it would be read back as the same string without quotes; `key` that it is a key on the line
 * of its value.
 */
export function styleOf(text: string, plain: boolean, key: boolean): ScalarStyle {
  if (text === '') return 'double';
  const multiline = isBreak.test(text);
  const special = unprintable.test(text) || / [\n\r\x85\u2028\u2029]/.test(text);
  if (key && multiline) return 'double';
  if (text.includes('\n')) return special || text.endsWith(' ') || key ? 'double' : 'literal';
  if (!plain) return 'double';
  const bare =
    !multiline && !special && !text.startsWith(' ') && !text.endsWith(' ') && !indicatorAtStart.test(text) && !indicatorInside.test(text);
  if (bare) return 'plain';
  return special || /[\n\r\x85\u2028\u2029] /.test(text) ? 'double' : 'single';
}

const base60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;

/** Other readers take these for numbers in base 60, so upstream quotes them. */
export function isBase60(text: string): boolean {
  return base60.test(text);
}
