// Upstream: golang.org/x/crypto/nacl/secretbox
// The construction of NaCl's crypto_secretbox.
import { timingSafeEqual } from 'node:crypto';

export const secretboxOverhead = 16;

/** "expand 32-byte k" */
const sigma = Object.freeze([0x61707865, 0x3320646e, 0x79622d32, 0x6b206574]);

/** Tag, then ciphertext. `key` has 32 bytes, `nonce` 24. */
export function seal(message: Buffer, nonce: Buffer, key: Buffer): Buffer {
  const box = Buffer.allocUnsafe(secretboxOverhead + message.length);
  const stream = new XSalsa20(key, nonce);
  const macKey = stream.firstHalfBlock();
  stream.xor(message, box, secretboxOverhead);
  poly1305(box.subarray(secretboxOverhead), macKey).copy(box);
  return box;
}

/** The message, or undefined when key, nonce or box are not those of one seal. */
export function open(box: Buffer, nonce: Buffer, key: Buffer): Buffer | undefined {
  if (box.length < secretboxOverhead) return undefined;
  const stream = new XSalsa20(key, nonce);
  const macKey = stream.firstHalfBlock();
  const sealed = box.subarray(secretboxOverhead);
  if (!timingSafeEqual(poly1305(sealed, macKey), box.subarray(0, secretboxOverhead))) return undefined;
  const message = Buffer.allocUnsafe(sealed.length);
  stream.xor(sealed, message, 0);
  return message;
}

/** The key stream of XSalsa20: a Salsa20 whose key is derived from the first 16 bytes of the nonce. */
class XSalsa20 {
  readonly #input: Int32Array;
  readonly #block = Buffer.alloc(64);
  /** how much of the current block is used up */
  #used = 64;

  constructor(key: Buffer, nonce: Buffer) {
    const derived = new Int32Array(16);
    salsaRounds(salsaInput(words(key, 0, 8), words(nonce, 0, 4)), derived, false);
    const subkey = [0, 5, 10, 15, 6, 7, 8, 9].map((i) => derived[i] as number);
    this.#input = salsaInput(subkey, [...words(nonce, 16, 2), 0, 0]);
  }

  /** The first 32 bytes of the stream, which key the MAC. */
  firstHalfBlock(): Buffer {
    this.#nextBlock();
    this.#used = 32;
    return Buffer.from(this.#block.subarray(0, 32));
  }

  /** Goes on in the stream. */
  xor(from: Buffer, to: Buffer, toOffset: number): void {
    const block = this.#block;
    for (let at = 0; at < from.length;) {
      if (this.#used === 64) this.#nextBlock();
      const used = this.#used;
      const count = Math.min(64 - used, from.length - at);
      for (let i = 0; i < count; i++) to[toOffset + at + i] = (from[at + i] as number) ^ (block[used + i] as number);
      this.#used = used + count;
      at += count;
    }
  }

  #nextBlock(): void {
    const input = this.#input;
    salsaRounds(input, this.#output, true);
    for (let i = 0; i < 16; i++) this.#block.writeInt32LE(this.#output[i] as number, i * 4);
    this.#used = 0;
    const low = ((input[8] as number) + 1) | 0;
    input[8] = low;
    if (low === 0) input[9] = ((input[9] as number) + 1) | 0;
  }

  readonly #output = new Int32Array(16);
}

function words(bytes: Buffer, offset: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => bytes.readInt32LE(offset + i * 4));
}

/** Constants on the diagonal, the key's halves around the four words of nonce and counter. */
function salsaInput(key: readonly number[], middle: readonly number[]): Int32Array {
  const [c0, c1, c2, c3] = sigma as [number, number, number, number];
  return Int32Array.from([c0, ...key.slice(0, 4), c1, ...middle, c2, ...key.slice(4), c3]);
}

/** Ten double rounds on the square of 16 words. In local variables, which is faster than on the array. */
function salsaRounds(input: Int32Array, output: Int32Array, addInput: boolean): void {
  let x0 = input[0] as number;
  let x1 = input[1] as number;
  let x2 = input[2] as number;
  let x3 = input[3] as number;
  let x4 = input[4] as number;
  let x5 = input[5] as number;
  let x6 = input[6] as number;
  let x7 = input[7] as number;
  let x8 = input[8] as number;
  let x9 = input[9] as number;
  let x10 = input[10] as number;
  let x11 = input[11] as number;
  let x12 = input[12] as number;
  let x13 = input[13] as number;
  let x14 = input[14] as number;
  let x15 = input[15] as number;
  for (let round = 0; round < 10; round++) {
    // columns
    x4 ^= rotate(x0 + x12, 7);
    x8 ^= rotate(x4 + x0, 9);
    x12 ^= rotate(x8 + x4, 13);
    x0 ^= rotate(x12 + x8, 18);
    x9 ^= rotate(x5 + x1, 7);
    x13 ^= rotate(x9 + x5, 9);
    x1 ^= rotate(x13 + x9, 13);
    x5 ^= rotate(x1 + x13, 18);
    x14 ^= rotate(x10 + x6, 7);
    x2 ^= rotate(x14 + x10, 9);
    x6 ^= rotate(x2 + x14, 13);
    x10 ^= rotate(x6 + x2, 18);
    x3 ^= rotate(x15 + x11, 7);
    x7 ^= rotate(x3 + x15, 9);
    x11 ^= rotate(x7 + x3, 13);
    x15 ^= rotate(x11 + x7, 18);
    // rows
    x1 ^= rotate(x0 + x3, 7);
    x2 ^= rotate(x1 + x0, 9);
    x3 ^= rotate(x2 + x1, 13);
    x0 ^= rotate(x3 + x2, 18);
    x6 ^= rotate(x5 + x4, 7);
    x7 ^= rotate(x6 + x5, 9);
    x4 ^= rotate(x7 + x6, 13);
    x5 ^= rotate(x4 + x7, 18);
    x11 ^= rotate(x10 + x9, 7);
    x8 ^= rotate(x11 + x10, 9);
    x9 ^= rotate(x8 + x11, 13);
    x10 ^= rotate(x9 + x8, 18);
    x12 ^= rotate(x15 + x14, 7);
    x13 ^= rotate(x12 + x15, 9);
    x14 ^= rotate(x13 + x12, 13);
    x15 ^= rotate(x14 + x13, 18);
  }
  output[0] = x0;
  output[1] = x1;
  output[2] = x2;
  output[3] = x3;
  output[4] = x4;
  output[5] = x5;
  output[6] = x6;
  output[7] = x7;
  output[8] = x8;
  output[9] = x9;
  output[10] = x10;
  output[11] = x11;
  output[12] = x12;
  output[13] = x13;
  output[14] = x14;
  output[15] = x15;
  if (addInput) for (let i = 0; i < 16; i++) output[i] = (output[i] as number) + (input[i] as number);
}

function rotate(sum: number, bits: number): number {
  return (sum << bits) | (sum >>> (32 - bits));
}

const limbs = 10;
const limbBits = 13;
const limbMask = (1 << limbBits) - 1;
const prime = (1n << 130n) - 5n;
const clamp = 0x0ffffffc0ffffffc0ffffffc0fffffffn;

/** Poly1305 on ten limbs of 13 bits, whose products and sums stay exact in a double. The key is used once, the tag has 16 bytes. */
function poly1305(message: Buffer, key: Buffer): Buffer {
  const r = toLimbs(littleEndian(key.subarray(0, 16)) & clamp);
  // Limbs that overflow 2^130 come back in at the bottom, times 5.
  const r5 = r.map((limb) => limb * 5);
  const h = new Float64Array(limbs);
  const product = new Float64Array(limbs);
  const halfWords = new Int32Array(9);
  const last = Buffer.alloc(17);
  for (let at = 0; at < message.length; at += 16) {
    let block = message;
    let offset = at;
    halfWords[8] = 1;
    if (message.length - at < 16) {
      // The short last block ends with a 1 byte instead of a 1 above its 16 bytes.
      last.fill(0);
      message.copy(last, 0, at);
      last[message.length - at] = 1;
      block = last;
      offset = 0;
      halfWords[8] = 0;
    }
    for (let i = 0; i < 8; i++) halfWords[i] = (block[offset + 2 * i] as number) | ((block[offset + 2 * i + 1] as number) << 8);
    for (let i = 0; i < limbs; i++) {
      const bit = i * limbBits;
      const word = bit >> 4;
      const shift = bit & 15;
      const bits = ((halfWords[word] as number) >>> shift) | ((halfWords[word + 1] as number) << (16 - shift));
      h[i] = (h[i] as number) + (bits & limbMask);
    }
    let carry = 0;
    for (let i = 0; i < limbs; i++) {
      let sum = carry;
      for (let j = 0; j <= i; j++) sum += (h[j] as number) * (r[i - j] as number);
      for (let j = i + 1; j < limbs; j++) sum += (h[j] as number) * (r5[limbs + i - j] as number);
      carry = Math.floor(sum / (limbMask + 1));
      product[i] = sum - carry * (limbMask + 1);
    }
    product[0] = (product[0] as number) + carry * 5;
    h.set(product);
  }
  let sum = 0n;
  for (let i = limbs - 1; i >= 0; i--) sum = (sum << BigInt(limbBits)) + BigInt(h[i] as number);
  const tag = BigInt.asUintN(128, (sum % prime) + littleEndian(key.subarray(16, 32)));
  const out = Buffer.alloc(16);
  out.writeBigUInt64LE(BigInt.asUintN(64, tag), 0);
  out.writeBigUInt64LE(tag >> 64n, 8);
  return out;
}

function littleEndian(bytes: Buffer): bigint {
  return (bytes.readBigUInt64LE(8) << 64n) | bytes.readBigUInt64LE(0);
}

function toLimbs(value: bigint): Float64Array {
  return Float64Array.from({ length: limbs }, (_, i) => Number((value >> BigInt(i * limbBits)) & BigInt(limbMask)));
}
