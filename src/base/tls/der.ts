/** Writes DER (X.690), as much of it as certificates need. Each function gives one complete element. */

function element(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const length = contents.reduce((sum, { byteLength }) => sum + byteLength, 0);
  return Buffer.concat([Buffer.from([tag, ...lengthBytes(length)]), ...contents]);
}

function lengthBytes(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 | bytes.length, ...bytes];
}

export const sequence = (...elements: readonly Uint8Array[]): Buffer => element(0x30, ...elements);

/** DER wants the elements of a SET OF in the order of their encodings. */
export const setOf = (...elements: readonly Uint8Array[]): Buffer => element(0x31, ...elements.toSorted((a, b) => Buffer.compare(a, b)));

export const boolean = (value: boolean): Buffer => element(0x01, Buffer.from([value ? 0xff : 0]));

/** NULL */
export const nothing = element(0x05);

/** A non-negative integer given by its big-endian bytes. */
export function unsignedInteger(bytes: Uint8Array): Buffer {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start++;
  const digits = bytes.subarray(start);
  return (digits[0] ?? 0) >= 0x80 ? element(0x02, Buffer.from([0]), digits) : element(0x02, digits);
}

export const bitString = (bytes: Uint8Array, unusedBits = 0): Buffer => element(0x03, Buffer.from([unusedBits]), bytes);

/** A BIT STRING of named bits: trailing zero bits are left out. */
export function namedBits(bits: readonly number[]): Buffer {
  const last = Math.max(...bits);
  const bytes = Buffer.alloc((last >> 3) + 1);
  for (const bit of bits) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
  return bitString(bytes, 7 - (last & 7));
}

export const octetString = (bytes: Uint8Array): Buffer => element(0x04, bytes);

export const printableString = (text: string): Buffer => element(0x13, Buffer.from(text, 'latin1'));

export const utf8String = (text: string): Buffer => element(0x0c, Buffer.from(text, 'utf8'));

export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return element(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift(0x80 | (rest & 0x7f));
  return bytes;
}

/** RFC 5280, 4.1.2.5: UTCTime up to 2049, GeneralizedTime from then on. */
export function time(at: Date): Buffer {
  const digits = at.toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return at.getUTCFullYear() < 2050 ? element(0x17, Buffer.from(digits.slice(2))) : element(0x18, Buffer.from(digits));
}

/** `[n] EXPLICIT`, or a constructed `[n] IMPLICIT`. */
export const tagged = (tag: number, ...elements: readonly Uint8Array[]): Buffer => element(0xa0 | tag, ...elements);

/** `[n] IMPLICIT` of a primitive type: its content octets under another tag. */
export const taggedPrimitive = (tag: number, content: Uint8Array): Buffer => element(0x80 | tag, content);
