// Upstream: k8s.io/kube-openapi/pkg/validation/strfmt, k8s.io/apiextensions-apiserver/pkg/apiserver/validation/formats.go
import { isDate, isDateTime } from '../../cel/kubernetes/formats.ts';
import { parseUrl, UrlError } from '../../cel/kubernetes/url.ts';
import { parseLooseDuration } from '../../cel/string-formats.ts';
import { CelError } from '../../cel/values.ts';
import { parseCidr, parseIp } from '../../machinery/ip.ts';
import { isEmailAddress } from './email-address.ts';

type FormatRule = (text: string) => boolean;

const matching =
  (pattern: RegExp): FormatRule =>
  (text) =>
    pattern.test(text);

const hostname =
  /^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.))+([a-zA-Z\p{L}]){2,63})$/u;
const shortName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const longName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const creditCard =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|(222[1-9]|22[3-9][0-9]|2[3-6][0-9]{2}|27[01][0-9]|2720)[0-9]{12}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11}|6[27][0-9]{14})$/;

/** By name without dashes. What is not here is not checked, and the creator of a schema is warned. */
const rules: Readonly<Record<string, FormatRule>> = {
  bsonobjectid: matching(/^[0-9a-fA-F]{24}$/),
  uri: (text) => !(parseUrl(text, true) instanceof UrlError),
  email: isEmailAddress,
  hostname: (text) =>
    text.length <= 255 &&
    Buffer.byteLength(text) <= 255 &&
    hostname.test(text) &&
    text.split('.').every((label) => Buffer.byteLength(label) <= 63),
  ipv4: (text) => {
    const ip = parseIp(text);
    return ip !== undefined && text.includes('.');
  },
  ipv6: (text) => {
    const ip = parseIp(text);
    return ip !== undefined && text.includes(':');
  },
  cidr: (text) => parseCidr(text) !== undefined,
  mac: matching(
    /^(?:[0-9a-fA-F]{2}([:-])(?:[0-9a-fA-F]{2}\1){4}[0-9a-fA-F]{2}|[0-9a-fA-F]{2}([:-])(?:[0-9a-fA-F]{2}\2){6}[0-9a-fA-F]{2}|[0-9a-fA-F]{2}([:-])(?:[0-9a-fA-F]{2}\3){18}[0-9a-fA-F]{2}|(?:[0-9a-fA-F]{4}\.){2}[0-9a-fA-F]{4}|(?:[0-9a-fA-F]{4}\.){3}[0-9a-fA-F]{4}|(?:[0-9a-fA-F]{4}\.){9}[0-9a-fA-F]{4})$/,
  ),
  uuid: matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
  uuid3: matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
  uuid4: matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  uuid5: matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: isCreditCard,
  ssn: matching(/^\d{3}[- ]?\d{2}[- ]?\d{4}$/),
  hexcolor: matching(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/),
  rgbcolor: matching(
    /^rgb\(\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*,\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*,\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*\)$/,
  ),
  byte: matching(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/),
  password: () => true,
  date: isDate,
  duration: (text) => !(parseLooseDuration(text) instanceof CelError),
  datetime: isDateTime,
  k8sshortname: (text) => text.length <= 63 && shortName.test(text),
  k8slongname: (text) => text.length <= 253 && longName.test(text),
};

/** The check that a format of a string stands for; undefined for a format that is not known. */
export function formatRule(format: string): FormatRule | undefined {
  const name = format.replaceAll('-', '');
  return Object.hasOwn(rules, name) ? rules[name] : undefined;
}

/** The format as far as it is checked for a schema of this type; '' where it says nothing. */
export function supportedFormat(format: string | undefined, type: string): string {
  if (format === undefined || format === '') return '';
  switch (type) {
    case '':
    case 'string':
      return formatRule(format) === undefined ? '' : format;
    case 'integer':
      return format === 'int32' || format === 'int64' ? format : '';
    case 'number':
      return format === 'float' || format === 'double' ? format : '';
    default:
      return '';
  }
}

/** What is left without these characters; no further than `most`, beyond which it is none of what is looked for. */
function lettersOf(text: string, passes: (character: string) => boolean, most: number): string {
  let letters = '';
  for (let at = 0; at < text.length && letters.length <= most; at++) if (!passes(text[at]!)) letters += text[at]!;
  return letters;
}

const isBlankOrDash = (character: string): boolean => character === '-' || /\s/.test(character);
const isNoDigit = (character: string): boolean => character < '0' || character > '9';

function isIsbn10(text: string): boolean {
  const digits = lettersOf(text, isBlankOrDash, 10);
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < 10; i++) sum += (i + 1) * (digits[i] === 'X' ? 10 : Number(digits[i]));
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = lettersOf(text, isBlankOrDash, 13);
  if (!/^[0-9]{13}$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < 12; i++) sum += (i % 2 === 0 ? 1 : 3) * Number(digits[i]);
  return (10 - (sum % 10)) % 10 === Number(digits[12]);
}

function isCreditCard(text: string): boolean {
  const digits = lettersOf(text, isNoDigit, 16);
  if (!creditCard.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
