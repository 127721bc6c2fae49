// Upstream: go.yaml.in/yaml/v2/resolve.go

/** What an unquoted scalar means in YAML 1.1 as upstream reads it. Timestamps keep their text. */
export type Resolved =
  | { readonly tag: 'str' | 'timestamp' | 'merge'; readonly value: string }
  | { readonly tag: 'bool'; readonly value: boolean }
  | { readonly tag: 'null'; readonly value: null }
  | { readonly tag: 'int'; readonly value: bigint }
  | { readonly tag: 'float'; readonly value: number };

const words: ReadonlyMap<string, Resolved> = new Map([
  ...spellings(['y', 'yes', 'true', 'on'], { tag: 'bool', value: true }),
  ...spellings(['n', 'no', 'false', 'off'], { tag: 'bool', value: false }),
  ...spellings(['', '~', 'null'], { tag: 'null', value: null }),
  ...spellings(['.inf', '+.inf'], { tag: 'float', value: Infinity }),
  ...spellings(['-.inf'], { tag: 'float', value: -Infinity }),
  ['.nan', { tag: 'float', value: NaN }],
  ['.NaN', { tag: 'float', value: NaN }],
  ['.NAN', { tag: 'float', value: NaN }],
  ['<<', { tag: 'merge', value: '<<' }],
]);

/** Lower case, capitalised, upper case. */
function spellings(names: readonly string[], resolved: Resolved): [string, Resolved][] {
  return names.flatMap((name): [string, Resolved][] => [
    [name, resolved],
    [name.replace(/[a-z]/, (letter) => letter.toUpperCase()), resolved],
    [name.toUpperCase(), resolved],
  ]);
}

const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const pointFloat = /^\.[0-9]+(?:_[0-9]+)*(?:[eE][-+]?[0-9]+(?:_[0-9]+)*)?$/;

export function resolve(text: string): Resolved {
  const first = text[0];
  // only these can start anything but a string; '<' stands apart, upstream asks for merge keys elsewhere
  if (first !== undefined && !/[-+0-9yYnNtTfFoO~.]/.test(first)) return { tag: 'str', value: text };
  const word = words.get(text);
  if (word !== undefined) return word;
  if (first === '.') return pointFloat.test(text) ? (asFloat(text.replaceAll('_', '')) ?? asString(text)) : asString(text);
  if (!/[-+0-9]/.test(first!)) return asString(text);
  if (isTimestamp(text)) return { tag: 'timestamp', value: text };
  const plain = withoutUnderscores(text);
  const integer = parseInteger(plain);
  if (integer !== undefined) return { tag: 'int', value: integer };
  return float.test(plain) ? (asFloat(plain) ?? asString(text)) : asString(text);
}

/** By hand where there can be many: each that is replaced costs a string. What has other than ASCII characters is no number anyway. */
function withoutUnderscores(text: string): string {
  if (text.length < 1000) return text.replaceAll('_', '');
  const digits = Buffer.allocUnsafe(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) return text;
    if (code !== 0x5f) digits[length++] = code;
  }
  return digits.toString('latin1', 0, length);
}

function asString(value: string): Resolved {
  return { tag: 'str', value };
}

function asFloat(text: string): Resolved | undefined {
  const value = Number(text);
  return Number.isFinite(value) ? { tag: 'float', value } : undefined;
}

const integer = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[oO]?([0-7]+)|0[bB]([01]+)|(0|[1-9][0-9]*))$/;

/** As strconv.ParseInt with base 0: a prefix, or a leading zero, chooses the base. Undefined beyond 64 bits. */
function parseInteger(text: string): bigint | undefined {
  const match = integer.exec(text);
  if (match === null) return undefined;
  const [, sign, hex, octal, binary, decimal] = match;
  const digits = hex !== undefined ? `0x${hex}` : octal !== undefined ? `0o${octal}` : binary !== undefined ? `0b${binary}` : decimal!;
  if (digits.length > 66) return undefined;
  const value = BigInt(digits);
  if (sign === '-') return value <= 2n ** 63n ? -value : undefined;
  // numbers beyond int64 are read as unsigned, which takes no sign
  return value < 2n ** 63n || (sign === '' && value < 2n ** 64n) ? value : undefined;
}

const timestamp =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:[Tt](\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?(?:Z|[-+](\d\d):(\d\d)))| (\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?)?$/;

export function isTimestamp(text: string): boolean {
  const match = timestamp.exec(text);
  if (match === null) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, zoneHour = 0, zoneMinute = 0, ...plain] = match
    .slice(1)
    .map((part) => (part === undefined ? undefined : Number(part)));
  const [plainHour = 0, plainMinute = 0, plainSecond = 0] = plain;
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return false;
  return (
    hour < 24 && minute < 60 && second < 60 && zoneHour <= 24 && zoneMinute < 60 && plainHour < 24 && plainMinute < 60 && plainSecond < 60
  );
}

function daysIn(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}
