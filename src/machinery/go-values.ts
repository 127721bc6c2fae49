// Values as Go's strconv reads them, with its error texts: users see them in messages about wrong flags.
import { goQuote } from './go-format.ts';

const syntax = (fn: string, text: string): Error => new Error(`strconv.${fn}: parsing ${goQuote(text)}: invalid syntax`);
const range = (fn: string, text: string): Error => new Error(`strconv.${fn}: parsing ${goQuote(text)}: value out of range`);

const truths: ReadonlySet<string> = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);
const falsehoods: ReadonlySet<string> = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False']);

export function parseBool(text: string): boolean {
  if (truths.has(text)) return true;
  if (falsehoods.has(text)) return false;
  throw syntax('ParseBool', text);
}

/** Base 0: decimal, 0x, 0o, 0b or a leading zero for octal; underscores between digits. */
export function parseInteger(text: string, bits: 32 | 64, fn: 'ParseInt' | 'ParseUint' = 'ParseInt'): number {
  const match =
    /^([+-]?)(0[xX]_?[\da-fA-F]+(?:_[\da-fA-F]+)*|0[oO]_?[0-7]+(?:_[0-7]+)*|0[bB]_?[01]+(?:_[01]+)*|0(?:_?[0-7])*|[1-9]\d*(?:_\d+)*)$/.exec(
      text,
    );
  if (match === null || (fn === 'ParseUint' && match[1] !== '')) throw syntax(fn, text);
  const digits = (match[2] as string).replaceAll('_', '').replace(/^0(?=[0-7])/, '0o');
  const value = match[1] === '-' ? -BigInt(digits) : BigInt(digits);
  const [least, most] = fn === 'ParseUint' ? [0n, (1n << BigInt(bits)) - 1n] : [-(1n << BigInt(bits - 1)), (1n << BigInt(bits - 1)) - 1n];
  if (value < least || value > most) throw range(fn, text);
  return Number(value);
}

/** `strconv.ParseUint(text, 10, bits)`: digits alone. */
export function parseDecimalUint(text: string, bits: number): number {
  if (!/^\d+$/.test(text)) throw syntax('ParseUint', text);
  const value = Number(text);
  if (value >= 2 ** bits) throw range('ParseUint', text);
  return value;
}

/** Decimal only, and its errors carry another function's name. */
export function parseDecimal(text: string): number {
  if (!/^[+-]?\d+$/.test(text)) throw syntax('Atoi', text);
  return Number(text);
}

export function parseFloat64(text: string): number {
  if (/^[+-]?(inf|infinity)$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  if (/^nan$/i.test(text)) return NaN;
  if (!/^[+-]?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(text)) throw syntax('ParseFloat', text);
  const value = Number(text);
  if (!Number.isFinite(value)) throw range('ParseFloat', text);
  return value;
}
