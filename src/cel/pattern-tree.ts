// Upstream: std/regexp/syntax
// As far as patterns that are valid go: what is wrong with others is for re2js to say.

/** A part of a pattern. Captures are left out: no caller asks for what they hold. */
export type PatternNode =
  /** one character, by the text that stands for it and the flags that it is read with */
  | { readonly kind: 'character'; readonly source: string; readonly isFolded: boolean }
  | { readonly kind: 'assertion'; readonly at: Assertion }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly PatternNode[] }
  | Repeat;

export interface Repeat {
  readonly kind: 'repeat';
  readonly part: PatternNode;
  readonly min: number;
  readonly max: number;
  readonly isGreedy: boolean;
  /** rounds after which all others are like the last */
  readonly rounds: number;
}

export type Assertion = 'text start' | 'text end' | 'line start' | 'line end' | 'word boundary' | 'no word boundary';

export interface ReadPattern {
  readonly root: PatternNode;
  /** how many instructions it is compiled to, by Go's reckoning */
  readonly size: number;
  /** what it takes to compile its sets of characters, as much as so many instructions */
  readonly setEffort: number;
  /** has nothing in it that could be wrong: no unusual sets and escapes, for one */
  readonly isPlain: boolean;
  /** has a repetition of repetitions that is too large for Go */
  readonly repeatsTooOften: boolean;
  /** the same without what takes long to read and to simplify: valid exactly if the pattern is, repetitions that are too large aside */
  readonly outline: string;
  /** the same without what takes long to read: what is wrong with it is what is wrong with the pattern */
  readonly draft: string;
  /** the same without names of groups, which may be there twice in Go */
  readonly unnamed: string;
}

/** A pattern that is not valid, or at least not known to be. */
export interface UnreadablePattern {
  readonly root: undefined;
  readonly draft: string;
  /** the set of characters that does not end */
  readonly openSet: string;
  /** groups are in groups so deep that to read them takes long */
  readonly isTooDeep: boolean;
}

interface Piece {
  readonly node: PatternNode;
  readonly size: number;
  /** the product of the counts of nested repetitions, where it is largest */
  readonly count: number;
  /** matches nothing too */
  readonly isNullable: boolean;
}

interface Flags {
  readonly i: boolean;
  readonly m: boolean;
  readonly s: boolean;
  readonly U: boolean;
}

/** A group that is not closed yet. */
interface Group {
  readonly alternatives: Piece[];
  pieces: Piece[];
  /** of what is around it */
  readonly outer: Flags;
  readonly isCapture: boolean;
}

const mostCount = 1000;
const mostDepth = 1000;
/** Go counts what is in what, and takes a thousand: a group has a few. */
const plainDepth = 100;
const plainEscape = /^\\[dDsSwWbBAznrtfv.\-/()[\]{}*+?|^$\\]$/;
const plainSet = /^\[\^?(?:a-z|a-f|A-Z|A-F|0-9|[\w.:/ ](?!-)|\\[dsw.\-/])+-?\]$/;
const quantifier = /(?:[*+?]|\{(?<min>0|[1-9]\d{0,7})(?<open>,(?<max>0|[1-9]\d{0,7})?)?\})(?<lazy>\??)/y;
const group = /\(\?(?:P?<\w+>|(?<on>[imsU]*)(?:-(?<off>[imsU]+))?(?<end>[:)]))/y;
const escape = /\\(?:[pP](?:\{[^}]*\}|.)|x(?:\{[0-9A-Fa-f]+\}|[0-9A-Fa-f]{2})|[0-7]{1,3}|.)/suy;
const assertions: Readonly<Record<string, Assertion>> = {
  '\\A': 'text start',
  '\\z': 'text end',
  '\\b': 'word boundary',
  '\\B': 'no word boundary',
};

export function readPattern(pattern: string): ReadPattern | UnreadablePattern {
  const reader = new Reader(pattern);
  try {
    return reader.read();
  } catch (error) {
    if (error instanceof UnreadableError) return reader.leftOff();
    throw error;
  }
}

class UnreadableError extends Error {
  override readonly name = 'UnreadableError';
}

class Reader {
  readonly #pattern: string;
  #at = 0;
  #flags: Flags = { i: false, m: false, s: false, U: false };
  #group: Group = { alternatives: [], pieces: [], outer: this.#flags, isCapture: false };
  readonly #open: Group[] = [];
  #repeatsTooOften = false;
  #isPlain = true;
  /** where the last repetition ended */
  #repeated = 0;
  readonly #outline: string[] = [];
  readonly #draft: string[] = [];
  readonly #unnamed: string[] = [];
  #set = 0;
  #setEffort = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  read(): ReadPattern {
    while (this.#at < this.#pattern.length) this.#step();
    if (this.#open.length > 0) throw new UnreadableError();
    const { node, size } = this.#closed();
    const [outline, draft, unnamed] = [this.#outline, this.#draft, this.#unnamed].map((pieces) => pieces.join('')) as [
      string,
      string,
      string,
    ];
    const [setEffort, repeatsTooOften, isPlain] = [this.#setEffort, this.#repeatsTooOften, this.#isPlain];
    return { root: node, size, setEffort, isPlain, repeatsTooOften, outline, draft, unnamed };
  }

  leftOff(): UnreadablePattern {
    const draft = this.#draft.join('') + this.#pattern.slice(this.#at);
    return { root: undefined, draft, openSet: this.#pattern.slice(this.#set), isTooDeep: this.#open.length > mostDepth };
  }

  #step(): void {
    const sign = this.#pattern.charAt(this.#at);
    switch (sign) {
      case '(':
        return this.#openGroup();
      case ')':
        return this.#closeGroup();
      case '|':
        this.#take(sign);
        this.#group.alternatives.push(combined('sequence', this.#group.pieces));
        this.#group.pieces = [];
        return;
      case '[':
        return this.#class();
      case '.':
        this.#take(sign);
        return this.#character(this.#flags.s ? '(?s:.)' : '.');
      case '^':
        this.#take(sign);
        return this.#assertion(this.#flags.m ? 'line start' : 'text start');
      case '$':
        this.#take(sign);
        return this.#assertion(this.#flags.m ? 'line end' : 'text end');
      case '\\':
        return this.#escaped();
      default: {
        if (this.#repeat()) return;
        const character = String.fromCodePoint(this.#pattern.codePointAt(this.#at)!);
        this.#take(character);
        this.#character(character);
      }
    }
  }

  /** Goes past a text, and notes what stands for it elsewhere. */
  #take(text: string, forms: { readonly outline?: string; readonly draft?: string; readonly unnamed?: string } = {}): void {
    const { outline = text, draft = outline, unnamed = text } = forms;
    this.#at += text.length;
    this.#outline.push(outline);
    this.#draft.push(draft);
    this.#unnamed.push(unnamed);
  }

  #match(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.#at;
    return expression.exec(this.#pattern);
  }

  #character(source: string): void {
    if (source.length > 2) this.#setEffort += setEffort(source, this.#flags.i);
    this.#add({ kind: 'character', source, isFolded: this.#flags.i });
  }

  #assertion(at: Assertion): void {
    this.#add({ kind: 'assertion', at });
  }

  #add(node: PatternNode): void {
    this.#group.pieces.push({ node, size: 1, count: 1, isNullable: node.kind === 'assertion' });
  }

  #openGroup(): void {
    const outer = this.#flags;
    const found = this.#match(group);
    const { on, off = '', end } = (found?.groups ?? {}) as { on?: string; off?: string; end?: string };
    if (found === null) {
      if (this.#pattern.charAt(this.#at + 1) === '?') throw new UnreadableError();
      this.#take('(');
    } else if (on === undefined) {
      this.#take(found[0], { outline: '(?:', unnamed: '(?:' });
    } else {
      // Whether case matters says nothing of what is valid, and sets of characters that it does not matter in take long to make.
      this.#take(found[0], { outline: found[0].replaceAll('i', 's') });
      for (const letter of on) this.#flags = { ...this.#flags, [letter]: true };
      for (const letter of off) this.#flags = { ...this.#flags, [letter]: false };
      if (end === ')') return;
    }
    const depth = this.#open.push(this.#group);
    if (depth > mostDepth) throw new UnreadableError();
    if (depth > plainDepth) this.#isPlain = false;
    this.#group = { alternatives: [], pieces: [], outer, isCapture: end === undefined };
  }

  #closeGroup(): void {
    this.#take(')');
    const piece = this.#closed();
    const { isCapture } = this.#group;
    this.#flags = this.#group.outer;
    const outer = this.#open.pop();
    if (outer === undefined) throw new UnreadableError();
    this.#group = outer;
    outer.pieces.push(isCapture ? { ...piece, size: piece.size + 2 } : piece);
  }

  #closed(): Piece {
    const { alternatives, pieces } = this.#group;
    const last = combined('sequence', pieces);
    return alternatives.length === 0 ? last : combined('choice', [...alternatives, last]);
  }

  #repeat(): boolean {
    const found = this.#match(quantifier);
    const what = this.#group.pieces.at(-1);
    if (found === null) return false;
    if (what === undefined) throw new UnreadableError();
    const { min, open, max, lazy = '' } = found.groups as { min?: string; open?: string; max?: string; lazy?: string };
    const sign = found[0].charAt(0);
    const least = min === undefined ? Number(sign === '+') : Number(min);
    const most =
      min === undefined ? (sign === '?' ? 1 : Infinity) : open === undefined ? least : max === undefined ? Infinity : Number(max);
    if (least > most || least > mostCount || (most > mostCount && most !== Infinity)) throw new UnreadableError();
    if (this.#at === this.#repeated) this.#isPlain = false;
    this.#take(found[0], { outline: min === undefined ? found[0] : `{1}${lazy}`, draft: found[0] });
    this.#repeated = this.#at;
    const times = min === undefined ? 1 : most === Infinity ? Math.max(least, 1) : most;
    const count = times === 0 ? 1 : what.count * times;
    if (count > mostCount) this.#repeatsTooOften = true;
    const isGreedy = (lazy === '') !== this.#flags.U;
    // Quirk kept: what may match nothing is tried once before it is repeated, which shows in which match is found.
    const rounds = most < Infinity ? most : Math.max(least, Number(what.isNullable));
    this.#group.pieces.pop();
    this.#group.pieces.push({
      node: { kind: 'repeat', part: what.node, min: least, max: most, isGreedy, rounds },
      size: Math.max(1, most < Infinity ? most * what.size + most - least : least === 0 ? 2 + what.size : 1 + least * what.size),
      count,
      isNullable: least === 0 || what.isNullable,
    });
    return true;
  }

  #escaped(): void {
    const quoted = this.#pattern.startsWith('\\Q', this.#at);
    if (quoted) {
      this.#isPlain = false;
      const end = this.#pattern.indexOf('\\E', this.#at);
      const text = this.#pattern.slice(this.#at + 2, end < 0 ? undefined : end);
      this.#take(this.#pattern.slice(this.#at, end < 0 ? undefined : end + 2));
      for (const character of text) this.#character(/[\w\s]/.test(character) || character > '\u007f' ? character : `\\${character}`);
      return;
    }
    const found = this.#match(escape)?.[0];
    if (found === undefined) throw new UnreadableError();
    this.#take(found, { outline: outlineOf(found) });
    if (!plainEscape.test(found)) this.#isPlain = false;
    const at = assertions[found];
    if (at !== undefined) this.#assertion(at);
    else this.#character(found);
  }

  #class(): void {
    const start = (this.#set = this.#at);
    this.#take('[');
    if (this.#pattern.charAt(this.#at) === '^') this.#take('^');
    for (let isFirst = true; ; isFirst = false) {
      const sign = this.#pattern.charAt(this.#at);
      if (sign === '') throw new UnreadableError();
      if (sign === '\\') {
        const found = this.#match(escape)?.[0];
        if (found === undefined) throw new UnreadableError();
        this.#take(found, { outline: outlineOf(found) });
        continue;
      }
      const end = this.#pattern.startsWith('[:', this.#at) ? this.#pattern.indexOf(':]', this.#at + 2) : -1;
      this.#take(end < 0 ? sign : this.#pattern.slice(this.#at, end + 2));
      if (sign === ']' && !isFirst) break;
    }
    const set = this.#pattern.slice(start, this.#at);
    if (!plainSet.test(set)) this.#isPlain = false;
    this.#character(set);
  }
}

const commonProperty =
  /^\\[pP](?:[LMNPSZC]|\{\^?(?:L[ulmot]?|M[nce]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z[slp]?|C[cfos]?|Greek|Latin|Cyrillic|Han)\})$/;

/** What a property holds says nothing of what is valid, and takes long to look up: that of lines is a single character. */
const outlineOf = (escaped: string): string => (commonProperty.test(escaped) ? `${escaped.slice(0, 2)}{Zl}` : escaped);

const range = /(\\x\{[0-9A-Fa-f]+\}|\\?.)-(?=(\\x\{[0-9A-Fa-f]+\}|\\?.))/gsu;
const codePoint = (text: string): number =>
  text.startsWith('\\x{') ? Number.parseInt(text.slice(3, -1), 16) : text.codePointAt(text.length > 1 ? text.length - 1 : 0)!;
const efforts = { property: 32, foldedCharacters: 64 };

/** What it takes to find out which characters a set holds, in instructions: with all of their cases, each of them counts. */
export function setEffort(source: string, isFolded: boolean): number {
  let effort = (source.split(/\\[pP]/).length - 1) * efforts.property;
  if (isFolded && source.length > 4)
    for (const [, first, last] of source.matchAll(range))
      effort += Math.max(0, codePoint(last!) - codePoint(first!)) / efforts.foldedCharacters;
  return effort;
}

function combined(kind: 'sequence' | 'choice', pieces: readonly Piece[]): Piece {
  if (pieces.length === 1) return pieces[0]!;
  let [size, count] = [kind === 'choice' ? pieces.length - 1 : 0, 1];
  for (const piece of pieces) [size, count] = [size + piece.size, Math.max(count, piece.count)];
  const isNullable = kind === 'choice' ? pieces.some((piece) => piece.isNullable) : pieces.every((piece) => piece.isNullable);
  return { node: { kind, parts: pieces.map(({ node }) => node) }, size: Math.max(1, size), count, isNullable };
}
