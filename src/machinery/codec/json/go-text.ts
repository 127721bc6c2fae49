// Upstream: std/unicode/utf8
// As encoding/json uses it.

const replacement = '\ufffd';

/**
 * The text of UTF-8 bytes where each byte that belongs to no character becomes one replacement character: Go counts bytes where the web
 * platform's decoders count broken sequences, so `Buffer.toString` is right only for well-formed input.
 */
export function decodeUtf8(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (!text.includes(replacement)) return text;
  // as bytes first: a body may have a million broken places, and a piece of text for each of them takes long
  const mended = Buffer.allocUnsafe(bytes.length * 3);
  let end = 0;
  for (let at = 0; at < bytes.length;) {
    const size = characterSize(bytes, at);
    for (let index = 0; index < size; index++) mended[end++] = bytes[at + index]!;
    if (size === 0) {
      mended[end++] = 0xef;
      mended[end++] = 0xbf;
      mended[end++] = 0xbd;
    }
    at += size || 1;
  }
  return mended.toString('utf8', 0, end);
}

/** The number of bytes of the character at `at`, 0 when it is not well-formed. */
export function characterSize(bytes: Buffer, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const size = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const second = bytes[at + 1] ?? 0;
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high) return 0;
  for (let index = 2; index < size; index++) {
    const byte = bytes[at + index] ?? 0;
    if (byte < 0x80 || byte > 0xbf) return 0;
  }
  return size;
}

/** Orders strings as Go does, by their UTF-8 bytes. JavaScript's order differs where surrogate pairs meet U+E000 and above. */
export function compareUtf8(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return rank(a) - rank(b);
  }
  return left.length - right.length;
}

function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit >= 0xe000 ? unit - 0x2000 : unit + 0x2000;
}
