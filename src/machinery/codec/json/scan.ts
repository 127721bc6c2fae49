import { shallow } from './depth.ts';

/** What JSON.parse does not tell about a document. */
export interface Scan {
  /** how many keys it has in all */
  readonly keys: number;
  /** a number is not written as an integer: `1.0`, `1e3` and `-0` are none to Go, to JavaScript they are */
  readonly fractions: boolean;
  /** deep, or with halves of surrogate pairs, which Go replaces */
  readonly odd: boolean;
}

/**
 * Scans a document, which may turn out to be no JSON. A reader that has seen as many fields as there are keys knows that none was unknown and none given twice,
 * which is all that strict decoding asks, without parsing a second time.
 */
export function scan(text: string): Scan {
  let odd = text.includes('\\u') && /\\u[dD]/.test(text);
  let fractions = false;
  let keys = 0;
  let depth = 0;
  const length = text.length;
  for (let at = 0; at < length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22:
        at = closingQuote(text, at + 1);
        break;
      case 0x3a:
        keys++;
        break;
      case 0x7b:
      case 0x5b:
        if (++depth > shallow) odd = true;
        break;
      case 0x7d:
      case 0x5d:
        depth--;
        break;
      case 0x2e:
      case 0x45:
        fractions = true;
        break;
      case 0x65:
        if (isDigit(text.charCodeAt(at - 1))) fractions = true;
        break;
      case 0x2d:
        if (text.charCodeAt(at + 1) === 0x30) fractions = true;
        break;
    }
  }
  return { keys, fractions, odd };
}

/** The same about a value that need not be written to be read. */
export function scanValue(value: unknown): Scan {
  const found = { keys: 0, fractions: false, odd: false };
  const visit = (item: unknown, depth: number): void => {
    switch (typeof item) {
      case 'string':
        if (!item.isWellFormed()) found.odd = true;
        break;
      case 'number':
        if (!Number.isInteger(item) || Object.is(item, -0)) found.fractions = true;
        break;
      case 'bigint':
        found.odd = true;
        break;
      case 'object':
        if (item === null) break;
        if (depth > shallow) found.odd = true;
        else if (Array.isArray(item)) for (const element of item) visit(element, depth + 1);
        else {
          for (const key in item) {
            found.keys++;
            if (!key.isWellFormed()) found.odd = true;
            visit((item as Readonly<Record<string, unknown>>)[key], depth + 1);
          }
        }
        break;
      default:
        break;
    }
  };
  visit(value, 1);
  return found;
}

function closingQuote(text: string, start: number): number {
  const length = text.length;
  for (let at = start; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at;
    if (code === 0x5c) at++;
  }
  return length;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
