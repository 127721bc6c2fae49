const slots = 2048;
const longest = 32;

/**
 * Short strings repeat all over an API (field values, label keys, names of kinds), and making a string from bytes costs more than
 * comparing bytes with a string seen before. Fixed size: a new string takes the place of another.
 */
export class StringCache {
  readonly #strings: string[] = Array.from({ length: slots }, () => '');

  read(bytes: Buffer, from: number, to: number): string {
    const length = to - from;
    if (length > longest) return bytes.toString('utf8', from, to);
    if (length === 0) return '';
    // A few bytes tell enough apart; the comparison below decides.
    const last = bytes[to - 1] as number;
    const middle = bytes[from + (length >> 1)] as number;
    const hash = length + (bytes[from] as number) * 31 + middle * 179 + last * 1021 + (bytes[from + (length >> 2)] as number) * 2339;
    const slot = hash & (slots - 1);
    const known = this.#strings[slot] as string;
    if (known.length === length && same(known, bytes, from)) return known;
    const made = bytes.toString('utf8', from, to);
    // Only ASCII is as long in bytes as in characters, and can be compared byte by byte.
    if (made.length === length) this.#strings[slot] = made;
    return made;
  }
}

function same(text: string, bytes: Buffer, from: number): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) !== bytes[from + i]) return false;
  return true;
}
