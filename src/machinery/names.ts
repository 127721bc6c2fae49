// Upstream: k8s.io/apimachinery/pkg/util/validation/validation.go, k8s.io/apimachinery/pkg/api/validate/content/*.go
// Upstream: k8s.io/apimachinery/pkg/api/validation/{generic.go,path/name.go}
//
// Each rule returns what is wrong with a value, in words for clients; an empty list means nothing is.
import { append } from './append.ts';

const none: readonly string[] = Object.freeze([]);

const dns1123Label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const dns1123LabelUnderscore = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const dns1123Subdomain = `${dns1123Label}(\\.${dns1123Label})*`;
const dns1123SubdomainUnderscore = `${dns1123LabelUnderscore}(\\.${dns1123LabelUnderscore})*`;
const dns1035Label = '[a-z]([-a-z0-9]*[a-z0-9])?';
const wildcardSubdomain = `\\*\\.${dns1123Subdomain}`;
const labelKey = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const labelValue = `(${labelKey})?`;
const cIdentifier = '[A-Za-z_][A-Za-z0-9_]*';
const percent = '[0-9]+%';
const httpHeaderName = '[-A-Za-z0-9]+';
const envVarName = '[-._a-zA-Z][-._a-zA-Z0-9]*';
const configMapKey = '[-._a-zA-Z0-9]+';

export const dns1123LabelMaxLength = 63;
export const dns1123SubdomainMaxLength = 253;
export const labelValueMaxLength = 63;

/** Upstream measures in bytes, but its older rules call them characters. */
export type LengthUnit = 'characters' | 'bytes';

export function maxLengthMessage(length: number, unit: LengthUnit = 'characters'): string {
  return `must be no more than ${length} ${unit}`;
}

export function rangeMessage(low: number, high: number): string {
  return `must be between ${low} and ${high}, inclusive`;
}

export function regexMessage(message: string, pattern: string, ...examples: readonly string[]): string {
  if (examples.length === 0) return `${message} (regex used for validation is '${pattern}')`;
  const quoted = examples.map((example) => `'${example}', `).join(' or ');
  return `${message} (e.g. ${quoted}regex used for validation is '${pattern}')`;
}

/** Whether the text takes more than `max` bytes of UTF-8, without counting where its length settles it. */
export function isLongerThan(text: string, max: number): boolean {
  return text.length > max || (text.length * 3 > max && Buffer.byteLength(text) > max);
}

function whole(pattern: string, flags = ''): RegExp {
  return new RegExp(`^${pattern}$`, flags);
}

type Rule = (value: string) => readonly string[];

/** A rule of the form "at most so long, and matches this pattern". */
function patternRule(pattern: string, message: string, examples: readonly string[], maxLength = Infinity, unit?: LengthUnit): Rule {
  const regex = whole(pattern);
  const mismatch = regexMessage(message, pattern, ...examples);
  return (value) => {
    const long = isLongerThan(value, maxLength);
    if (regex.test(value)) return long ? [maxLengthMessage(maxLength, unit)] : none;
    return long ? [maxLengthMessage(maxLength, unit), mismatch] : [mismatch];
  };
}

const labelMessage =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
const subdomainMessage =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";

const dns1123LabelPattern = whole(dns1123Label);
const dns1123SubdomainPattern = whole(dns1123Subdomain);
const dns1123SubdomainCaselessPattern = whole(dns1123Subdomain, 'iu');

export function checkDns1123Label(value: string, unit: LengthUnit = 'characters'): readonly string[] {
  const long = isLongerThan(value, dns1123LabelMaxLength) ? [maxLengthMessage(dns1123LabelMaxLength, unit)] : none;
  if (dns1123LabelPattern.test(value)) return long;
  const mismatch = dns1123SubdomainPattern.test(value)
    ? 'must not contain dots'
    : regexMessage(labelMessage, dns1123Label, 'my-name', '123-abc');
  return [...long, mismatch];
}

export const checkDns1123Subdomain: Rule = patternRule(dns1123Subdomain, subdomainMessage, ['example.com'], dns1123SubdomainMaxLength);

const checkDns1123SubdomainInBytes = patternRule(dns1123Subdomain, subdomainMessage, ['example.com'], dns1123SubdomainMaxLength, 'bytes');

/** The formats of declarative validation (`+k8s:format=k8s-long-name` and friends), which speak of bytes. */
export const declarativeFormats = {
  shortName: (value: string): readonly string[] => checkDns1123Label(value, 'bytes'),
  longName: checkDns1123SubdomainInBytes,
  longNameCaseless(value: string): readonly string[] {
    const long = isLongerThan(value, dns1123SubdomainMaxLength) ? [maxLengthMessage(dns1123SubdomainMaxLength, 'bytes')] : none;
    if (dns1123SubdomainCaselessPattern.test(value)) return long;
    const message =
      "an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
    // The message shows the pattern without its case-insensitive flag.
    return [...long, regexMessage(message, dns1123Subdomain, 'Example.com')];
  },
} as const;

export const checkDns1123SubdomainWithUnderscore: Rule = patternRule(
  dns1123SubdomainUnderscore,
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character",
  ['example.com'],
  dns1123SubdomainMaxLength,
);

export const checkDns1035Label: Rule = patternRule(
  dns1035Label,
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  ['my-name', 'abc-123'],
  63,
);

export const checkWildcardDns1123Subdomain: Rule = patternRule(
  wildcardSubdomain,
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
  ['*.example.com'],
  dns1123SubdomainMaxLength,
);

const labelKeyPattern = whole(labelKey);
const labelKeyMismatch = regexMessage(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  labelKey,
  'MyName',
  'my.name',
  '123-abc',
);

/** What most names look like: settled at once. */
const plainQualifiedName = /^(?:[a-z0-9]+(?:[-.][a-z0-9]+)*\/)?[A-Za-z0-9](?:[-\w.]*[A-Za-z0-9])?$/;

/** A label or annotation key, a finalizer, a resource name: `name` or `prefix/name`. */
export function checkQualifiedName(value: string): readonly string[] {
  if (value.length <= 63 && plainQualifiedName.test(value)) return none;
  const parts = value.split('/');
  if (parts.length > 2) {
    return [`a valid label key ${labelKeyMismatch} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const name = parts.at(-1)!;
  if (parts.length === 1 && name.length <= 63 && labelKeyPattern.test(name)) return none;
  const problems: string[] = [];
  if (parts.length === 2) {
    const prefix = parts[0]!;
    const found = prefix === '' ? ['must be non-empty'] : checkDns1123SubdomainInBytes(prefix);
    append(
      problems,
      found.map((problem) => `prefix part ${problem}`),
    );
  }
  if (name === '') problems.push('name part must be non-empty');
  else if (isLongerThan(name, 63)) problems.push(`name part ${maxLengthMessage(63, 'bytes')}`);
  if (!labelKeyPattern.test(name)) problems.push(`name part ${labelKeyMismatch}`);
  return problems;
}

export function checkPrefixedLabelKey(value: string): readonly string[] {
  const problems = checkQualifiedName(value);
  if (problems.length > 0 || value.includes('/')) return problems;
  return ["must include a prefix (e.g. 'example.com/key')"];
}

export const checkLabelValue: Rule = patternRule(
  labelValue,
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  ['MyValue', 'my_value', '12345'],
  labelValueMaxLength,
  'bytes',
);

export const checkCIdentifier: Rule = patternRule(
  cIdentifier,
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'",
  ['my_name', 'MY_NAME', 'MyName'],
);

export const checkPercent: Rule = patternRule(percent, "a valid percent string must be a numeric string followed by an ending '%'", [
  '1%',
  '93%',
]);

export const checkHttpHeaderName: Rule = patternRule(httpHeaderName, "a valid HTTP header must consist of alphanumeric characters or '-'", [
  'X-Header-Name',
]);

export function checkRange(value: number, low: number, high: number): readonly string[] {
  return value >= low && value <= high ? none : [rangeMessage(low, high)];
}

export function checkPortNumber(port: number): readonly string[] {
  return checkRange(port, 1, 65535);
}

/** User and group ids. */
export function checkUnixId(id: number | bigint): readonly string[] {
  return checkRange(Number(id), 0, 2147483647);
}

export function checkPortName(port: string): readonly string[] {
  const problems: string[] = [];
  if (isLongerThan(port, 15)) problems.push(maxLengthMessage(15));
  if (!/^[-a-z0-9]+$/.test(port)) problems.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  if (!/[a-z]/.test(port)) problems.push('must contain at least one letter (a-z)');
  if (port.includes('--')) problems.push('must not contain consecutive hyphens');
  if (port.startsWith('-') || port.endsWith('-')) problems.push('must not begin or end with a hyphen');
  return problems;
}

const checkEnvVarPattern = patternRule(
  envVarName,
  "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit",
  ['my.env-name', 'MY_ENV.NAME', 'MyEnvName1'],
);

export function checkEnvVarName(value: string): readonly string[] {
  return joined(checkEnvVarPattern(value), climbsUp(value));
}

export function checkRelaxedEnvVarName(value: string): readonly string[] {
  if (value === '') return ['environment variable name must be non-empty'];
  if (/^[ -<>-~]*$/.test(value)) return none;
  return ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
}

const checkConfigMapKeyPattern = patternRule(
  configMapKey,
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  ['key.name', 'KEY_NAME', 'key-name'],
  dns1123SubdomainMaxLength,
);

/** Keys of ConfigMaps and Secrets. */
export function checkConfigMapKey(value: string): readonly string[] {
  return joined(checkConfigMapKeyPattern(value), climbsUp(value));
}

function climbsUp(value: string): readonly string[] {
  if (!value.startsWith('.')) return none;
  if (value === '.' || value === '..') return [`must not be '${value}'`];
  return value.startsWith('..') ? ["must not start with '..'"] : none;
}

function joined(first: readonly string[], second: readonly string[]): readonly string[] {
  return first.length === 0 ? second : [...first, ...second];
}

/** A rule for names; `prefix` when the value is a generateName, which may end with a dash. */
export type NameRule = (name: string, prefix: boolean) => readonly string[];

export const nameIsDnsSubdomain: NameRule = (name, prefix) => checkDns1123Subdomain(prefix ? maskTrailingDash(name) : name);
export const nameIsDnsLabel: NameRule = (name, prefix) => checkDns1123Label(prefix ? maskTrailingDash(name) : name);
export const nameIsDns1035Label: NameRule = (name, prefix) => checkDns1035Label(prefix ? maskTrailingDash(name) : name);

export const nameIsPathSegment: NameRule = (name, prefix) => {
  if (!prefix && (name === '.' || name === '..')) return [`may not be '${name}'`];
  return ['/', '%'].filter((illegal) => name.includes(illegal)).map((illegal) => `may not contain '${illegal}'`);
};

/** The character before the dash goes too, as upstream has it: `a-b-` is checked as `a-a`. */
function maskTrailingDash(name: string): string {
  return name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
}

const nameAlphabet = 'bcdfghjklmnpqrstvwxz2456789';
const randomLength = 5;
const generatedBaseMaxLength = 63 - randomLength;

/** A random suffix of upstream's letters: no vowels, nothing that reads like another character. */
export function randomSuffix(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length * 2))) {
      const letter = nameAlphabet[byte & 31];
      if (letter !== undefined && text.length < length) text += letter;
    }
  }
  return text;
}

export function generateName(base: string): string {
  return base.slice(0, generatedBaseMaxLength) + randomSuffix(randomLength);
}
