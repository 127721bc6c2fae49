// Upstream: github.com/antlr4-go/antlr/v4/error_strategy.go, github.com/google/cel-go/parser/parser.go, github.com/google/cel-go/parser/gen/cel_parser.go

import type { Issues } from './source.ts';
import { nowhere } from './source.ts';
import type { Element, RuleName, State } from './grammar.ts';
import { automaton } from './grammar.ts';
import type { LexicalError, Token, TokenKind } from './lexer.ts';
import { TooDeepError } from './parser.ts';
import { NoViableAlternative, Predictor } from './prediction.ts';
import type { ParseNode } from './parse-node.ts';
import { toTree } from './parse-node.ts';
import type { Tree } from './tree.ts';

const recoveryLimit = 30;
const skipLimit = 256;
const depthLimit = 250;
const reportLimit = 100;

/** Names of tokens in messages, in the order in which lists of them appear. */
const tokenNames: readonly (readonly [TokenKind, string])[] = [
  ['eof', '<EOF>'],
  ...(
    [
      '==',
      '!=',
      'in',
      '<',
      '<=',
      '>=',
      '>',
      '&&',
      '||',
      '[',
      ']',
      '{',
      '}',
      '(',
      ')',
      '.',
      ',',
      '-',
      '!',
      '?',
      ':',
      '+',
      '*',
      '/',
      '%',
    ] as const
  ).map((kind) => [kind, `'${kind}'`] as const),
  ['true', "'true'"],
  ['false', "'false'"],
  ['null', "'null'"],
  ['float', 'NUM_FLOAT'],
  ['int', 'NUM_INT'],
  ['uint', 'NUM_UINT'],
  ['string', 'STRING'],
  ['bytes', 'BYTES'],
  ['identifier', 'IDENTIFIER'],
  ['escaped', 'ESC_IDENTIFIER'],
];

class Mismatch {}
/** Ends the parse: everything there is to say has been said. */
class GiveUp {}

/** Parses a broken expression the way upstream's generated parser does, reporting what it reports. */
export function recover(expression: string, tokens: readonly Token[], skipped: readonly LexicalError[], issues: Issues): Tree | undefined {
  const parser = new RecoveringParser(expression, tokens, skipped, issues);
  try {
    return toTree(parser.rule('start', 0, undefined));
  } catch (cause) {
    if (cause instanceof GiveUp) return undefined;
    // Broken expressions may nest deeper than our stack reaches, where upstream's own limits are near as well.
    if (!(cause instanceof RangeError)) throw cause;
    issues.report(nowhere, 'max recursion depth exceeded');
    return undefined;
  }
}

interface Context {
  readonly rule: RuleName;
  /** State from which the rule was called. */
  readonly caller: State | undefined;
  readonly precedence: number;
}

class RecoveringParser {
  readonly #expression: string;
  readonly #tokens: readonly Token[];
  /** Text that the lexer could make nothing of. */
  readonly #skipped: readonly LexicalError[];
  readonly #issues: Issues;
  readonly #predictor = new Predictor(automaton);
  readonly #contexts: Context[] = [];
  readonly #depths = new Map<RuleName, number>();
  #at = 0;
  #state: State | undefined;
  #isRecovering = false;
  #lastErrorAt = -1;
  readonly #lastErrorStates = new Set<State>();
  #recoveries = 0;
  #reports = 0;

  constructor(expression: string, tokens: readonly Token[], skipped: readonly LexicalError[], issues: Issues) {
    this.#expression = expression;
    this.#tokens = tokens;
    this.#skipped = skipped;
    this.#issues = issues;
  }

  get #token(): Token {
    return this.#tokens[this.#at]!;
  }

  #ahead(count: number): TokenKind {
    return (this.#tokens[this.#at + count] ?? this.#tokens.at(-1)!).kind;
  }

  #consume(): Token {
    const token = this.#token;
    if (token.kind !== 'eof') this.#at++;
    return token;
  }

  // Rules

  rule(rule: RuleName, precedence: number, caller: State | undefined): ParseNode {
    this.#enter(rule);
    this.#contexts.push({ rule, caller, precedence });
    const node: ParseNode = { rule, start: this.#token, alt: 0, children: [] };
    try {
      this.#sequence(automaton.bodies[rule], node);
    } catch (cause) {
      if (!(cause instanceof Mismatch) && !(cause instanceof NoViableAlternative)) throw cause;
      this.#reportError(cause);
      this.#recoverFrom();
    }
    this.#contexts.pop();
    this.#depths.set(rule, this.#depths.get(rule)! - 1);
    this.#state = caller;
    return node;
  }

  #enter(rule: RuleName): void {
    const depth = (this.#depths.get(rule) ?? 0) + 1;
    this.#depths.set(rule, depth);
    if (depth <= depthLimit) return;
    this.#issues.report(nowhere, TooDeepError.message);
    throw new GiveUp();
  }

  #sequence(elements: readonly Element[], node: ParseNode): void {
    for (const element of elements) this.#element(element, node);
  }

  #element(element: Element, node: ParseNode): void {
    switch (element.kind) {
      case 'tokens':
        this.#state = element.state;
        node.children.push(this.#match(element.tokens));
        return;
      case 'rule':
        this.#state = element.state;
        node.children.push(this.rule(element.rule, element.precedence, element.state));
        return;
      case 'optional':
        this.#sync(element.state);
        if (this.#startsWith(element.body)) this.#sequence(element.body, node);
        return;
      case 'choice':
        this.#sync(element.state);
        this.#choose(element, node);
        return;
      case 'star':
        this.#sync(element.state);
        for (; this.#continues(element.state, element.body, element.ll1); this.#sync(element.loopBack)) this.#iterate(element.body, node);
        return;
      case 'plus':
        this.#sync(element.state);
        do {
          this.#sequence(element.body, node);
          this.#sync(element.loopBack);
        } while (element.ll1 ? this.#startsWith(element.body) : this.#predict(element.loopBack) === 1);
    }
  }

  /** A turn of a loop; operators of left-recursive rules wrap what was read so far. */
  #iterate(body: readonly Element[], node: ParseNode): void {
    const isOperator = node.rule === 'relation' || node.rule === 'calc' || node.rule === 'member';
    if (!isOperator) {
      this.#sequence(body, node);
      return;
    }
    const left: ParseNode = { rule: node.rule, start: node.start, alt: node.alt, children: node.children.splice(0) };
    node.alt = -1;
    node.children.push(left);
    try {
      this.#sequence(body, node);
    } catch (cause) {
      // When no operator could be made out, there is only what was read before.
      if (node.children.length === 1 && node.alt === -1) {
        node.alt = left.alt;
        node.children.splice(0, 1, ...left.children);
      }
      throw cause;
    }
  }

  #choose(element: Element & { kind: 'choice' }, node: ParseNode): void {
    const alternative = element.ll1
      ? element.alternatives.findIndex((candidate) => this.#startsWith(candidate)) + 1
      : this.#predict(element.state);
    if (alternative === 0) throw new NoViableAlternative(this.#token, this.#token);
    node.alt = alternative;
    this.#sequence(element.alternatives[alternative - 1]!, node);
  }

  #continues(entry: State, body: readonly Element[], ll1: boolean): boolean {
    return ll1 ? this.#startsWith(body) : this.#predict(entry) === 1;
  }

  #predict(decision: State): number {
    const callers = this.#contexts.flatMap(({ caller }) => (caller ? [followOf(caller)] : []));
    const alternative = this.#predictor.predict(decision, this.#tokens, this.#at, callers, this.#contexts.at(-1)!.precedence);
    if (alternative instanceof NoViableAlternative) throw alternative;
    return alternative;
  }

  #startsWith(elements: readonly Element[]): boolean {
    const first = elements[0]!;
    return 'state' in first && this.#predictor.nextWithin(first.state).tokens.has(this.#token.kind);
  }

  // Tokens

  #match(expected: ReadonlySet<TokenKind>): Token | undefined {
    if (expected.has(this.#token.kind)) {
      this.#endError();
      return this.#consume();
    }
    return this.#recoverInline();
  }

  #endError(): void {
    this.#isRecovering = false;
    this.#lastErrorAt = -1;
    this.#lastErrorStates.clear();
  }

  /** Tokens that may stand here, looking beyond the end of the rule into its callers. */
  #expectedTokens(from = this.#state!): Set<TokenKind> {
    const expected = new Set<TokenKind>();
    let next = this.#predictor.nextWithin(from);
    next.tokens.forEach((kind) => expected.add(kind));
    for (let i = this.#contexts.length - 1; next.end && i >= 0; i--) {
      const { caller } = this.#contexts[i]!;
      if (!caller) break;
      next = this.#predictor.nextWithin(followOf(caller));
      next.tokens.forEach((kind) => expected.add(kind));
    }
    if (next.end) expected.add('eof');
    return expected;
  }

  #recoverInline(): Token {
    this.#countRecovery();
    const deleted = this.#deleteToken();
    if (deleted) return this.#consume();
    const transition = this.#state!.transitions[0]!;
    if (transition.kind === 'tokens' && this.#expectedTokens(transition.to).has(this.#token.kind)) return this.#insertToken();
    throw new Mismatch();
  }

  #insertToken(): Token {
    const token = this.#token;
    const expected = this.#expectedTokens();
    this.#report(`missing ${listTokens(expected)} at ${quote(token.text)}`, token);
    const kind = tokenNames.find(([candidate]) => expected.has(candidate))![0];
    const place = token.kind === 'eof' ? (this.#tokens[this.#at - 1] ?? token) : token;
    return { kind, start: place.start, text: '<missing>' };
  }

  /** Skips a token when the one after it fits. */
  #deleteToken(): boolean {
    if (!this.#expectedTokens().has(this.#ahead(1))) return false;
    this.#reportUnwanted();
    this.#consume();
    this.#endError();
    return true;
  }

  #sync(state: State): void {
    this.#state = state;
    if (this.#isRecovering) return;
    const next = this.#predictor.nextWithin(state);
    if (next.end || next.tokens.has(this.#token.kind)) return;
    if (state.kind !== 'loopBack') {
      if (this.#deleteToken()) return;
      throw new Mismatch();
    }
    this.#reportUnwanted();
    this.#skipUntil(new Set([...this.#expectedTokens(), ...this.#recoverySet()]), Infinity);
  }

  // Errors

  #report(message: string, token: Token): void {
    if (this.#isRecovering) return;
    this.#isRecovering = true;
    this.#notify(message, token);
  }

  #notify(message: string, token: Token): void {
    const shown = message.includes('no viable alternative')
      ? message.replaceAll(/no viable alternative at input '.(true|false|null)'/g, "mismatched input '$1' expecting IDENTIFIER")
      : message;
    if (this.#reports++ < reportLimit) {
      this.#issues.report(token.start, `Syntax error: ${shown}`);
      return;
    }
    this.#issues.report(token.start, `Syntax error: More than ${reportLimit} syntax errors`);
    throw new GiveUp();
  }

  #reportUnwanted(): void {
    this.#report(`extraneous input ${quote(this.#token.text)} expecting ${listTokens(this.#expectedTokens())}`, this.#token);
  }

  #reportError(error: Mismatch | NoViableAlternative): void {
    if (!(error instanceof NoViableAlternative)) {
      this.#report(`mismatched input ${quote(this.#token.text)} expecting ${listTokens(this.#expectedTokens())}`, this.#token);
      return;
    }
    const { start, offending } = error;
    const end = offending.start + (offending.kind === 'eof' ? 0 : offending.text.length);
    const text = start.kind === 'eof' ? '<EOF>' : this.#textBetween(start.start, end);
    this.#report(`no viable alternative at input ${quote(text)}`, offending);
  }

  /** The source between two places without what is no token. */
  #textBetween(from: number, to: number): string {
    let text = '';
    let at = from;
    for (const { offset, length } of this.#skipped) {
      if (offset < from || offset >= to) continue;
      text += this.#expression.slice(at, offset);
      at = offset + length;
    }
    return text + this.#expression.slice(at, to);
  }

  #countRecovery(): void {
    if (this.#recoveries++ < recoveryLimit) return;
    this.#notify(`error recovery attempt limit exceeded: ${recoveryLimit}`, this.#token);
    throw new GiveUp();
  }

  #recoverFrom(): void {
    this.#countRecovery();
    let skips = 0;
    if (this.#lastErrorAt === this.#at && this.#lastErrorStates.has(this.#state!)) {
      this.#consume();
      skips++;
    }
    this.#lastErrorAt = this.#at;
    this.#lastErrorStates.add(this.#state!);
    this.#skipUntil(this.#recoverySet(), skipLimit - skips);
  }

  /** What can follow any of the rules that are open. */
  #recoverySet(): Set<TokenKind> {
    const set = new Set<TokenKind>();
    for (const { caller } of this.#contexts)
      if (caller) this.#predictor.nextWithin(followOf(caller)).tokens.forEach((kind) => set.add(kind));
    return set;
  }

  #skipUntil(set: ReadonlySet<TokenKind>, limit: number): void {
    for (let skipped = 0; this.#token.kind !== 'eof' && !set.has(this.#token.kind); skipped++) {
      if (skipped >= limit) {
        this.#issues.report(nowhere, `error recovery token lookahead limit exceeded: ${skipLimit}`);
        throw new GiveUp();
      }
      this.#consume();
    }
  }
}

const followOf = (caller: State): State => (caller.transitions[0] as { follow: State }).follow;

const quote = (text: string): string => `'${text.replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;

function listTokens(kinds: ReadonlySet<TokenKind>): string {
  const names = tokenNames.filter(([kind]) => kinds.has(kind)).map(([, name]) => name);
  return names.length === 1 ? names[0]! : `{${names.join(', ')}}`;
}
