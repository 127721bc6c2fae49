// Upstream: github.com/google/cel-go/parser/unescape.go
import { append } from '../../machinery/append.ts';

/** Why a literal cannot be read. */
export class UnescapeError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

const simpleEscapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '`': '`',
  '?': '?',
};

const hexDigits: Readonly<Record<string, number>> = { x: 2, X: 2, u: 4, U: 8 };

function body(text: string): { content: string; isRaw: boolean } {
  const normal = text.replaceAll(/\r\n?/g, '\n');
  const isRaw = normal[0] === 'r' || normal[0] === 'R';
  const literal = isRaw ? normal.slice(1) : normal;
  const isTriple = literal.length >= 6 && (literal.startsWith('"""') || literal.startsWith("'''"));
  return { content: isTriple ? literal.slice(3, -3) : literal.slice(1, -1), isRaw };
}

/** Splits content into runs of plain text and single escapes; escapes arrive as code points. */
function* pieces(content: string): Generator<{ text: string } | { code: number; isByte: boolean; isUnicode: boolean }> {
  let from = 0;
  for (let at = content.indexOf('\\'); at >= 0; at = content.indexOf('\\', from)) {
    if (at > from) yield { text: content.slice(from, at) };
    const c = content[at + 1]!;
    const simple = simpleEscapes[c];
    if (simple !== undefined) {
      yield { text: simple };
      from = at + 2;
      continue;
    }
    const digits = hexDigits[c];
    from = at + (digits === undefined ? 4 : 2 + digits);
    const code = digits === undefined ? parseInt(content.slice(at + 1, from), 8) : parseInt(content.slice(at + 2, from), 16);
    yield { code, isByte: digits === undefined || digits === 2, isUnicode: digits === 4 || digits === 8 };
  }
  if (from < content.length) yield { text: content.slice(from) };
}

const isCharacter = (code: number): boolean => code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);

/** The text that a string literal stands for. */
export function unescapeString(literal: string): string | UnescapeError {
  const { content, isRaw } = body(literal);
  if (isRaw || !content.includes('\\')) return content;
  let text = '';
  for (const piece of pieces(content)) {
    if ('text' in piece) text += piece.text;
    else if (isCharacter(piece.code)) text += String.fromCodePoint(piece.code);
    else return new UnescapeError('invalid unicode code point');
  }
  return text;
}

/** The bytes that a bytes literal stands for, its `b` already cut off. */
export function unescapeBytes(literal: string): Uint8Array | UnescapeError {
  const { content, isRaw } = body(literal);
  const encoder = new TextEncoder();
  if (isRaw || !content.includes('\\')) return encoder.encode(content);
  const bytes: number[] = [];
  for (const piece of pieces(content)) {
    if ('text' in piece) append(bytes, encoder.encode(piece.text));
    else if (piece.isUnicode) return new UnescapeError('unable to unescape string');
    else bytes.push(piece.code);
  }
  return Uint8Array.from(bytes);
}
