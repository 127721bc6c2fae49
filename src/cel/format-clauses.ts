// Upstream: github.com/google/cel-go/ext/formatting.go#parseFormatString

/** One `%` clause of a format string. */
export interface Clause {
  readonly verb: string;
  readonly precision: number | undefined;
}

export class FormatError {
  readonly message: string;
  /** Node the complaint is about; undefined for the call as a whole. */
  readonly node: number | undefined;

  constructor(message: string, node?: number) {
    this.message = message;
    this.node = node;
  }
}

/** Runs through a format string, handing every clause with its argument index to `format`. */
export function interpolate(
  text: string,
  argCount: number,
  maxPrecision: number | undefined,
  format: (clause: Clause, index: number) => string | FormatError,
): string | FormatError {
  let built = '';
  let index = 0;
  for (let i = 0; i < text.length;) {
    if (text[i] !== '%') {
      built += text[i++];
      continue;
    }
    if (text[i + 1] === '%') {
      built += '%';
      i += 2;
      continue;
    }
    if (i + 1 >= text.length && index < argCount) return new FormatError('unexpected end of string');
    if (index >= argCount) return new FormatError(`index ${index} out of range`);
    const parsed = parseClause(text, i + 1, maxPrecision);
    if (parsed instanceof FormatError) return new FormatError(`could not parse formatting clause: ${parsed.message}`);
    const formatted = format(parsed.clause, index++);
    if (formatted instanceof FormatError) return new FormatError(`error during formatting: ${formatted.message}`, formatted.node);
    built += formatted;
    i = parsed.end;
  }
  return built;
}

function parseClause(text: string, from: number, maxPrecision: number | undefined): { clause: Clause; end: number } | FormatError {
  let at = from;
  let precision: number | undefined;
  if (text[at] === '.') {
    const digits = /^\d*/.exec(text.slice(at + 1))![0];
    at += 1 + digits.length;
    if (at >= text.length) return new FormatError('error while parsing precision: could not find end of precision specifier');
    if (digits === '')
      return new FormatError(
        'error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax',
      );
    precision = Number(digits);
    if (maxPrecision !== undefined && precision > maxPrecision)
      return new FormatError(`error while parsing precision: precision ${precision} exceeds maximum allowed precision ${maxPrecision}`);
  }
  const verb = text[at]!;
  if (!'sdfebxXo'.includes(verb)) return new FormatError(`unrecognized formatting clause "${verb}"`);
  return { clause: { verb, precision }, end: at + 1 };
}

export const complaints: Readonly<Record<string, (type: string) => string>> = {
  s: (type) =>
    `string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given ${type}`,
  d: (type) => `decimal clause can only be used on integers, was given ${type}`,
  f: (type) => `fixed-point clause can only be used on doubles, was given ${type}`,
  e: (type) => `scientific clause can only be used on doubles, was given ${type}`,
  b: (type) => `only integers and bools can be formatted as binary, was given ${type}`,
  x: (type) => `only integers, byte buffers, and strings can be formatted as hex, was given ${type}`,
  o: (type) => `octal clause can only be used on integers, was given ${type}`,
};
