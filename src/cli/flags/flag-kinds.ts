// Upstream: github.com/spf13/pflag, k8s.io/component-base/cli/flag
import type { FileVerbosity } from '../../base/logging/verbosity.ts';
import { withoutTrailing } from '../../base/trailing.ts';
import { goQuote } from '../../machinery/go-format.ts';
import { formatDuration, parseDuration } from '../../machinery/duration.ts';
import { parseIp } from '../../machinery/ip.ts';
import { Quantity } from '../../machinery/quantity.ts';
import { readCsvRecord } from '../../machinery/csv.ts';
import type { Flag, FlagKind } from './flag.ts';
import { reportedVersion } from './reported-version.ts';
import { parseBool, parseDecimal, parseDecimalUint, parseFloat64, parseInteger } from '../../machinery/go-values.ts';

type Texts = readonly string[];
type TextMap = ReadonlyMap<string, string>;

const listText = (values: readonly unknown[]): string => (values.length === 0 ? '' : `[${values.join(',')}]`);

const stringKind: FlagKind<string> = { word: 'string', parse: (text) => text, show: (value) => (value === '' ? '' : `"${value}"`) };
const boolKind: FlagKind<boolean> = { word: '', parse: parseBool, show: (value) => (value ? 'true' : ''), bare: 'true' };
const numberText = (value: number): string => (value === 0 ? '' : String(value));
const intKind: FlagKind<number> = { word: 'int', parse: (text) => parseInteger(text, 64), show: numberText };
const uintKind: FlagKind<number> = { word: 'uint', parse: (text) => parseInteger(text, 64, 'ParseUint'), show: numberText };
const levelKind: FlagKind<number> = { word: 'Level', parse: (text) => parseDecimalUint(text, 31), show: numberText };
const floatKind: FlagKind<number> = { word: 'float', parse: parseFloat64, show: numberText };
const float32Kind: FlagKind<number> = { word: 'float32', parse: parseFloat64, show: numberText };

/** Durations are numbers of milliseconds, with fractions. */
const durationKind: FlagKind<number> = {
  word: 'duration',
  parse: (text) => Number(parseDuration(text)) / 1e6,
  show: (value) => (value === 0 ? '' : durationKind.text!(value)),
  text: (value) => formatDuration(BigInt(Math.round(value * 1e6))),
};

const stringsKind: FlagKind<Texts> = {
  word: 'strings',
  parse: (text, earlier = []) => [...earlier, ...(text === '' ? [] : readCsvRecord(text))],
  show: listText,
};

/** One entry per use of the flag; commas mean nothing. */
const stringArrayKind: FlagKind<Texts> = { word: 'stringArray', parse: (text, earlier = []) => [...earlier, text], show: listText };

const int32SliceKind: FlagKind<readonly number[]> = {
  word: 'int32Slice',
  parse: (text, earlier = []) => [...earlier, ...text.split(',').map((part) => parseInteger(part, 32))],
  show: (values) => `[${values.join(',')}]`,
};

const ipKind: FlagKind<string> = {
  word: 'ip',
  parse: (text) => {
    const trimmed = text.trim();
    if (parseIp(trimmed) === undefined) throw new Error(`failed to parse IP: ${goQuote(text)}`);
    return trimmed;
  },
  show: (value) => value,
  text: (value) => (value === '' ? '<nil>' : value),
};

function pair(text: string): [key: string, value: string] | [key: string] {
  const at = text.indexOf('=');
  return at < 0 ? [text.trim()] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

const mapText = (map: TextMap): string =>
  [...map]
    .map(([key, value]) => `${key}=${value}`)
    .toSorted()
    .join(',');

/** `key` alone stands for an empty value. */
const configurationMapKind: FlagKind<TextMap> = {
  word: 'mapStringString',
  parse(text, earlier = new Map()) {
    const entries = text
      .split(',')
      .filter((part) => part !== '')
      .map(pair);
    return new Map([...earlier, ...entries.map(([key, value = '']): [string, string] => [key, value])]);
  },
  show: mapText,
  text: mapText,
};

/** One pair per use of the flag: the value may contain commas. */
const singlePairsKind: FlagKind<TextMap> = {
  word: 'mapStringString',
  parse(text, earlier = new Map()) {
    const [key, value] = pair(text);
    if (value === undefined) throw new Error('malformed pair, expect string=string');
    return new Map([...earlier, [key, value]]);
  },
  show: mapText,
  text: mapText,
};

const stringToStringKind: FlagKind<TextMap> = {
  word: 'stringToString',
  parse(text, earlier = new Map()) {
    // As upstream: a text with at most one equal sign is one pair, whatever commas it has.
    const parts = text.split('=').length <= 2 ? [withoutTrailing(text.replace(/^"+/, ''), '"')] : readCsvRecord(text);
    const entries = parts.map((part): [string, string] => {
      const at = part.indexOf('=');
      if (at < 0) throw new Error(`${part} must be formatted as key=value`);
      return [part.slice(0, at), part.slice(at + 1)];
    });
    return new Map([...earlier, ...entries]);
  },
  show: (map) => `[${mapText(map)}]`,
  text: (map) => `[${mapText(map)}]`,
};

/** `component:text`, several texts per component; without a colon the component is empty. */
const componentTextsKind: FlagKind<ReadonlyMap<string, Texts>> = {
  word: 'colonSeparatedMultimapStringString',
  parse(text, earlier = new Map<string, Texts>()) {
    const result = new Map(earlier);
    for (const part of text.split(',').filter((one) => one !== '')) {
      const at = part.indexOf(':');
      const component = part.slice(0, Math.max(at, 0)).trim();
      result.set(component, [...(result.get(component) ?? []), part.slice(at + 1).trim()]);
    }
    return result;
  },
  show: () => '',
  text: (map) => [...map].flatMap(([component, texts]) => texts.map((one) => `${component}:${one}`)).join(','),
};

export interface NamedCertificate {
  readonly certificateFile: string;
  readonly keyFile: string;
  readonly names: Texts;
}

const namedCertificatesKind: FlagKind<readonly NamedCertificate[]> = {
  word: 'namedCertKey',
  parse(text, earlier = []) {
    const colon = text.indexOf(':');
    const [files, names] = colon < 0 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1)];
    if (colon >= 0 && names.includes(':')) throw new Error('unexpected semicolon in certificate and key file list');
    const [certificateFile, keyFile, ...more] = files.split(',').map((file) => file.trim());
    if (!certificateFile || !keyFile || more.length > 0) throw new Error('expected comma separated certificate and key file paths');
    return [
      ...earlier,
      {
        certificateFile,
        keyFile,
        names: names
          .split(',')
          .map((name) => name.trim())
          .filter((name) => name !== ''),
      },
    ];
  },
  show: (values) => `[${values.map(({ certificateFile, keyFile }) => `${certificateFile},${keyFile}`).join(';')}]`,
  text: (values) =>
    `[${values.map(({ certificateFile, keyFile, names }) => `${certificateFile},${keyFile}${names.length > 0 ? `:${names.join(',')}` : ''}`).join(';')}]`,
};

export interface PortRange {
  readonly first: number;
  readonly size: number;
}

const portRangeKind: FlagKind<PortRange> = {
  word: 'portRange',
  parse(input) {
    const text = input.trim();
    if (text === '') return { first: 0, size: 0 };
    const separator = /[-+]/.exec(text);
    const plus = text.indexOf('+') >= 0;
    if (plus && text.includes('-')) throw new Error(`unable to parse port range: ${text}`);
    const first = parseDecimal(separator === null ? text : text.slice(0, separator.index));
    const second = separator === null ? first : parseDecimal(text.slice(separator.index + 1));
    const last = plus ? first + second : second;
    if (first > 65535 || last > 65535) throw new Error(`the port range cannot be greater than 65535: ${text}`);
    if (last < first) throw new Error(`end port cannot be less than start port: ${text}`);
    return { first, size: last - first + 1 };
  },
  show: ({ first, size }) => `${first}-${first + size - 1}`,
  text: ({ first, size }) => `${first}-${first + size - 1}`,
};

const quantityKind: FlagKind<string> = {
  word: 'quantity',
  parse: (text) => Quantity.parse(text).toString(),
  show: (value) => (value === '0' ? '' : value),
};

const verbosityPatternsKind: FlagKind<readonly FileVerbosity[]> = {
  word: 'pattern=N,...',
  parse(text, earlier = []) {
    const patterns = text.split(',').filter((one) => one !== '');
    return [...earlier, ...patterns.map(fileVerbosity)];
  },
  show: (values) => values.map(({ pattern, level }) => `${pattern}=${level}`).join(','),
  text: (values) => values.map(({ pattern, level }) => `${pattern}=${level}`).join(','),
};

function fileVerbosity(text: string): FileVerbosity {
  const [pattern, level, ...more] = text.split('=');
  if (!pattern || !level || more.length > 0) throw new Error(`${goQuote(text)} does not have the pattern=N format`);
  try {
    return { pattern, level: parseDecimalUint(level, 31) };
  } catch (error) {
    throw new Error(`parsing verbosity in ${goQuote(text)}: ${(error as Error).message}`, { cause: error });
  }
}

/** true, false, raw, or a version to report */
const versionKind: FlagKind<string> = {
  word: 'version[=true]',
  parse: (text) => (text === 'raw' ? text : text.startsWith('v') ? reportedVersion(text) : String(parseBool(text))),
  show: (value) => (value === 'false' ? '' : value),
  bare: 'true',
};

const noTexts: readonly string[] = [];

export const string = (fallback: string, help: string): Flag<string> => ({ kind: stringKind, fallback, help });
export const bool = (fallback: boolean, help: string): Flag<boolean> => ({ kind: boolKind, fallback, help });
export const int = (fallback: number, help: string): Flag<number> => ({ kind: intKind, fallback, help });
export const uint = (fallback: number, help: string): Flag<number> => ({ kind: uintKind, fallback, help });
export const float = (fallback: number, help: string): Flag<number> => ({ kind: floatKind, fallback, help });
export const float32 = (fallback: number, help: string): Flag<number> => ({ kind: float32Kind, fallback, help });
export const level = (help: string): Flag<number> => ({ kind: levelKind, fallback: 0, help });
/** The value is in milliseconds. */
export const duration = (fallback: string, help: string): Flag<number> => ({
  kind: durationKind,
  fallback: durationKind.parse(fallback, undefined),
  help,
});
export const ip = (fallback: string, help: string): Flag<string> => ({ kind: ipKind, fallback, help });
export const strings = (help: string, fallback = noTexts): Flag<Texts> => ({ kind: stringsKind, fallback, help });
export const stringArray = (help: string): Flag<Texts> => ({ kind: stringArrayKind, fallback: noTexts, help });
export const int32Slice = (help: string): Flag<readonly number[]> => ({ kind: int32SliceKind, fallback: [], help });
export const configurationMap = (help: string): Flag<TextMap> => ({ kind: configurationMapKind, fallback: new Map(), help });
export const singlePairs = (help: string): Flag<TextMap> => ({ kind: singlePairsKind, fallback: new Map(), help });
export const stringToString = (help: string): Flag<TextMap> => ({ kind: stringToStringKind, fallback: new Map(), help });
export const componentTexts = (help: string): Flag<ReadonlyMap<string, Texts>> => ({ kind: componentTextsKind, fallback: new Map(), help });
export const namedCertificates = (help: string): Flag<readonly NamedCertificate[]> => ({ kind: namedCertificatesKind, fallback: [], help });
export const portRange = (first: number, last: number, help: string): Flag<PortRange> => ({
  kind: portRangeKind,
  fallback: { first, size: last - first + 1 },
  help,
});
export const quantity = (help: string): Flag<string> => ({ kind: quantityKind, fallback: '0', help });
export const verbosityPatterns = (help: string): Flag<readonly FileVerbosity[]> => ({ kind: verbosityPatternsKind, fallback: [], help });
export const version = (help: string): Flag<string> => ({ kind: versionKind, fallback: 'false', help });
