// Upstream: go.yaml.in/yaml/v2/scannerc.go
import type { DecodeError } from '../decode-error.ts';
import type { Mark } from './cursor.ts';
import { Cursor } from './cursor.ts';
import { scanBlock, scanPlain, scanQuoted } from './scan-scalars.ts';
import { scanDirective, scanTag } from './scan-tags.ts';

/** Tokens that are what they are. */
type Sign =
  | 'stream end'
  | 'document start'
  | 'document end'
  | 'block sequence'
  | 'block mapping'
  | 'block end'
  | '['
  | ']'
  | '{'
  | '}'
  | ','
  | '-'
  | 'key'
  | 'value';

export type Token = { readonly start: Mark } & (
  | { readonly kind: Sign }
  | { readonly kind: 'alias' | 'anchor'; readonly name: string }
  | { readonly kind: 'tag'; readonly handle: string; readonly suffix: string }
  | { readonly kind: 'version'; readonly isKnown: boolean }
  | { readonly kind: 'tag directive'; readonly handle: string; readonly prefix: string }
  | { readonly kind: 'scalar'; readonly text: string; readonly isPlain: boolean }
);

/** Where a key without `?` may have begun, until a `:` says so. */
interface SimpleKey {
  readonly number: number;
  readonly start: Mark;
  /** nothing but a key can stand there */
  readonly isRequired: boolean;
}

const maxDepth = 10_000;
const maxKeyLength = 1024;
/** What no plain text starts with, or only where it is joined to something. */
const notPlain: ReadonlySet<string> = new Set('-?:,[]{}#&*!|>\'"%@`');
const anchorEnds: ReadonlySet<string> = new Set('?:,]}%@`');

/** Throws DecodeError where there is no next token. */
export interface Tokens {
  peek(): Token;
  take(): Token;
}

/** Cuts a stream into tokens, one ahead of the parser: more only where a token may turn out to be a key. */
export class Scanner implements Tokens {
  readonly #cursor: Cursor;
  readonly #tokens: Token[] = [];
  /** tokens handed out */
  #taken = 0;
  #indent = -1;
  readonly #indents: number[] = [];
  #flowLevel = 0;
  #allowsKey = true;
  /** one for each level of brackets */
  readonly #keys: (SimpleKey | undefined)[] = [undefined];
  readonly #keysByNumber = new Map<number, SimpleKey>();

  constructor(text: string) {
    this.#cursor = new Cursor(text);
  }

  peek(): Token {
    while (this.#needsMore()) this.#fetch();
    return this.#tokens[0]!;
  }

  take(): Token {
    const token = this.peek();
    this.#tokens.shift();
    this.#taken++;
    return token;
  }

  #needsMore(): boolean {
    if (this.#tokens.length === 0) return true;
    const key = this.#keysByNumber.get(this.#taken);
    return key !== undefined && this.#isValid(key);
  }

  /** A key is on one line and short; one that has to be there and is not is a fault. */
  #isValid(key: SimpleKey): boolean {
    const { start, isRequired } = key;
    if (start.line === this.#cursor.line && start.at + maxKeyLength >= this.#cursor.at) return true;
    if (isRequired) throw this.#missingColon(start);
    this.#forget(key);
    return false;
  }

  #missingColon(start: Mark): DecodeError {
    return this.#cursor.fault(`could not find expected ':'`, start);
  }

  #forget(key: SimpleKey): void {
    this.#keysByNumber.delete(key.number);
    const level = this.#keys.lastIndexOf(key);
    if (level >= 0) this.#keys[level] = undefined;
  }

  #saveKey(): void {
    if (!this.#allowsKey) return;
    const start = this.#cursor.mark;
    const isRequired = this.#flowLevel === 0 && this.#indent === start.column;
    const key = { number: this.#taken + this.#tokens.length, start, isRequired };
    this.#removeKey();
    this.#keys[this.#keys.length - 1] = key;
    this.#keysByNumber.set(key.number, key);
  }

  #removeKey(): void {
    const key = this.#keys.at(-1);
    if (key === undefined) return;
    if (key.isRequired) throw this.#missingColon(key.start);
    this.#keysByNumber.delete(key.number);
    this.#keys[this.#keys.length - 1] = undefined;
  }

  #fetch(): void {
    const cursor = this.#cursor;
    this.#skipToToken();
    this.#unroll(cursor.column);
    if (cursor.isAtEnd) return this.#streamEnd();
    const character = cursor.char();
    if (cursor.column === 0 && character === '%') return this.#directive();
    if (cursor.isDocumentIndicator()) return this.#documentIndicator(character === '-' ? 'document start' : 'document end');
    const isLoose = cursor.isBlankOrEnd(1);
    switch (character) {
      case '[':
      case '{':
        return this.#open(character);
      case ']':
      case '}':
        return this.#close(character);
      case ',':
        this.#removeKey();
        this.#allowsKey = true;
        return this.#sign(',', 1);
      case '-':
        if (isLoose) return this.#blockEntry();
        break;
      case '?':
        if (this.#flowLevel > 0 || isLoose) return this.#explicitKey();
        break;
      case ':':
        if (this.#flowLevel > 0 || isLoose) return this.#value();
        break;
      case '*':
      case '&':
        return this.#anchor(character === '*' ? 'alias' : 'anchor');
      case '!':
        this.#saveKey();
        this.#allowsKey = false;
        this.#tokens.push(scanTag(cursor));
        return;
      case '|':
      case '>':
        if (this.#flowLevel === 0) return this.#block();
        break;
      case "'":
      case '"':
        return this.#quoted();
    }
    return this.#plain(character);
  }

  #skipToToken(): void {
    const cursor = this.#cursor;
    for (;;) {
      if (cursor.column === 0 && cursor.char() === '\ufeff') cursor.skip();
      while (cursor.isSpace() || ((this.#flowLevel > 0 || !this.#allowsKey) && cursor.isTab())) cursor.skip();
      cursor.skipComment();
      if (!cursor.isBreak()) return;
      cursor.readBreak();
      if (this.#flowLevel === 0) this.#allowsKey = true;
    }
  }

  /** Ends the blocks that are indented deeper. */
  #unroll(column: number): void {
    if (this.#flowLevel > 0) return;
    while (this.#indent > column) {
      this.#tokens.push({ kind: 'block end', start: this.#cursor.mark });
      this.#indent = this.#indents.pop()!;
    }
  }

  /** Begins a block where something is indented deeper; `number` says before which token. */
  #roll(column: number, kind: 'block sequence' | 'block mapping', start: Mark, number?: number): void {
    if (this.#flowLevel > 0 || this.#indent >= column) return;
    this.#indents.push(this.#indent);
    this.#indent = column;
    if (this.#indents.length > maxDepth) throw this.#tooDeep();
    this.#tokens.splice(number === undefined ? this.#tokens.length : number - this.#taken, 0, { kind, start });
  }

  #tooDeep(): DecodeError {
    return this.#cursor.fault(`exceeded max depth of ${maxDepth}`);
  }

  #sign(kind: Sign, length: number): void {
    this.#tokens.push({ kind, start: this.#cursor.mark });
    this.#cursor.skip(length);
  }

  #streamEnd(): void {
    if (this.#cursor.column !== 0) this.#cursor.newLine();
    this.#unroll(-1);
    this.#removeKey();
    this.#allowsKey = false;
    this.#sign('stream end', 0);
  }

  #directive(): void {
    this.#unroll(-1);
    this.#removeKey();
    this.#allowsKey = false;
    this.#tokens.push(scanDirective(this.#cursor));
  }

  #documentIndicator(kind: 'document start' | 'document end'): void {
    this.#unroll(-1);
    this.#removeKey();
    this.#allowsKey = false;
    this.#sign(kind, 3);
  }

  #open(bracket: '[' | '{'): void {
    this.#saveKey();
    this.#keys.push(undefined);
    if (++this.#flowLevel > maxDepth) throw this.#tooDeep();
    this.#allowsKey = true;
    this.#sign(bracket, 1);
  }

  #close(bracket: ']' | '}'): void {
    this.#removeKey();
    if (this.#flowLevel > 0) {
      this.#flowLevel--;
      this.#keys.pop();
    }
    this.#allowsKey = false;
    this.#sign(bracket, 1);
  }

  #blockEntry(): void {
    if (this.#flowLevel === 0) {
      if (!this.#allowsKey) throw this.#cursor.fault('block sequence entries are not allowed in this context');
      this.#roll(this.#cursor.column, 'block sequence', this.#cursor.mark);
    }
    this.#removeKey();
    this.#allowsKey = true;
    this.#sign('-', 1);
  }

  #explicitKey(): void {
    if (this.#flowLevel === 0) {
      if (!this.#allowsKey) throw this.#cursor.fault('mapping keys are not allowed in this context');
      this.#roll(this.#cursor.column, 'block mapping', this.#cursor.mark);
    }
    this.#removeKey();
    this.#allowsKey = this.#flowLevel === 0;
    this.#sign('key', 1);
  }

  #value(): void {
    const key = this.#keys.at(-1);
    if (key !== undefined && this.#isValid(key)) {
      const { start, number } = key;
      this.#tokens.splice(number - this.#taken, 0, { kind: 'key', start });
      this.#roll(start.column, 'block mapping', start, number);
      this.#forget(key);
      this.#allowsKey = false;
    } else {
      if (this.#flowLevel === 0) {
        if (!this.#allowsKey) throw this.#cursor.fault('mapping values are not allowed in this context');
        this.#roll(this.#cursor.column, 'block mapping', this.#cursor.mark);
      }
      this.#allowsKey = this.#flowLevel === 0;
    }
    this.#sign('value', 1);
  }

  #anchor(kind: 'alias' | 'anchor'): void {
    this.#saveKey();
    this.#allowsKey = false;
    const cursor = this.#cursor;
    const start = cursor.mark;
    cursor.skip();
    const from = cursor.at;
    while (/[\w-]/.test(cursor.char())) cursor.skip();
    const name = cursor.text.slice(from, cursor.at);
    if (name === '' || !(cursor.isBlankOrEnd() || anchorEnds.has(cursor.char()))) {
      throw cursor.fault('did not find expected alphabetic or numeric character', start);
    }
    this.#tokens.push({ kind, start, name });
  }

  #block(): void {
    this.#removeKey();
    this.#allowsKey = true;
    const start = this.#cursor.mark;
    this.#tokens.push({ kind: 'scalar', start, text: scanBlock(this.#cursor, this.#indent), isPlain: false });
  }

  #quoted(): void {
    this.#saveKey();
    this.#allowsKey = false;
    const start = this.#cursor.mark;
    this.#tokens.push({ kind: 'scalar', start, text: scanQuoted(this.#cursor), isPlain: false });
  }

  #plain(character: string): void {
    const cursor = this.#cursor;
    const isJoined =
      (character === '-' && !cursor.isBlank(1)) ||
      (this.#flowLevel === 0 && (character === '?' || character === ':') && !cursor.isBlankOrEnd(1));
    if (!isJoined && (notPlain.has(character) || cursor.isBlank())) {
      throw cursor.fault('found character that cannot start any token', cursor.mark);
    }
    this.#saveKey();
    this.#allowsKey = false;
    const start = cursor.mark;
    const { text, endsLine } = scanPlain(cursor, this.#indent, this.#flowLevel > 0);
    if (endsLine) this.#allowsKey = true;
    this.#tokens.push({ kind: 'scalar', start, text, isPlain: true });
  }
}
