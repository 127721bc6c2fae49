// Upstream: go.yaml.in/yaml/v2/scannerc.go#yaml_parser_scan_flow_scalar, #yaml_parser_scan_plain_scalar, #yaml_parser_scan_block_scalar
import type { Cursor, Mark } from './cursor.ts';
import { isBreakCode, stopsAt } from './cursor.ts';

/** What an escape of one letter stands for, by the code of the letter; -1: there is none. */
const escapes = codesBy({
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
});

function codesBy(characters: Readonly<Record<string, string>>): Readonly<Int32Array> {
  const codes = new Int32Array(128).fill(-1);
  for (const [letter, character] of Object.entries(characters)) codes[letter.charCodeAt(0)] = character.charCodeAt(0);
  return codes;
}

const backslash = 0x5c;

/** How many digits follow. */
const codeLengths: ReadonlyMap<number, number> = new Map([
  [0x78, 2],
  [0x75, 4],
  [0x55, 8],
]);

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
      text += escapedRun(cursor, start);
    } else {
      const from = cursor.at;
      cursor.skip();
      cursor.skipText(quote === '"' ? quotedStops : singleStops);
      text += cursor.text.slice(from, cursor.at);
    }
  }
  return { text, folds: false };
}

/** Escapes and the text between them, many at once: read one by one, each would cost a string. The cursor is at the first one. */
function escapedRun(cursor: Cursor, start: Mark): string {
  const { text, builder } = cursor;
  let { at } = cursor;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== backslash) {
      if (isEndOfRun(code)) break;
      builder.add(code);
      at++;
      continue;
    }
    const letter = text.charCodeAt(at + 1);
    if (isBreakCode(letter)) break;
    const plain = escapes[letter] ?? -1;
    const digits = plain >= 0 ? 0 : codeLengths.get(letter);
    if (digits === undefined) throw cursor.fault('found unknown escape character', start);
    builder.add(plain >= 0 ? plain : escapedCode(cursor, start, at + 2, digits));
    at += 2 + digits;
  }
  cursor.at = at;
  return builder.take();
}

/** A blank, a break, the closing quote, or the end of the text. */
function isEndOfRun(code: number): boolean {
  return code <= 0x22
    ? code === 0x22 || code === 0x20 || code === 0x09 || isBreakCode(code)
    : !(code <= 0x84) && (Number.isNaN(code) || isBreakCode(code));
}

/** A character by its number. */
function escapedCode(cursor: Cursor, start: Mark, at: number, length: number): number {
  let code = 0;
  for (let index = 0; index < length; index++) {
    const digit = hexDigit(cursor.text.charCodeAt(at + index));
    if (digit < 0) throw cursor.fault('did not find expected hexdecimal number', start);
    code = code * 16 + digit;
  }
  if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) throw cursor.fault('found invalid Unicode character escape code', start);
  return code;
}

/** -1: it is none */
function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
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
