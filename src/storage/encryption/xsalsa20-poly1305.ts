// Upstream: golang.org/x/crypto/nacl/secretbox (the construction of NaCl's crypto_secretbox)
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
    for (let i = 0; i < from.length; i++) {
      if (this.#used === 64) this.#nextBlock();
      to[toOffset + i] = (from[i] as number) ^ (this.#block[this.#used++] as number);
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
  const [c0, c1, c2, c3] = sigma as unknown as [number, number, number, number];
  return Int32Array.from([c0, ...key.slice(0, 4), c1, ...middle, c2, ...key.slice(4), c3]);
}

/** A quarter round mixes four words of the square: one column or row, starting at the diagonal. */
const quarterRounds = Object.freeze([
  [0, 4, 8, 12],
  [5, 9, 13, 1],
  [10, 14, 2, 6],
  [15, 3, 7, 11],
  [0, 1, 2, 3],
  [5, 6, 7, 4],
  [10, 11, 8, 9],
  [15, 12, 13, 14],
] as const).flat();

function salsaRounds(input: Int32Array, output: Int32Array, addInput: boolean): void {
  output.set(input);
  for (let round = 0; round < 10; round++) {
    for (let q = 0; q < 32; q += 4) {
      const ia = quarterRounds[q] as number;
      const ib = quarterRounds[q + 1] as number;
      const ic = quarterRounds[q + 2] as number;
      const id = quarterRounds[q + 3] as number;
      let a = output[ia] as number;
      let b = output[ib] as number;
      let c = output[ic] as number;
      let d = output[id] as number;
      b ^= rotate(a + d, 7);
      c ^= rotate(b + a, 9);
      d ^= rotate(c + b, 13);
      a ^= rotate(d + c, 18);
      output[ia] = a;
      output[ib] = b;
      output[ic] = c;
      output[id] = d;
    }
  }
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
