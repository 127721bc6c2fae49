// Upstream: go.yaml.in/yaml/v2/encode.go, go.yaml.in/yaml/v2/emitterc.go
// As sigs.k8s.io/yaml uses them.
import { Entries } from '../json/runtime.ts';
import { compareKeys } from './key-order.ts';
import type { ScalarStyle } from './scalar-style.ts';
import { isBase60, styleOf } from './scalar-style.ts';
import { resolve } from './resolve.ts';

export interface YamlStyle {
  /** keys in the order of their names, instead of their own */
  readonly sorted: boolean;
  /** text is folded at the first space beyond this column */
  readonly width: number;
}

const objectStyle: YamlStyle = { sorted: true, width: 80 };

/** Longer keys are written in the explicit form, `? key`. */
const maxSimpleKey = 128;

/** A JSON value as upstream writes YAML: sorted keys, lists at the indentation of their key, folded lines. */
export function writeYaml(value: unknown, style = objectStyle): string {
  return new YamlWriter(style).document(value);
}

class YamlWriter {
  readonly #style: YamlStyle;
  #out = '';
  #column = 0;
  /** nothing but indentation and indicators on this line so far */
  #fresh = true;
  /** the next token needs no space before it */
  #spaced = true;

  constructor(style: YamlStyle) {
    this.#style = style;
  }

  document(value: unknown): string {
    this.#node(value, -2, false);
    if (this.#column > 0) this.#break();
    return this.#out;
  }

  /** `indent` is that of the collection around the node. */
  #node(value: unknown, indent: number, indentless: boolean): void {
    if (Array.isArray(value)) {
      if (value.length === 0) this.#word('[]');
      else this.#sequence(value, indentless ? indent : indent + 2);
    } else if (typeof value === 'object' && value !== null) {
      const entries = entriesOf(value);
      if (entries.length === 0) this.#word('{}');
      else this.#mapping(this.#style.sorted ? entries.sort(([left], [right]) => compareKeys(left, right)) : entries, indent + 2);
    } else {
      this.#scalar(value, Math.max(indent, 0) + 2, false);
    }
  }

  #sequence(items: readonly unknown[], indent: number): void {
    for (const item of items) {
      this.#line(indent);
      this.#indicator('-');
      this.#node(item, indent, false);
    }
  }

  #mapping(entries: readonly (readonly [string, unknown])[], indent: number): void {
    for (const [key, value] of entries) {
      this.#line(indent);
      const simple = !/[\n\r\x85\u2028\u2029]/.test(key) && Buffer.byteLength(key) <= maxSimpleKey;
      if (!simple) this.#indicator('?');
      this.#scalar(key, indent + 2, simple);
      if (!simple) this.#line(indent);
      this.#put(':');
      this.#spaced = false;
      if (simple) this.#fresh = false;
      this.#node(value, indent, simple);
    }
  }

  #scalar(value: unknown, indent: number, key: boolean): void {
    if (typeof value !== 'string') {
      this.#word(value === null ? 'null' : typeof value === 'number' || typeof value === 'bigint' ? formatNumber(value) : String(value));
      return;
    }
    const text = key ? value : foldNextLines(value);
    const style = styleOf(text, resolve(text).tag === 'str' && !isBase60(text), key);
    this.#writers[style](text, indent, !key);
    this.#spaced = false;
  }

  readonly #writers: Readonly<Record<ScalarStyle, (text: string, indent: number, fold: boolean) => void>> = {
    plain: (text, indent, fold) => this.#folded(text, '', indent, fold),
    single: (text, indent, fold) => this.#folded(text, `'`, indent, fold),
    double: (text, indent, fold) => this.#doubleQuoted(text, indent, fold),
    literal: (text, indent) => this.#literal(text, indent),
  };

  #folded(text: string, quote: string, indent: number, fold: boolean): void {
    this.#separate();
    this.#put(quote);
    const last = text.length - 1;
    let [spaces, breaks] = [false, false];
    for (let at = 0, end: number; at <= last; at = end) {
      end = at + 1;
      const character = text[at] as string;
      if (character === ' ') {
        const edge = quote !== '' && (at === 0 || at === last);
        if (fold && !spaces && this.#column > this.#style.width && !edge && text[at + 1] !== ' ') this.#line(indent);
        else this.#put(' ');
        spaces = true;
      } else if (character === '\u2028' || character === '\u2029') {
        this.#put(character);
        this.#column = 0;
        this.#fresh = breaks = true;
      } else {
        end = endOfRun(text, at, / |[\u2028\u2029]/g);
        const run = text.slice(at, end);
        if (breaks) this.#line(indent);
        this.#put(quote === '' ? run : run.replaceAll(`'`, `''`));
        this.#fresh = spaces = breaks = false;
      }
    }
    this.#put(quote);
    this.#fresh = false;
  }

  #doubleQuoted(text: string, indent: number, fold: boolean): void {
    this.#separate();
    this.#put('"');
    // a quirk kept: a text that starts with a byte order mark has every character escaped
    if (text.startsWith('\ufeff')) this.#put(text.replace(/[^]/gu, escapeCharacter));
    else this.#escaped(text, indent, fold);
    this.#put('"');
    this.#fresh = false;
  }

  #escaped(text: string, indent: number, fold: boolean): void {
    const last = text.length - 1;
    let spaces = false;
    for (let at = 0, end: number; at <= last; at = end) {
      if (text[at] !== ' ') {
        end = endOfRun(text, at, / /g);
        this.#put(text.slice(at, end).replace(mustEscape, escapeCharacter));
        spaces = false;
        continue;
      }
      end = at + 1;
      if (fold && !spaces && this.#column > this.#style.width && at > 0 && at < last) {
        this.#fresh = false;
        this.#line(indent);
        if (text[at + 1] === ' ') this.#put('\\');
      } else {
        this.#put(' ');
      }
      spaces = true;
    }
  }

  #literal(text: string, indent: number): void {
    this.#separate();
    const hint = /^[ \n\u2028\u2029]/.test(text) ? '2' : '';
    const chomp = /[\n\u2028\u2029]$/.test(text) ? (/^[^]$|[\n\u2028\u2029][\n\u2028\u2029]$/.test(text) ? '+' : '') : '-';
    this.#put(`|${hint}${chomp}`);
    this.#break();
    let start = true;
    for (let at = 0, end: number; at < text.length; at = end) {
      end = at + 1;
      const character = text[at] as string;
      if (character === '\n') {
        this.#break();
        start = true;
      } else if (character === '\u2028' || character === '\u2029') {
        this.#put(character);
        this.#column = 0;
        this.#fresh = start = true;
      } else {
        end = endOfRun(text, at, /[\n\u2028\u2029]/g);
        if (start) this.#line(indent);
        this.#put(text.slice(at, end));
        this.#fresh = start = false;
      }
    }
  }

  #word(text: string): void {
    this.#separate();
    this.#put(text);
    this.#fresh = false;
  }

  #indicator(character: string): void {
    this.#separate();
    this.#put(character);
    this.#spaced = false;
  }

  #separate(): void {
    if (!this.#spaced) this.#put(' ');
    this.#spaced = true;
  }

  /** Goes to the column, on a new line unless this one has only come so far. */
  #line(indent: number): void {
    if (!this.#fresh || this.#column > indent) this.#break();
    if (this.#column < indent) this.#put(' '.repeat(indent - this.#column));
    this.#fresh = this.#spaced = true;
  }

  #break(): void {
    this.#out += '\n';
    this.#column = 0;
    this.#fresh = this.#spaced = true;
  }

  #put(text: string): void {
    this.#out += text;
    this.#column += text.length < 2 || !/[\ud800-\udbff]/.test(text) ? text.length : [...text].length;
  }
}

/** Where something else begins. Texts are written in runs: character by character a megabyte would take too long. */
function endOfRun(text: string, at: number, other: RegExp): number {
  other.lastIndex = at;
  return other.exec(text)?.index ?? text.length;
}

function entriesOf(value: object): (readonly [string, unknown])[] {
  const entries = value instanceof Entries ? value.entries : Object.entries(value);
  return entries.map(([key, item]) => [foldNextLines(key), item]);
}

/**
 * A quirk kept: upstream gets to YAML by reading its JSON as YAML, where the one line break that JSON leaves unescaped (U+0085) is folded
 * into a space.
 */
function foldNextLines(text: string): string {
  if (!text.includes('\x85')) return text;
  return text.replace(/(?<! ) *(?:\x85 *)+/g, (run) => {
    const breaks = run.replaceAll(' ', '').length;
    return breaks === 1 ? ' ' : '\n'.repeat(breaks - 1);
  });
}

const mustEscape = /[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]|["\\]/gu;

const shortEscapes: ReadonlyMap<number, string> = new Map([
  [0x00, '0'],
  [0x07, 'a'],
  [0x08, 'b'],
  [0x09, 't'],
  [0x0a, 'n'],
  [0x0b, 'v'],
  [0x0c, 'f'],
  [0x0d, 'r'],
  [0x1b, 'e'],
  [0x22, '"'],
  [0x5c, '\\'],
  [0x85, 'N'],
  [0xa0, '_'],
  [0x2028, 'L'],
  [0x2029, 'P'],
]);

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0)!;
  const short = shortEscapes.get(code);
  if (short !== undefined) return `\\${short}`;
  const [letter, width] = code <= 0xff ? ['x', 2] : code <= 0xffff ? ['u', 4] : ['U', 8];
  return `\\${letter}${code
    .toString(16)
    .toUpperCase()
    .padStart(width as number, '0')}`;
}

/** Integers of 64 bits in full, everything else as Go's shortest `g` format. */
function formatNumber(value: number | bigint): string {
  if (typeof value === 'bigint') return value.toString();
  // what JSON says of the number is read as an integer where it looks like one
  if (Number.isInteger(value) && value > -(2 ** 63) && value < 2 ** 64) return String(value);
  const [mantissa = '', exponentText] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  if (exponent >= -4 && exponent < 21 && Math.abs(exponent) < 6)
    return exponent < 0 ? value.toFixed(mantissaDigits(mantissa) - 1 - exponent) : String(value);
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function mantissaDigits(mantissa: string): number {
  return mantissa.replace(/[-.]/g, '').length;
}
