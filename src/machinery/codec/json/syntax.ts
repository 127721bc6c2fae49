// Upstream: sigs.k8s.io/json/internal/golang/encoding/json/scanner.go
import { goQuote } from '../../go-format.ts';
import { DecodeError } from '../decode-error.ts';
import { depthLimit, shallow } from './depth.ts';

const space = 0x20;
const objectOpen = 0x7b;
const objectClose = 0x7d;
const arrayOpen = 0x5b;
const arrayClose = 0x5d;
const quote = 0x22;

type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'separator';

const literals: ReadonlyMap<number, string> = new Map([
  [0x74, 'true'],
  [0x66, 'false'],
  [0x6e, 'null'],
]);

/**
 * Throws the error that Go reports for the first byte that no JSON document can have there. JSON.parse finds errors faster but words
 * them differently, so this runs only once something is known to be odd.
 *
 * The end of the input reads as one more space: Go's scanner is fed one to finish numbers, and a literal cut short complains about it.
 */
export function checkSyntax(bytes: Uint8Array): void {
  const stack: boolean[] = [];
  let limit = shallow;
  let expected: Expected = 'value';
  let at = 0;
  for (;;) {
    while (isSpace(bytes[at])) at++;
    if (at >= bytes.length) {
      if (expected === 'separator' && stack.length === 0) return;
      throw new DecodeError('unexpected end of JSON input');
    }
    const byte = bytes[at]!;
    switch (expected) {
      case 'key or }':
      case 'key':
        if (byte === objectClose && expected === 'key or }') {
          stack.pop();
          expected = 'separator';
          at++;
          break;
        }
        if (byte !== quote) throw invalid(byte, 'looking for beginning of object key string');
        at = endOfString(bytes, at + 1);
        expected = 'colon';
        break;
      case 'colon':
        if (byte !== 0x3a) throw invalid(byte, 'after object key');
        expected = 'value';
        at++;
        break;
      case 'separator': {
        const inObject = stack.at(-1);
        if (inObject === undefined) throw invalid(byte, 'after top-level value');
        if (byte === 0x2c) expected = inObject ? 'key' : 'value';
        else if (byte === (inObject ? objectClose : arrayClose)) stack.pop();
        else throw invalid(byte, inObject ? 'after object key:value pair' : 'after array element');
        at++;
        break;
      }
      case 'value or ]':
      case 'value':
        if (byte === objectOpen || byte === arrayOpen) {
          stack.push(byte === objectOpen);
          if (stack.length > limit && stack.length > (limit = depthLimit(2 * stack.length))) throw invalid(byte, 'exceeded max depth');
          expected = byte === objectOpen ? 'key or }' : 'value or ]';
          at++;
        } else if (byte === arrayClose && expected === 'value or ]') {
          stack.pop();
          expected = 'separator';
          at++;
        } else {
          at = endOfLiteral(bytes, at);
          expected = 'separator';
        }
    }
  }
}

function endOfLiteral(bytes: Uint8Array, at: number): number {
  const byte = bytes[at]!;
  if (byte === quote) return endOfString(bytes, at + 1);
  if (byte === 0x2d || isDigit(byte)) return endOfNumber(bytes, at);
  const word = literals.get(byte);
  if (word === undefined) throw invalid(byte, 'looking for beginning of value');
  for (let index = 1; index < word.length; index++) {
    const found = bytes[at + index] ?? space;
    if (found !== word.charCodeAt(index)) throw invalid(found, `in literal ${word} (expecting '${word[index]}')`);
  }
  return at + word.length;
}

function endOfString(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length) {
    const byte = bytes[at]!;
    if (byte === quote) return at + 1;
    if (byte < 0x20) throw invalid(byte, 'in string literal');
    at++;
    if (byte !== 0x5c) continue;
    const escaped = bytes[at] ?? space;
    at++;
    if (escaped !== 0x75) {
      if (!'bfnrt\\/"'.includes(String.fromCharCode(escaped))) throw invalid(escaped, 'in string escape code');
      continue;
    }
    for (const end = at + 4; at < end; at++) {
      const digit = bytes[at] ?? space;
      if (!isHexDigit(digit)) throw invalid(digit, 'in \\u hexadecimal character escape');
    }
  }
  throw new DecodeError('unexpected end of JSON input');
}

function endOfNumber(bytes: Uint8Array, start: number): number {
  let at = start;
  if (bytes[at] === 0x2d) at++;
  const first = bytes[at] ?? space;
  if (!isDigit(first)) throw invalid(first, 'in numeric literal');
  at++;
  if (first !== 0x30) while (isDigit(bytes[at])) at++;
  if (bytes[at] === 0x2e) {
    const digit = bytes[++at] ?? space;
    if (!isDigit(digit)) throw invalid(digit, 'after decimal point in numeric literal');
    while (isDigit(bytes[at])) at++;
  }
  if (bytes[at] === 0x65 || bytes[at] === 0x45) {
    at++;
    if (bytes[at] === 0x2b || bytes[at] === 0x2d) at++;
    const digit = bytes[at] ?? space;
    if (!isDigit(digit)) throw invalid(digit, 'in exponent of numeric literal');
    while (isDigit(bytes[at])) at++;
  }
  return at;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function isHexDigit(byte: number): boolean {
  return isDigit(byte) || (byte >= 0x61 && byte <= 0x66) || (byte >= 0x41 && byte <= 0x46);
}

function invalid(byte: number, context: string): DecodeError {
  return new DecodeError(`invalid character ${quoteByte(byte)} ${context}`);
}

/** Go shows the byte as if it were a Unicode code point. */
function quoteByte(byte: number): string {
  if (byte === 0x27) return `'\\''`;
  if (byte === 0x22) return `'"'`;
  return `'${goQuote(String.fromCharCode(byte)).slice(1, -1)}'`;
}
