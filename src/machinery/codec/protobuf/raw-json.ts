import { DecodeError } from '../decode-error.ts';
import { checkSyntax } from '../json/syntax.ts';

/** Shorter values cannot be so deep that it matters. */
const harmlessLength = 4096;

/** JSON that travels as bytes inside a message. Integers beyond 2^53 stay exact. */
export function parseRawJson(text: string): unknown {
  if (text.length > harmlessLength) checkSyntax(Buffer.from(text));
  try {
    return /\d{16}/.test(text) ? JSON.parse(text, exactIntegers) : JSON.parse(text);
  } catch (cause) {
    throw new DecodeError(`raw value is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

export function rawJsonText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // It holds a bigint. That is rare: to look for one first takes as long as the writing.
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, writeBigints);
  }
}

function exactIntegers(this: unknown, _key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== 'number' || Number.isSafeInteger(value) || source === undefined || !/^-?\d+$/.test(source)) return value;
  return BigInt(source);
}

interface RawJson {
  rawJSON(text: string): unknown;
}

function writeBigints(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? (JSON as unknown as RawJson).rawJSON(value.toString()) : value;
}
