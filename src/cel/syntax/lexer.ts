// Upstream: github.com/google/cel-go/parser/gen/CEL.g4
// The lexer rules.

export type TokenKind =
  | '=='
  | '!='
  | 'in'
  | '<'
  | '<='
  | '>='
  | '>'
  | '&&'
  | '||'
  | '['
  | ']'
  | '{'
  | '}'
  | '('
  | ')'
  | '.'
  | ','
  | '-'
  | '!'
  | '?'
  | ':'
  | '+'
  | '*'
  | '/'
  | '%'
  | 'true'
  | 'false'
  | 'null'
  | 'float'
  | 'int'
  | 'uint'
  | 'string'
  | 'bytes'
  | 'identifier'
  | 'escaped'
  | 'eof';

export interface Token {
  readonly kind: TokenKind;
  /** UTF-16 offset; tokens conjured up by error recovery carry the offset of the token before which they stand. */
  readonly start: number;
  readonly text: string;
}

export interface LexicalError {
  readonly offset: number;
  readonly length: number;
  readonly message: string;
}

const nameStart = /[A-Za-z_]/;
const name = /[A-Za-z0-9_]*/y;
const numberPattern = /(?:0x[0-9a-fA-F]+[uU]?|[0-9]+(?:\.[0-9]+(?:[eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+|[uU])?|\.[0-9]+(?:[eE][+-]?[0-9]+)?)/y;
const words: ReadonlySet<string> = new Set(['in', 'true', 'false', 'null']);
const doubled = '=!<>&|';
const punctuation = '[]{}().,-!?:+*/%<>';

/** Splits an expression into tokens. Text that is no token is skipped and reported, as a generated lexer does. */
export function tokenize(expression: string): { tokens: Token[]; errors: LexicalError[] } {
  const tokens: Token[] = [];
  const errors: LexicalError[] = [];
  let at = 0;
  while (at < expression.length) {
    const c = expression[at]!;
    if (c === ' ' || c === '\n' || c === '\t' || c === '\r' || c === '\f') {
      at++;
      continue;
    }
    if (c === '/' && expression[at + 1] === '/') {
      const end = expression.indexOf('\n', at);
      at = end < 0 ? expression.length : end;
      continue;
    }
    const end = scan(expression, at, c, tokens);
    if (end >= 0) {
      at = end;
      continue;
    }
    const failedAt = -end - 1;
    const stop = failedAt + characterLength(expression, failedAt);
    errors.push({ offset: at, length: stop - at, message: `token recognition error at: '${expression.slice(at, stop)}'` });
    at = stop;
  }
  tokens.push({ kind: 'eof', start: expression.length, text: '<EOF>' });
  return { tokens, errors };
}

const characterLength = (text: string, at: number): number => (at >= text.length ? 0 : text.codePointAt(at)! > 0xffff ? 2 : 1);

/** Adds the token at `at` and returns its end, or `-(position of the offending character) - 1`. */
function scan(text: string, at: number, c: string, tokens: Token[]): number {
  const push = (kind: TokenKind, end: number): number => {
    tokens.push({ kind, start: at, text: text.slice(at, end) });
    return end;
  };
  if (nameStart.test(c)) {
    const literal = prefixedLiteral(text, at);
    if (literal) return push(literal.kind, literal.end);
    name.lastIndex = at;
    name.test(text);
    const end = name.lastIndex;
    const word = text.slice(at, end);
    return push(words.has(word) ? (word as TokenKind) : 'identifier', end);
  }
  if (c === '"' || c === "'") {
    const end = quoted(text, at, false);
    return end < 0 ? end : push('string', end);
  }
  if ((c >= '0' && c <= '9') || (c === '.' && isDigit(text[at + 1]))) {
    numberPattern.lastIndex = at;
    numberPattern.test(text);
    const end = numberPattern.lastIndex;
    return push(numberKind(text.slice(at, end)), end);
  }
  if (c === '`') return escapedIdentifier(text, at, push);
  if (doubled.includes(c)) {
    const next = text[at + 1];
    const pair = c === '&' || c === '|' ? c : '=';
    if (next === pair) return push((c + next) as TokenKind, at + 2);
    if (!punctuation.includes(c)) return -(at + 1) - 1;
  }
  if (punctuation.includes(c)) return push(c as TokenKind, at + 1);
  return -at - 1;
}

const isDigit = (c: string | undefined): boolean => c !== undefined && c >= '0' && c <= '9';

function numberKind(text: string): TokenKind {
  if (text.endsWith('u') || text.endsWith('U')) return 'uint';
  if (text.startsWith('0x')) return 'int';
  return /[.eE]/.test(text) ? 'float' : 'int';
}

function prefixedLiteral(text: string, at: number): { kind: 'string' | 'bytes'; end: number } | undefined {
  let i = at;
  const isBytes = text[i] === 'b' || text[i] === 'B';
  if (isBytes) i++;
  const isRaw = text[i] === 'r' || text[i] === 'R';
  if (isRaw) i++;
  const quote = text[i];
  if (i === at || (quote !== '"' && quote !== "'")) return undefined;
  const end = quoted(text, i, isRaw);
  return end < 0 ? undefined : { kind: isBytes ? 'bytes' : 'string', end };
}

function quoted(text: string, at: number, isRaw: boolean): number {
  const quote = text[at]!;
  if (text.startsWith(quote.repeat(3), at)) {
    const end = tripleQuoted(text, at + 3, quote.repeat(3), isRaw);
    return end < 0 ? at + 2 : end;
  }
  for (let i = at + 1; ; i++) {
    const c = text[i];
    if (c === quote) return i + 1;
    if (c === undefined || c === '\n' || c === '\r') return -Math.min(i, text.length) - 1;
    if (c === '\\' && !isRaw) {
      const end = escapeEnd(text, i);
      if (end < 0) return end;
      i = end - 1;
    }
  }
}

function tripleQuoted(text: string, from: number, close: string, isRaw: boolean): number {
  for (let i = from; i < text.length; i++) {
    if (text.startsWith(close, i)) return i + 3;
    if (text[i] === '\\' && !isRaw) {
      const end = escapeEnd(text, i);
      if (end < 0) return end;
      i = end - 1;
    }
  }
  return -text.length - 1;
}

const hexDigits: Readonly<Record<string, number>> = { x: 2, X: 2, u: 4, U: 8 };

/** End of the escape sequence whose backslash is at `at`, or the negated place where it goes wrong. */
function escapeEnd(text: string, at: number): number {
  const c = text[at + 1];
  if (c === undefined) return -(at + 1) - 1;
  if ('abfnrtv"\'\\?`'.includes(c)) return at + 2;
  const count = hexDigits[c] ?? (c >= '0' && c <= '3' ? 2 : 0);
  if (count === 0) return -(at + 1) - 1;
  const digit = hexDigits[c] ? /[0-9a-fA-F]/ : /[0-7]/;
  for (let i = at + 2; i < at + 2 + count; i++) if (i >= text.length || !digit.test(text[i]!)) return -i - 1;
  return at + 2 + count;
}

function escapedIdentifier(text: string, at: number, push: (kind: TokenKind, end: number) => number): number {
  let i = at + 1;
  while (i < text.length && /[A-Za-z0-9_.\-/ ]/.test(text[i]!)) i++;
  return text[i] === '`' && i > at + 1 ? push('escaped', i + 1) : -i - 1;
}
