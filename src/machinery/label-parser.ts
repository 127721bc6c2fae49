// Upstream: k8s.io/apimachinery/pkg/labels/selector.go#Lexer, #Parser
import { invalid } from './field.ts';
import type { FieldPath } from './field.ts';
import { binaryOperators, LabelSelectorError, Selector, requirement } from './labels.ts';
import type { LabelOperator, Requirement } from './labels.ts';
import { checkQualifiedName } from './names.ts';

type TokenKind = 'end' | 'identifier' | 'in' | 'notin' | '(' | ')' | ',' | '!' | '=' | '==' | '!=' | '>' | '<';

interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

const end: Token = { kind: 'end', text: '' };

// A NUL ends a word, and ends the selector where a word would begin: upstream takes it for the end of its input.
const tokenPattern = /[ \t\r\n]*(?:(==|!=|[=!(),<>])|([^=!(),<> \t\r\n\0]+))\0?/y;

/** Upstream has no limit but that of the URL. */
const mostTokens = 50_000;

function* tokenize(text: string): Generator<Token> {
  const scanner = new RegExp(tokenPattern);
  let count = 0;
  for (let match = scanner.exec(text); match !== null; match = scanner.exec(text)) {
    if (++count > mostTokens) throw new LabelSelectorError(`must have at most ${mostTokens} words and signs`);
    const [, symbol, word] = match;
    if (symbol !== undefined) yield { kind: symbol as TokenKind, text: symbol };
    else yield { kind: word === 'in' || word === 'notin' ? word : 'identifier', text: word! };
  }
  yield end;
}

const operators: ReadonlyMap<TokenKind, LabelOperator> = new Map<TokenKind, LabelOperator>([
  ['in', 'in'],
  ['notin', 'notin'],
  ['=', '='],
  ['==', '=='],
  ['!=', '!='],
  ['>', 'gt'],
  ['<', 'lt'],
]);

/** @param path where the selector stands, for messages about its keys and values */
export function parseLabelSelector(text: string, path?: FieldPath): Selector {
  if (text === '') return Selector.everything;
  return new Parser([...tokenize(text)], path).parse();
}

/** Each is asked of every object of a list and of every change that a watch sees. Upstream has no limit but that of the URL. */
const mostRequirements = 1000;

function unexpected(token: Token, expected: string): never {
  throw new LabelSelectorError(`found '${token.text}', expected: ${expected}`);
}

class Parser {
  readonly #tokens: readonly Token[];
  readonly #path: FieldPath | undefined;
  #position = 0;

  constructor(tokens: readonly Token[], path: FieldPath | undefined) {
    this.#tokens = tokens;
    this.#path = path;
  }

  parse(): Selector {
    const requirements: Requirement[] = [];
    for (;;) {
      const token = this.#peek();
      if (token.kind === 'end') return new Selector(requirements);
      if (!startsRequirement(token)) unexpected(token, "!, identifier, or 'end of string'");
      requirements.push(this.#requirement());
      if (requirements.length > mostRequirements) throw new LabelSelectorError(`must have at most ${mostRequirements} requirements`);
      const after = this.#next();
      if (after.kind === 'end') return new Selector(requirements);
      if (after.kind !== ',') unexpected(after, "',' or 'end of string'");
      if (!startsRequirement(this.#peek())) unexpected(this.#peek(), "identifier after ','");
    }
  }

  /** `in` and `notin` are words like any other except where an operator stands. */
  #peek(): Token {
    return asWord(this.#tokens[this.#position] ?? end);
  }

  #next(): Token {
    return asWord(this.#nextOperator());
  }

  #nextOperator(): Token {
    return this.#tokens[this.#position++] ?? end;
  }

  #requirement(): Requirement {
    try {
      return this.#parseRequirement();
    } catch (error) {
      if (!(error instanceof LabelSelectorError)) throw error;
      throw new LabelSelectorError(`unable to parse requirement: ${error.message}`, { cause: error });
    }
  }

  #parseRequirement(): Requirement {
    let token = this.#next();
    const negated = token.kind === '!';
    if (negated) token = this.#next();
    if (token.kind !== 'identifier') unexpected(token, 'identifier');
    const key = token.text;
    const problems = checkQualifiedName(key);
    if (problems.length > 0) throw new LabelSelectorError(String(invalid(this.#path, key, problems.join('; '))));
    const ahead = this.#peek().kind;
    if (negated || ahead === 'end' || ahead === ',') return requirement(key, negated ? '!' : 'exists', [], this.#path);
    const sign = this.#nextOperator();
    const operator = operators.get(sign.kind);
    if (operator === undefined) return unexpected(sign, binaryOperators.join(', '));
    const values = operator === 'in' || operator === 'notin' ? this.#values() : [this.#exactValue()];
    return requirement(key, operator, values.toSorted(), this.#path);
  }

  #exactValue(): string {
    const ahead = this.#peek().kind;
    if (ahead === 'end' || ahead === ',') return '';
    const token = this.#next();
    return token.kind === 'identifier' ? token.text : unexpected(token, 'identifier');
  }

  #values(): string[] {
    const open = this.#next();
    // Without the comma that the other messages have.
    if (open.kind !== '(') throw new LabelSelectorError(`found '${open.text}' expected: '('`);
    const first = this.#peek();
    if (first.kind === ')') {
      this.#next();
      return [''];
    }
    if (first.kind !== 'identifier' && first.kind !== ',') unexpected(first, "',', ')' or identifier");
    const values = this.#identifiers();
    this.#next();
    return values;
  }

  /** Up to the closing parenthesis; nothing between commas or before and after one is an empty value. */
  #identifiers(): string[] {
    const values = new Set<string>();
    for (;;) {
      const token = this.#next();
      const ahead = this.#peek();
      if (token.kind === 'identifier') {
        values.add(token.text);
        if (ahead.kind === ')') return [...values];
        if (ahead.kind !== ',') unexpected(ahead, "',' or ')'");
      } else if (token.kind === ',') {
        if (values.size === 0 || ahead.kind === ')' || ahead.kind === ',') values.add('');
        if (ahead.kind === ')') return [...values];
      } else {
        unexpected(token, "',', or identifier");
      }
    }
  }
}

function startsRequirement(token: Token): boolean {
  return token.kind === 'identifier' || token.kind === '!';
}

function asWord(token: Token): Token {
  return token.kind === 'in' || token.kind === 'notin' ? { kind: 'identifier', text: token.text } : token;
}
