// Upstream: go.yaml.in/yaml/v2/encode.go, go.yaml.in/yaml/v2/emitterc.go
// As sigs.k8s.io/yaml uses them.
import type { Steps } from '../../../base/steps.ts';
import { Entries } from '../json/runtime.ts';
import { compareKeys } from './key-order.ts';
import type { ScalarStyle } from './scalar-style.ts';
import { isBase60, styleOf } from './scalar-style.ts';
import { TextBuilder } from './text-builder.ts';
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

/** The same, for what may be large. */
export function writingYaml(value: unknown): Steps<string> {
  return new YamlWriter(objectStyle).writing(value);
}

/** What lies deeper is written at once: there is no room for much of it. */
const deepestSteps = 8;
const entriesInStep = 128;

class YamlWriter {
  readonly #style: YamlStyle;
  readonly #out = new TextBuilder();
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
    return this.#end();
  }

  *writing(value: unknown): Steps<string> {
    yield* this.#writingNode(value, -2, false, 0);
    return this.#end();
  }

  #end(): string {
    if (this.#column > 0) this.#break();
    return this.#out.take();
  }

  /** `indent` is that of the collection around the node. */
  #node(value: unknown, indent: number, indentless: boolean): void {
    if (Array.isArray(value)) {
      if (value.length === 0) this.#word('[]');
      else this.#sequence(value, indentless ? indent : indent + 2);
    } else if (typeof value === 'object' && value !== null) {
      const entries = this.#entries(value);
      if (entries.length === 0) this.#word('{}');
      else this.#mapping(entries, indent + 2);
    } else {
      this.#scalar(value, Math.max(indent, 0) + 2, false);
    }
  }

  *#writingNode(value: unknown, indent: number, indentless: boolean, depth: number): Steps<void> {
    if (typeof value !== 'object' || value === null || depth === deepestSteps) return this.#node(value, indent, indentless);
    let written = 0;
    if (Array.isArray(value)) {
      if (value.length === 0) this.#word('[]');
      const at = indentless ? indent : indent + 2;
      for (const item of value) {
        this.#item(at);
        yield* this.#writingNode(item, at, false, depth + 1);
        if (++written % entriesInStep === 0) yield;
      }
      return;
    }
    const entries = this.#style.sorted ? yield* sortingEntries(entriesOf(value)) : entriesOf(value);
    yield;
    if (entries.length === 0) this.#word('{}');
    for (const [key, item] of entries) {
      const simple = this.#key(key, indent + 2);
      if (typeof item === 'object' && item !== null) yield* this.#writingNode(item, indent + 2, simple, depth + 1);
      else this.#node(item, indent + 2, simple);
      if (++written % entriesInStep === 0) yield;
    }
  }

  #entries(value: object): readonly (readonly [string, unknown])[] {
    const entries = entriesOf(value);
    return this.#style.sorted ? entries.sort(([left], [right]) => compareKeys(left, right)) : entries;
  }

  #sequence(items: readonly unknown[], indent: number): void {
    for (const item of items) {
      this.#item(indent);
      this.#node(item, indent, false);
    }
  }

  #item(indent: number): void {
    this.#line(indent);
    this.#indicator('-');
  }

  #mapping(entries: readonly (readonly [string, unknown])[], indent: number): void {
    for (const [key, value] of entries) this.#node(value, indent, this.#key(key, indent));
  }

  /** Whether it stands on the line of its value. */
  #key(key: string, indent: number): boolean {
    this.#line(indent);
    const simple = !/[\n\r\x85\u2028\u2029]/.test(key) && Buffer.byteLength(key) <= maxSimpleKey;
    if (!simple) this.#indicator('?');
    this.#scalar(key, indent + 2, simple);
    if (!simple) this.#line(indent);
    this.#put(':');
    this.#spaced = false;
    if (simple) this.#fresh = false;
    return simple;
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
    for (let at = 0; at <= last; at++) {
      const code = text.charCodeAt(at);
      if (code === space) {
        const edge = quote !== '' && (at === 0 || at === last);
        if (fold && !spaces && this.#column > this.#style.width && !edge && text.charCodeAt(at + 1) !== space) this.#line(indent);
        else this.#putCode(space);
        spaces = true;
      } else if (isLineOrParagraph(code)) {
        this.#putBreak(code);
        breaks = true;
      } else {
        if (breaks) this.#line(indent);
        if (code === apostrophe && quote !== '') this.#putCode(code);
        this.#putCode(code);
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
    this.#escaped(text, indent, fold, text.startsWith('\ufeff'));
    this.#put('"');
    this.#fresh = false;
  }

  #escaped(text: string, indent: number, fold: boolean, all: boolean): void {
    const last = text.length - 1;
    let spaces = false;
    for (let at = 0; at <= last; at++) {
      const code = text.codePointAt(at)!;
      if (code > 0xffff) at++;
      if (all || mustEscape(code)) {
        this.#putEscape(code);
        spaces = false;
      } else if (code !== space) {
        this.#putCode(code);
        spaces = false;
      } else {
        if (fold && !spaces && this.#column > this.#style.width && at > 0 && at < last) {
          this.#fresh = false;
          this.#line(indent);
          if (text.charCodeAt(at + 1) === space) this.#put('\\');
        } else {
          this.#putCode(space);
        }
        spaces = true;
      }
    }
  }

  #putEscape(code: number): void {
    const out = this.#out;
    out.add(backslash);
    const letter = code <= 0xff ? shortEscapes[code]! : code === 0x2028 ? 0x4c : code === 0x2029 ? 0x50 : 0;
    const digits = letter > 0 ? 0 : code <= 0xff ? 2 : code <= 0xffff ? 4 : 8;
    out.add(letter > 0 ? letter : digits === 2 ? 0x78 : digits === 4 ? 0x75 : 0x55);
    for (let place = 4 * (digits - 1); place >= 0; place -= 4) {
      const digit = (code >>> place) & 0xf;
      out.add(digit < 10 ? 0x30 + digit : 0x37 + digit);
    }
    this.#column += 2 + digits;
  }

  #literal(text: string, indent: number): void {
    this.#separate();
    const hint = /^[ \n\u2028\u2029]/.test(text) ? '2' : '';
    const chomp = /[\n\u2028\u2029]$/.test(text) ? (/^[^]$|[\n\u2028\u2029][\n\u2028\u2029]$/.test(text) ? '+' : '') : '-';
    this.#put(`|${hint}${chomp}`);
    this.#break();
    let isStart = true;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      const isBreak = code === lineFeed || isLineOrParagraph(code);
      if (isStart && !isBreak) this.#out.addSpaces(indent);
      this.#out.add(code);
      isStart = isBreak;
    }
    // What follows is on a line of its own.
    this.#column = isStart ? 0 : indent;
    this.#fresh = this.#spaced = isStart;
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
    if (this.#column < indent) {
      this.#out.addSpaces(indent - this.#column);
      this.#column = indent;
    }
    this.#fresh = this.#spaced = true;
  }

  #break(): void {
    this.#out.add(lineFeed);
    this.#column = 0;
    this.#fresh = this.#spaced = true;
  }

  /** A break that Unicode has made for it, which a text keeps. */
  #putBreak(code: number): void {
    this.#out.add(code);
    this.#column = 0;
    this.#fresh = true;
  }

  #put(text: string): void {
    for (let at = 0; at < text.length; at++) this.#putCode(text.charCodeAt(at));
  }

  #putCode(code: number): void {
    // two surrogates are one character
    if ((code & 0xfc00) !== 0xdc00 || !this.#out.endsInHighSurrogate) this.#column++;
    this.#out.add(code);
  }
}

const entriesInRun = 2048;

/** Sorts runs, and merges them two by two, stably as all at once. */
function* sortingEntries(entries: (readonly [string, unknown])[]): Steps<readonly (readonly [string, unknown])[]> {
  const inOrder = ([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number => compareKeys(left, right);
  if (entries.length <= entriesInRun) return entries.sort(inOrder);
  let runs: (readonly (readonly [string, unknown])[])[] = [];
  for (let at = 0; at < entries.length; at += entriesInRun) {
    runs.push(entries.slice(at, at + entriesInRun).sort(inOrder));
    yield;
  }
  while (runs.length > 1) {
    const merged: typeof runs = [];
    for (let at = 0; at < runs.length; at += 2) merged.push(yield* mergingRuns(runs[at]!, runs[at + 1] ?? [], inOrder));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* mergingRuns<T>(left: readonly T[], right: readonly T[], compare: (left: T, right: T) => number): Steps<readonly T[]> {
  const merged: T[] = [];
  let [l, r] = [0, 0];
  while (l < left.length && r < right.length) {
    merged.push(compare(left[l]!, right[r]!) <= 0 ? left[l++]! : right[r++]!);
    if (merged.length % entriesInRun === 0) yield;
  }
  while (l < left.length) merged.push(left[l++]!);
  while (r < right.length) merged.push(right[r++]!);
  return merged;
}

const lineFeed = 0x0a;
const space = 0x20;
const apostrophe = 0x27;
const backslash = 0x5c;

function isLineOrParagraph(code: number): boolean {
  return code === 0x2028 || code === 0x2029;
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

/** What cannot be printed, and what means something in quotes. */
function mustEscape(code: number): boolean {
  if (code <= 0x7e) return code < space || code === 0x22 || code === backslash;
  return code < 0xa0 || isLineOrParagraph(code) || (code > 0xd7ff && code < 0xe000) || (code > 0xfefe && code < 0xff00) || code > 0xfffd;
}

/** Letters of the escapes that have one, up to U+00FF; 0: it has none. The two beyond are those of line and paragraph: L and P. */
const shortEscapes = lettersBy({
  '\0': '0',
  '\x07': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
  '\x1b': 'e',
  '"': '"',
  '\\': '\\',
  '\x85': 'N',
  '\xa0': '_',
});

function lettersBy(escapes: Readonly<Record<string, string>>): Readonly<Uint8Array> {
  const letters = new Uint8Array(256);
  for (const [character, letter] of Object.entries(escapes)) letters[character.charCodeAt(0)] = letter.charCodeAt(0);
  return letters;
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
