// Upstream: std/encoding/base64#StdEncoding
// As []byte fields are read.
import { DecodeError } from '../decode-error.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const invalid = 0xff;
const digits: Uint8Array = tableOf(alphabet);

function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(128).fill(invalid);
  for (let index = 0; index < characters.length; index++) table[characters.charCodeAt(index)] = index;
  return table;
}

function digitAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 128 ? digits[code]! : invalid;
}

/** Whether the text is what Go would write for some bytes: padded, no line breaks, no stray bits. */
export function isCanonicalBase64(text: string): boolean {
  const length = text.length;
  if (length % 4 !== 0) return false;
  if (length === 0) return true;
  let end = length;
  if (text.charCodeAt(end - 1) === 0x3d) end -= text.charCodeAt(end - 2) === 0x3d ? 2 : 1;
  for (let at = 0; at < end; at++) if (digitAt(text, at) === invalid) return false;
  if (end === length) return true;
  const last = digitAt(text, end - 1);
  return length - end === 2 ? (last & 15) === 0 : (last & 3) === 0;
}

/** The canonical form of what Go's decoder accepts: it skips line breaks and ignores stray bits. Throws Go's error. */
export function canonicalBase64(text: string): string {
  if (isCanonicalBase64(text)) return text;
  checkBase64(text);
  return Buffer.from(text, 'base64').toString('base64');
}

function checkBase64(text: string): void {
  const corrupt = (index: number): DecodeError =>
    new DecodeError(`illegal base64 data at input byte ${Buffer.byteLength(text.slice(0, index))}`);
  let quantum = 0;
  for (let at = skipLineBreaks(text, 0); at < text.length; at = skipLineBreaks(text, at + 1)) {
    if (digitAt(text, at) !== invalid) {
      quantum = (quantum + 1) % 4;
      continue;
    }
    if (text[at] !== '=' || quantum < 2) throw corrupt(at);
    if (quantum === 2) {
      at = skipLineBreaks(text, at + 1);
      if (at >= text.length) throw corrupt(text.length);
      // points before the character that should have been the second '='
      if (text[at] !== '=') throw corrupt(at - 1);
    }
    const rest = skipLineBreaks(text, at + 1);
    if (rest < text.length) throw corrupt(rest);
    return;
  }
  // points at the start of the unfinished group, were there no line breaks in it
  if (quantum !== 0) throw corrupt(text.length - quantum);
}

function skipLineBreaks(text: string, start: number): number {
  let at = start;
  while (text[at] === '\n' || text[at] === '\r') at++;
  return at;
}
