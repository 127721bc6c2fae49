// Upstream: github.com/google/cel-go/parser/gen/CEL.g4, github.com/google/cel-go/parser/parser.go

import type { Token, TokenKind } from './lexer.ts';
import type { EntryTree, FieldTree, OptionalTree, Tree } from './tree.ts';

const depthLimit = 250;

const relations: ReadonlySet<TokenKind> = new Set(['<', '<=', '>=', '>', '==', '!=', 'in']);
const sums: ReadonlySet<TokenKind> = new Set(['+', '-']);
const products: ReadonlySet<TokenKind> = new Set(['*', '/', '%']);
const literals: ReadonlySet<TokenKind> = new Set(['int', 'uint', 'float', 'string', 'bytes', 'true', 'false', 'null']);

/** Thrown when the tokens are no expression; the caller then asks the recovering parser what to say. */
export class UnexpectedTokenError {
  static readonly instance = new UnexpectedTokenError();
}

/** Thrown when an expression nests deeper than allowed. */
export class TooDeepError {
  static readonly message = `expression recursion limit exceeded: ${depthLimit}`;
}

/** Recursive descent for well-formed expressions: fast, and silent about what is wrong. */
export function parseTokens(tokens: readonly Token[]): Tree {
  const parser = new Parser(tokens);
  const tree = parser.expr();
  parser.expect('eof');
  return tree;
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;
  // The limit applies to each grammar rule on its own: a right operand nests its own rule only.
  #exprDepth = 0;
  #relationDepth = 0;
  #calcDepth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get #token(): Token {
    return this.#tokens[this.#at]!;
  }

  #is(kind: TokenKind): boolean {
    return this.#tokens[this.#at]!.kind === kind;
  }

  #take(): Token {
    return this.#tokens[this.#at++]!;
  }

  #accept(kind: TokenKind): Token | undefined {
    return this.#is(kind) ? this.#take() : undefined;
  }

  expect(kind: TokenKind): Token {
    if (!this.#is(kind)) throw UnexpectedTokenError.instance;
    return this.#take();
  }

  expr(): Tree {
    if (++this.#exprDepth > depthLimit) throw new TooDeepError();
    const condition = this.#or();
    const op = this.#accept('?');
    let tree = condition;
    if (op) {
      const then = this.#or();
      this.expect(':');
      tree = { kind: 'conditional', condition, op, then, otherwise: this.expr() };
    }
    this.#exprDepth--;
    return tree;
  }

  #or(): Tree {
    const start = this.#token.start;
    const first = this.#and();
    if (!this.#is('||')) return first;
    const ops: Token[] = [];
    const terms = [first];
    for (let op = this.#accept('||'); op; op = this.#accept('||')) {
      ops.push(op);
      terms.push(this.#and());
    }
    return { kind: 'logic', start, ops, terms };
  }

  #and(): Tree {
    const start = this.#token.start;
    const first = this.#relation();
    if (!this.#is('&&')) return first;
    const ops: Token[] = [];
    const terms = [first];
    for (let op = this.#accept('&&'); op; op = this.#accept('&&')) {
      ops.push(op);
      terms.push(this.#relation());
    }
    return { kind: 'logic', start, ops, terms };
  }

  #relation(): Tree {
    this.#enterRelation();
    let tree = this.#calc();
    while (relations.has(this.#token.kind)) {
      const op = this.#take();
      this.#enterRelation();
      tree = { kind: 'binary', op, left: tree, right: this.#calc() };
      this.#relationDepth--;
    }
    this.#relationDepth--;
    return tree;
  }

  #enterRelation(): void {
    if (++this.#relationDepth > depthLimit) throw new TooDeepError();
  }

  #enterCalc(): void {
    if (++this.#calcDepth > depthLimit) throw new TooDeepError();
  }

  #calc(): Tree {
    this.#enterCalc();
    let tree = this.#product();
    while (sums.has(this.#token.kind)) {
      const op = this.#take();
      this.#enterCalc();
      tree = { kind: 'binary', op, left: tree, right: this.#product() };
      this.#calcDepth--;
    }
    this.#calcDepth--;
    return tree;
  }

  #product(): Tree {
    let tree = this.#unary();
    while (products.has(this.#token.kind)) {
      const op = this.#take();
      this.#enterCalc();
      tree = { kind: 'binary', op, left: tree, right: this.#unary() };
      this.#calcDepth--;
    }
    return tree;
  }

  #unary(): Tree {
    const kind = this.#token.kind;
    if (kind === '!' || kind === '-') {
      // A single minus directly before a number belongs to the literal, not to the operator.
      if (kind === '-' && this.#isNegativeLiteral()) return this.#member();
      const ops: Token[] = [];
      while (this.#is(kind)) ops.push(this.#take());
      return { kind: 'prefix', ops, operand: this.#member() };
    }
    return this.#member();
  }

  #isNegativeLiteral(): boolean {
    const next = this.#tokens[this.#at + 1]!.kind;
    return next === 'int' || next === 'float';
  }

  #member(): Tree {
    const start = this.#token.start;
    let tree = this.#primary();
    for (;;) {
      if (this.#is('.')) {
        tree = this.#selection(start, tree);
      } else if (this.#is('[')) {
        const op = this.#take();
        const isOptional = this.#accept('?') !== undefined;
        const index = this.expr();
        this.expect(']');
        tree = { kind: 'index', operand: tree, op, isOptional, index };
      } else {
        return tree;
      }
    }
  }

  #selection(start: number, operand: Tree): Tree {
    const op = this.#take();
    const isOptional = this.#accept('?') !== undefined;
    if (!this.#is('identifier') && !this.#is('escaped')) throw UnexpectedTokenError.instance;
    const name = this.#take();
    if (name.kind === 'identifier' && !isOptional && this.#is('(')) {
      const open = this.#take();
      return { kind: 'memberCall', start, operand, name, open, args: this.#args() };
    }
    return { kind: 'select', start, operand, op, isOptional, field: name };
  }

  #args(): Tree[] {
    const args: Tree[] = [];
    if (!this.#is(')')) {
      do args.push(this.expr());
      while (this.#accept(','));
    }
    this.expect(')');
    return args;
  }

  #primary(): Tree {
    const token = this.#token;
    if (literals.has(token.kind)) return { kind: 'literal', start: token.start, isNegative: false, token: this.#take() };
    switch (token.kind) {
      case '-':
        this.#take();
        if (!this.#is('int') && !this.#is('float')) throw UnexpectedTokenError.instance;
        return { kind: 'literal', start: token.start, isNegative: true, token: this.#take() };
      case '(': {
        this.#take();
        const inner = this.expr();
        this.expect(')');
        return inner;
      }
      case '[':
        this.#take();
        return { kind: 'list', open: token, elements: this.#elements() };
      case '{':
        this.#take();
        return { kind: 'map', open: token, entries: this.#entries() };
      case '.':
      case 'identifier':
        return this.#identifier();
      default:
        throw UnexpectedTokenError.instance;
    }
  }

  #identifier(): Tree {
    const start = this.#token.start;
    const leadingDot = this.#accept('.') !== undefined;
    const name = this.expect('identifier');
    if (this.#is('(')) {
      const open = this.#take();
      return { kind: 'call', start, leadingDot, name, open, args: this.#args() };
    }
    const names = this.#messageName(name);
    if (!names) return { kind: 'ident', start, leadingDot, name };
    const open = this.expect('{');
    return { kind: 'message', leadingDot, names, open, fields: this.#fields() };
  }

  /** `a.b.C` when a brace follows: only then is it the name of a message. */
  #messageName(first: Token): Token[] | undefined {
    const names = [first];
    let i = this.#at;
    while (this.#tokens[i]!.kind === '.' && this.#tokens[i + 1]!.kind === 'identifier') {
      names.push(this.#tokens[i + 1]!);
      i += 2;
    }
    if (this.#tokens[i]!.kind !== '{') return undefined;
    this.#at = i;
    return names;
  }

  #elements(): OptionalTree[] {
    const elements: OptionalTree[] = [];
    while (!this.#is(']')) {
      if (elements.length > 0) {
        this.expect(',');
        if (this.#is(']')) break;
      } else if (this.#accept(',')) {
        break;
      }
      const isOptional = this.#accept('?') !== undefined;
      elements.push({ isOptional, tree: this.expr() });
    }
    this.expect(']');
    return elements;
  }

  #entries(): EntryTree[] {
    const entries: EntryTree[] = [];
    while (!this.#is('}')) {
      if (entries.length > 0) {
        this.expect(',');
        if (this.#is('}')) break;
      } else if (this.#accept(',')) {
        break;
      }
      const isOptional = this.#accept('?') !== undefined;
      const key = this.expr();
      const colon = this.expect(':');
      entries.push({ isOptional, key, colon, value: this.expr() });
    }
    this.expect('}');
    return entries;
  }

  #fields(): FieldTree[] {
    const fields: FieldTree[] = [];
    while (!this.#is('}')) {
      if (fields.length > 0) {
        this.expect(',');
        if (this.#is('}')) break;
      } else if (this.#accept(',')) {
        break;
      }
      const isOptional = this.#accept('?') !== undefined;
      if (!this.#is('identifier') && !this.#is('escaped')) throw UnexpectedTokenError.instance;
      const name = this.#take();
      const colon = this.expect(':');
      fields.push({ isOptional, name, colon, value: this.expr() });
    }
    this.expect('}');
    return fields;
  }
}
