// Upstream: github.com/fxamacker/cbor/v2
// As apimachinery configures it; RFC 8949.

export const major = Object.freeze({
  unsigned: 0,
  negative: 1,
  bytes: 2,
  text: 3,
  array: 4,
  map: 5,
  tag: 6,
  simple: 7,
});

/** The names that errors use. */
export const majorNames: readonly string[] = [
  'positive integer',
  'negative integer',
  'byte string',
  'UTF-8 text string',
  'array',
  'map',
  'tag',
  'primitives',
];

export const tags = Object.freeze({ timeText: 0, timeEpoch: 1, base64Url: 21, base64: 22, base16: 23, selfDescribed: 55799 });

/** Marks everything we write, and may be in front of anything we read. */
export const selfDescribed: readonly number[] = [0xd9, 0xd9, 0xf7];

export const breakCode = 0xff;
export const indefinite = 31;
export const nullByte = 0xf6;
export const undefinedByte = 0xf7;

export interface Head {
  readonly major: number;
  /** the low five bits of the first byte */
  readonly info: number;
  /** the argument; floats keep their bits; a bigint where it has eight bytes */
  readonly argument: number | bigint;
  /** where the content starts */
  readonly end: number;
}

/** Reads a head that is known to be there. */
export function readHead(bytes: Buffer, at: number): Head {
  const first = bytes[at]!;
  const info = first & 31;
  const size = info < 24 || info > 27 ? 0 : 1 << (info - 24);
  return { major: first >> 5, info, argument: size === 0 ? info : argumentAt(bytes, at + 1, size), end: at + 1 + size };
}

function argumentAt(bytes: Buffer, at: number, size: number): number | bigint {
  return size === 8 ? bytes.readBigUInt64BE(at) : bytes.readUIntBE(at, size);
}

/** The number that a head of two, four or eight bytes stands for. */
export function floatAt(bytes: Buffer, at: number, info: number): number {
  if (info === 26) return bytes.readFloatBE(at);
  return info === 27 ? bytes.readDoubleBE(at) : halfFloat(bytes.readUInt16BE(at));
}

function halfFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
