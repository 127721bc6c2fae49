// Upstream: k8s.io/apiserver/pkg/cel/library/format.go, k8s.io/kube-openapi/pkg/validation/strfmt

import {
  checkDns1123Subdomain,
  checkLabelValue,
  checkQualifiedName,
  nameIsDns1035Label,
  nameIsDnsLabel,
  nameIsDnsSubdomain,
} from '../../machinery/names.ts';
import { ArrayList } from '../collections.ts';
import type { Library } from '../declarations.ts';
import { declare, member, overload } from '../declarations.ts';
import { listOf, optionalOf, stringType as string, structType } from '../types.ts';
import type { Truth, Value } from '../values.ts';
import { CelObject, noSuchOverload, Optional } from '../values.ts';
import { parseUrl, UrlError } from './url.ts';

export const formatType = structType('kubernetes.NamedFormat');

type Validate = (text: string) => readonly string[];

export class FormatValue extends CelObject {
  readonly type = formatType;
  readonly name: string;
  readonly validate: Validate;
  /** Length of the pattern behind it, for cost accounting. */
  readonly patternSize: number;

  constructor(name: string, patternSize: number, validate: Validate) {
    super();
    this.name = name;
    this.patternSize = patternSize;
    this.validate = validate;
  }

  equals(other: Value): Truth {
    return other instanceof FormatValue ? this.name === other.name : noSuchOverload;
  }
}

const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/;
const timePattern = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$/;

/** A date as RFC 3339 writes it, and one that the calendar has. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const [year, month, day] = text.split('-').map(Number) as [number, number, number];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

export function isDateTime(text: string): boolean {
  const [date, time] = text.toLowerCase().split('t');
  const match = time === undefined || !isDate(date!) ? null : timePattern.exec(time);
  return match !== null && match[1]! <= '23' && match[2]! <= '59' && match[3]! <= '59';
}

const test =
  (isValid: (text: string) => boolean, message: string): Validate =>
  (text) =>
    isValid(text) ? [] : [message];

function validateUri(text: string): readonly string[] {
  const url = parseUrl(text, true);
  return url instanceof UrlError ? [url.message] : [];
}

const formats: ReadonlyMap<string, FormatValue> = new Map([
  ['dns1123Label', new FormatValue('DNS1123Label', 30, (text) => nameIsDnsLabel(text, false))],
  ['dns1123Subdomain', new FormatValue('DNS1123Subdomain', 60, checkDns1123Subdomain)],
  ['dns1035Label', new FormatValue('DNS1035Label', 30, (text) => nameIsDns1035Label(text, false))],
  ['qualifiedName', new FormatValue('QualifiedName', 60, checkQualifiedName)],
  ['dns1123LabelPrefix', new FormatValue('DNS1123LabelPrefix', 30, (text) => nameIsDnsLabel(text, true))],
  ['dns1123SubdomainPrefix', new FormatValue('DNS1123SubdomainPrefix', 60, (text) => nameIsDnsSubdomain(text, true))],
  ['dns1035LabelPrefix', new FormatValue('DNS1035LabelPrefix', 30, (text) => nameIsDns1035Label(text, true))],
  ['labelValue', new FormatValue('LabelValue', 40, checkLabelValue)],
  ['uri', new FormatValue('URI', 1103, validateUri)],
  [
    'uuid',
    new FormatValue(
      'uuid',
      70,
      test((text) => uuid.test(text), 'does not match the UUID format'),
    ),
  ],
  [
    'byte',
    new FormatValue(
      'byte',
      84,
      test((text) => base64.test(text), 'invalid base64'),
    ),
  ],
  ['date', new FormatValue('date', 71, test(isDate, 'invalid date'))],
  ['datetime', new FormatValue('datetime', 71, test(isDateTime, 'invalid datetime'))],
]);

function validate(format: FormatValue, text: string): Value {
  const errors = format.validate(text);
  return errors.length === 0 ? Optional.none : new Optional(new ArrayList([...errors]));
}

export const formatLibrary: Library = {
  name: 'kubernetes.format',
  functions: [
    declare('validate', member('format-validate', [formatType, string], optionalOf(listOf(string)), validate)),
    declare(
      'format.named',
      overload('format-named', [string], optionalOf(formatType), (name: string) => {
        const format = formats.get(name);
        return format ? new Optional(format) : Optional.none;
      }),
    ),
    ...[...formats].map(([name, format]) =>
      declare(
        `format.${name}`,
        overload(`format.${name}`, [], formatType, () => format),
      ),
    ),
  ],
};
