// Upstream: k8s.io/kubernetes/pkg/registry/core/service/allocator/bitmap.go

/** Ports from `first` on, `size` of them. */
export interface PortRange {
  readonly first: number;
  readonly size: number;
}

/** `30000-32767` */
export function formatPortRange({ first, size }: PortRange): string {
  return `${first}-${first + size - 1}`;
}

export function parsePortRange(text: string): PortRange | undefined {
  const match = /^(\d+)-(\d+)$/.exec(text);
  if (match === null) return undefined;
  const first = Number(match[1]);
  return { first, size: Number(match[2]) - first + 1 };
}

export function inRange({ first, size }: PortRange, port: number): boolean {
  return port >= first && port < first + size;
}

/**
 * Which ports of a range are taken, one bit each. At rest it is one big number in big-endian bytes without leading zeros, as
 * upstream writes it.
 */
export class PortBitmap {
  readonly range: PortRange;
  readonly #bits: Uint8Array;

  constructor(range: PortRange, data = '') {
    this.range = range;
    const bytes = Buffer.from(data, 'base64').reverse();
    this.#bits = new Uint8Array(Math.max(Math.ceil(range.size / 8), bytes.length));
    this.#bits.set(bytes);
  }

  has(port: number): boolean {
    const offset = port - this.range.first;
    return ((this.#bits[offset >> 3] ?? 0) & (1 << (offset & 7))) !== 0;
  }

  set(port: number, taken: boolean): void {
    const offset = port - this.range.first;
    const bit = 1 << (offset & 7);
    const byte = this.#bits[offset >> 3] ?? 0;
    this.#bits[offset >> 3] = taken ? byte | bit : byte & ~bit;
  }

  *taken(): Generator<number> {
    const { first, size } = this.range;
    for (let offset = 0; offset < size; offset++) {
      if ((offset & 7) === 0 && this.#bits[offset >> 3] === 0) offset += 7;
      else if (this.has(first + offset)) yield first + offset;
    }
  }

  toData(): string {
    let length = this.#bits.length;
    while (length > 0 && this.#bits[length - 1] === 0) length--;
    return Buffer.from(this.#bits.subarray(0, length)).reverse().toString('base64');
  }
}

const reservedAtLeast = 16;
const reservedAtMost = 128;
const reservedShare = 32;

/** The lower part of a range is left to those who ask for a certain port, until the upper part is used up. */
export function reservedPorts(size: number): number {
  if (size <= reservedAtLeast) return 0;
  return Math.min(Math.max(Math.trunc(size / reservedShare), reservedAtLeast), reservedAtMost);
}
