// Upstream: go.yaml.in/yaml/v2/readerc.go, go.yaml.in/yaml/v2/yamlprivateh.go, go.yaml.in/yaml/v2/decode.go#fail
import { DecodeError } from '../decode-error.ts';
import { TextBuilder } from './text-builder.ts';

/** A place in the text; lines and columns count from zero. */
export interface Mark {
  readonly at: number;
  readonly line: number;
  readonly column: number;
}

const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;

/** 1 for each ASCII character at which text ends. */
export type Stops = Readonly<Uint8Array>;

export function stopsAt(characters: string): Stops {
  const stops = new Uint8Array(128);
  for (const character of characters) stops[character.charCodeAt(0)] = 1;
  return stops;
}

/** The text, and how far it has been read. */
export class Cursor {
  readonly text: string;
  at = 0;
  line = 0;
  #lineStart = 0;
  /** for texts that are not part of the text as they are */
  readonly builder = new TextBuilder();

  constructor(text: string) {
    this.text = text;
  }

  get column(): number {
    return this.at - this.#lineStart;
  }

  get mark(): Mark {
    return { at: this.at, line: this.line, column: this.column };
  }

  /** NaN at the end, which equals nothing. */
  code(ahead = 0): number {
    return this.text.charCodeAt(this.at + ahead);
  }

  char(ahead = 0): string {
    return this.text[this.at + ahead] ?? '';
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  isBlank(ahead = 0): boolean {
    const code = this.code(ahead);
    return code === space || code === tab;
  }

  isSpace(): boolean {
    return this.code() === space;
  }

  isTab(): boolean {
    return this.code() === tab;
  }

  isBreak(ahead = 0): boolean {
    return isBreakCode(this.code(ahead));
  }

  /** blank, break or end */
  isBlankOrEnd(ahead = 0): boolean {
    const code = this.code(ahead);
    return code === space || code === tab || Number.isNaN(code) || isBreakCode(code);
  }

  isBreakOrEnd(): boolean {
    const code = this.code();
    return Number.isNaN(code) || isBreakCode(code);
  }

  /** `---` or `...` at the start of a line, and nothing joined to it. */
  isDocumentIndicator(): boolean {
    if (this.at !== this.#lineStart) return false;
    const three = this.text.slice(this.at, this.at + 3);
    return (three === '---' || three === '...') && this.isBlankOrEnd(3);
  }

  skip(count = 1): void {
    this.at += count;
  }

  /** Skips what a sticky pattern matches here, and returns it. */
  skipAll(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? '';
    this.at += found.length;
    return found;
  }

  skipBlanks(): void {
    while (this.isBlank()) this.at++;
  }

  /** To the end of the line, if a comment starts here. */
  skipComment(): void {
    if (this.code() === 0x23) this.skipLine();
  }

  /** To the end of the line. */
  skipLine(): void {
    while (this.at < this.text.length && !isBreakCode(this.text.charCodeAt(this.at))) this.at++;
  }

  /** To the next blank or break, or to one of these characters. */
  skipText(stops: Stops): void {
    const { text } = this;
    let { at } = this;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code <= space ? code === space || code === tab || isBreakCode(code) : code > 0x7f ? isBreakCode(code) : stops[code] === 1) break;
    }
    this.at = at;
  }

  /** Reads a line break; as text it is a line feed, except for the two that Unicode has made for it. At the end there is none. */
  readBreak(): string {
    if (this.isAtEnd) return '';
    const code = this.code();
    this.at += code === carriageReturn && this.code(1) === lineFeed ? 2 : 1;
    this.newLine();
    return code === 0x2028 || code === 0x2029 ? String.fromCharCode(code) : '\n';
  }

  /** What follows is a line of its own. */
  newLine(): void {
    this.line++;
    this.#lineStart = this.at;
  }

  /** A fault that the scanner finds, here. Quirks kept: lines count from one here and from zero elsewhere, and the first is not named. */
  fault(problem: string, start?: Mark): DecodeError {
    const line = this.line !== 0 ? this.line + 1 : (start?.line ?? 0);
    return faultAt(problem, line);
  }
}

export function isBreakCode(code: number): boolean {
  return code === lineFeed || code === carriageReturn || code === 0x85 || code === 0x2028 || code === 0x2029;
}

export function faultAt(problem: string, line: number): DecodeError {
  return new DecodeError(`yaml: ${line === 0 ? '' : `line ${line}: `}${problem}`);
}

/** What no text may hold, wherever it stands. */
// oxlint-disable-next-line no-control-regex
const forbidden =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]|(?<![\ud800-\udbff])[\udc00-\udfff]|[\ud800-\udbff](?![\udc00-\udfff])/;

export function checkCharacters(text: string): void {
  if (forbidden.test(text)) throw new DecodeError('yaml: control characters are not allowed');
}
