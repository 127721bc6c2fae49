// Upstream: go.yaml.in/yaml/v2/scannerc.go#yaml_parser_scan_flow_scalar, #yaml_parser_scan_plain_scalar, #yaml_parser_scan_block_scalar
import type { Cursor, Mark } from './cursor.ts';
import { stopsAt } from './cursor.ts';

const escapes: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  t: '\t',
  '\t': '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\x1b',
  ' ': ' ',
  '"': '"',
  "'": "'",
  '\\': '\\',
  N: '\x85',
  _: '\xa0',
  L: '\u2028',
  P: '\u2029',
};

const codeLengths: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** Breaks between two pieces of text: one is a space, more are all but the first. */
function joined(first: string, others: string): string {
  return first === '\n' ? others || ' ' : first + others;
}

/** Text in quotes, the cursor at the opening one. Continuation lines may start anywhere. */
export function scanQuoted(cursor: Cursor): string {
  const start = cursor.mark;
  const quote = cursor.char();
  cursor.skip();
  let result = '';
  for (;;) {
    if (cursor.isDocumentIndicator()) throw cursor.fault('found unexpected document indicator', start);
    if (cursor.isAtEnd) throw cursor.fault('found unexpected end of stream', start);
    const { text, folds } = quotedPiece(cursor, quote, start);
    result += text;
    if (cursor.char() === quote) break;
    result += quotedGap(cursor, folds);
  }
  cursor.skip();
  return result;
}

const hexDigits = /^[0-9a-fA-F]+$/;
const quotedStops = stopsAt('"\\');
const singleStops = stopsAt("'");

/** Text up to a blank, a break or the closing quote; `folds`: a backslash joins it with the next line. */
function quotedPiece(cursor: Cursor, quote: string, start: Mark): { text: string; folds: boolean } {
  let text = '';
  while (!cursor.isBlankOrEnd()) {
    const character = cursor.char();
    if (character === quote) {
      if (quote === '"' || cursor.char(1) !== quote) break;
      text += quote;
      cursor.skip(2);
    } else if (quote === '"' && character === '\\') {
      if (cursor.isBreak(1)) {
        cursor.skip();
        cursor.readBreak();
        return { text, folds: true };
      }
      text += escapedRun(cursor) || escaped(cursor, start);
    } else {
      const from = cursor.at;
      cursor.skip();
      cursor.skipText(quote === '"' ? quotedStops : singleStops);
      text += cursor.text.slice(from, cursor.at);
    }
  }
  return { text, folds: false };
}

/** Escapes that mean the same in JSON, with plain text between them; bounded, because patterns remember each repetition. */
const jsonRun = /(?:\\(?:[nrtbf"\\]|u(?![dD][89a-fA-F])[0-9a-fA-F]{4})|[!#-[\]-~]){1,4096}/y;
const hexRun = /(?:\\x[0-9a-fA-F]{2}){1,2048}/y;

/** Many escapes at once: read one by one, each would cost a string. Empty where there is another escape. */
function escapedRun(cursor: Cursor): string {
  const run = cursor.skipAll(jsonRun) || cursor.skipAll(hexRun).replaceAll('\\x', '\\u00');
  return run === '' ? '' : (JSON.parse(`"${run}"`) as string);
}

function escaped(cursor: Cursor, start: Mark): string {
  const letter = cursor.char(1);
  const plain = Object.hasOwn(escapes, letter) ? escapes[letter] : undefined;
  const length = Object.hasOwn(codeLengths, letter) ? codeLengths[letter]! : 0;
  if (plain === undefined && length === 0) throw cursor.fault('found unknown escape character', start);
  cursor.skip(2);
  if (plain !== undefined) return plain;
  const digits = cursor.text.slice(cursor.at, cursor.at + length);
  if (digits.length < length || !hexDigits.test(digits)) throw cursor.fault('did not find expected hexdecimal number', start);
  const code = Number.parseInt(digits, 16);
  if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) throw cursor.fault('found invalid Unicode character escape code', start);
  cursor.skip(length);
  return String.fromCodePoint(code);
}

function quotedGap(cursor: Cursor, folds: boolean): string {
  let blanks = '';
  let first: string | undefined = folds ? '' : undefined;
  let others = '';
  while (cursor.isBlank() || cursor.isBreak()) {
    if (cursor.isBlank()) {
      if (first === undefined) blanks += cursor.char();
      cursor.skip();
    } else if (first === undefined) first = cursor.readBreak();
    else others += cursor.readBreak();
  }
  if (first === undefined) return blanks;
  return first === '' ? others : joined(first, others);
}

/** What may end plain text, and what does inside brackets. */
const colon = 0x3a;
const blockStops = stopsAt(':');
const flowStops = stopsAt(':,?[]{}');

export interface PlainScalar {
  readonly text: string;
  /** it was followed by a line break */
  readonly endsLine: boolean;
}

/** Text without quotes; outside of brackets its lines are indented deeper than `indent`. */
export function scanPlain(cursor: Cursor, indent: number, isFlow: boolean): PlainScalar {
  const start = cursor.mark;
  const stops = isFlow ? flowStops : blockStops;
  let result = '';
  let blanks = '';
  let first: string | undefined;
  let others = '';
  while (!cursor.isDocumentIndicator() && cursor.char() !== '#') {
    const from = cursor.at;
    for (;;) {
      cursor.skipText(stops);
      if (cursor.code() !== colon || cursor.isBlankOrEnd(1)) break;
      cursor.skip();
    }
    if (cursor.at > from) {
      result += (first === undefined ? blanks : joined(first, others)) + cursor.text.slice(from, cursor.at);
      blanks = '';
      first = undefined;
      others = '';
    }
    if (!cursor.isBlank() && !cursor.isBreak()) break;
    while (cursor.isBlank() || cursor.isBreak()) {
      if (cursor.isBlank()) {
        if (first !== undefined && cursor.column <= indent && cursor.isTab()) {
          throw cursor.fault('found a tab character that violates indentation', start);
        }
        if (first === undefined) blanks += cursor.char();
        cursor.skip();
      } else if (first === undefined) first = cursor.readBreak();
      else others += cursor.readBreak();
    }
    if (!isFlow && cursor.column <= indent) break;
  }
  return { text: result, endsLine: first !== undefined };
}

/** `|` and `>`, the cursor at them; `parent` is the indentation of what they are part of. */
export function scanBlock(cursor: Cursor, parent: number): string {
  const start = cursor.mark;
  const isLiteral = cursor.char() === '|';
  cursor.skip();
  const { chomping, increment } = blockHeader(cursor, start);
  cursor.skipBlanks();
  cursor.skipComment();
  if (!cursor.isBreakOrEnd()) throw cursor.fault('did not find expected comment or line break', start);
  cursor.readBreak();

  const lines = new BlockLines(cursor, start, parent, increment === 0 ? 0 : Math.max(parent, 0) + increment);
  let result = '';
  let first = '';
  let others = lines.skipEmpty();
  let wasBlank = false;
  while (cursor.column === lines.indent && !cursor.isAtEnd) {
    const isBlank = cursor.isBlank();
    if (!isLiteral && !wasBlank && !isBlank && first === '\n') result += others === '' ? ' ' : '';
    else result += first;
    result += others;
    wasBlank = isBlank;
    const from = cursor.at;
    cursor.skipLine();
    result += cursor.text.slice(from, cursor.at);
    // At the end of the text there is no break, and none is added.
    first = cursor.readBreak();
    others = lines.skipEmpty();
  }
  if (chomping !== '-') result += first;
  return chomping === '+' ? result + others : result;
}

function blockHeader(cursor: Cursor, start: Mark): { chomping: string; increment: number } {
  let chomping = '';
  let increment = 0;
  for (let part = 0; part < 2; part++) {
    const character = cursor.char();
    if (chomping === '' && (character === '+' || character === '-')) chomping = character;
    else if (increment === 0 && character >= '0' && character <= '9' && character !== '') {
      if (character === '0') throw cursor.fault('found an indentation indicator equal to 0', start);
      increment = Number(character);
    } else break;
    cursor.skip();
  }
  return { chomping, increment };
}

/** The empty lines of a block, and how deep it is indented: as far as its first line, unless its header says it. */
class BlockLines {
  readonly #cursor: Cursor;
  readonly #start: Mark;
  readonly #parent: number;
  /** 0: not known yet */
  indent: number;

  constructor(cursor: Cursor, start: Mark, parent: number, indent: number) {
    this.#cursor = cursor;
    this.#start = start;
    this.#parent = parent;
    this.indent = indent;
  }

  skipEmpty(): string {
    const cursor = this.#cursor;
    const isBefore = (): boolean => this.indent === 0 || cursor.column < this.indent;
    let breaks = '';
    let deepest = 0;
    for (;;) {
      while (isBefore() && cursor.isSpace()) cursor.skip();
      deepest = Math.max(deepest, cursor.column);
      if (isBefore() && cursor.isTab()) {
        throw cursor.fault('found a tab character where an indentation space is expected', this.#start);
      }
      if (!cursor.isBreak()) break;
      breaks += cursor.readBreak();
    }
    if (this.indent === 0) this.indent = Math.max(deepest, this.#parent + 1, 1);
    return breaks;
  }
}
