// RFC 1951 and RFC 1952: a gzip member that is put together from blocks.
import { promisify } from 'node:util';
import { constants, crc32, deflateRaw } from 'node:zlib';

const deflate = promisify(deflateRaw);

/** What every member begins with. */
export const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** an empty block that says that it is the last one */
const end = Buffer.from([1, 0, 0, 0xff, 0xff]);
const maxStored = 0xffff;

/** Compressed on its own and up to a full byte, so that any sequence of such blocks is the inside of a member. */
export function deflatedBlock(bytes: Buffer, level: number): Promise<Buffer> {
  return deflate(bytes, { finishFlush: constants.Z_FULL_FLUSH, level });
}

/** A block that is not compressed. */
export function storedBlock(bytes: Buffer): Buffer {
  if (bytes.length > maxStored) throw new RangeError('too long for a stored block');
  const head = Buffer.alloc(5);
  head.writeUInt16LE(bytes.length, 1);
  head.writeUInt16LE(bytes.length ^ maxStored, 3);
  return Buffer.concat([head, bytes]);
}

/** Checksum and length of what has been compressed so far, which a member ends with. */
export class GzipSum {
  #checksum = 0;
  #length = 0;

  add(bytes: Buffer): void {
    this.#checksum = crc32(bytes, this.#checksum);
    this.#length += bytes.length;
  }

  /** As `add`, of bytes that are known by their sum alone. */
  append({ checksum, shift, length }: BlockSum): void {
    this.#checksum = (product(shift, this.#checksum) ^ checksum) >>> 0;
    this.#length += length;
  }

  /** The end of the member. */
  trailer(): Buffer {
    const sums = Buffer.alloc(8);
    sums.writeUInt32LE(this.#checksum, 0);
    sums.writeUInt32LE(this.#length % 2 ** 32, 4);
    return Buffer.concat([end, sums]);
  }
}

/** What has to be known of bytes to append them to a checksum without reading them. */
export interface BlockSum {
  readonly checksum: number;
  /** what a checksum is multiplied by when so many bytes follow */
  readonly shift: number;
  readonly length: number;
}

export function blockSum(bytes: Buffer): BlockSum {
  return { checksum: crc32(bytes), shift: shiftBy(bytes.length), length: bytes.length };
}

// A checksum is the remainder of a polynomial over GF(2), its bits in reverse order: bit 31 is the coefficient of x^0.
const polynomial = 0xedb88320;
const one = 0x80000000;

/** The product of two remainders. */
function product(a: number, b: number): number {
  let sum = 0;
  let power = b;
  for (let bit = one; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) sum ^= power;
    power = (power & 1) !== 0 ? (power >>> 1) ^ polynomial : power >>> 1;
  }
  return sum >>> 0;
}

/** x to the power of eight times `bytes`. */
function shiftBy(bytes: number): number {
  let power = one >>> 8;
  let shift = one;
  for (let rest = bytes; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) shift = product(power, shift);
    power = product(power, power);
  }
  return shift;
}
