// Upstream: k8s.io/apimachinery/pkg/api/resource/{quantity,amount,suffix,math}.go
//
// A quantity is value × 10^scale. Upstream keeps most as a pair of integers and the rest ("decimal" below) as a big decimal; the two
// behave differently in places, so the difference is kept here, on one bigint.

export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

export class QuantityError extends Error {
  override readonly name = 'QuantityError';
}

const formatMessage = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const numericMessage = 'unable to parse numeric part of quantity';
const suffixMessage = "unable to parse quantity's suffix";

const maxInt64 = 2n ** 63n - 1n;
const minInt64 = -(2n ** 63n);
const nano = -9;
/** beyond this many digits an amount stays unexpanded; upstream would work on it for ages */
const maxExpansion = 1000;
/** Longer ones are refused: upstream works on millions of digits for seconds. */
const maxText = 4096;
/** Sums of amounts that lie further apart are the larger of the two: the exact sum would have as many digits, hundreds of millions of them. */
const maxDistance = 10_000;

const overflowingShifts: ReadonlySet<number> = new Set([1, 2, 3, 6, 9]);

const decimalSuffixes: ReadonlyMap<string, number> = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);
const binarySuffixes: ReadonlyMap<string, number> = new Map(
  ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map((suffix, index) => [suffix, 10 * (index + 1)]),
);
const decimalNames: ReadonlyMap<number, string> = new Map([...decimalSuffixes].map(([suffix, exponent]) => [exponent, suffix]));
const binaryNames: ReadonlyMap<number, string> = new Map([...binarySuffixes].map(([suffix, exponent]) => [exponent, suffix]));

export class Quantity {
  readonly format: QuantityFormat;
  readonly #value: bigint;
  readonly #scale: number;
  readonly #decimal: boolean;
  #text: string | undefined;

  private constructor(value: bigint, scale: number, format: QuantityFormat, decimal: boolean, text?: string) {
    this.#value = value;
    this.#scale = scale;
    this.format = format;
    this.#decimal = decimal;
    this.#text = text;
  }

  static of(value: bigint | number, format: QuantityFormat = 'DecimalSI', scale = 0): Quantity {
    return new Quantity(BigInt(value), scale, format, false);
  }

  static milli(value: bigint | number, format: QuantityFormat = 'DecimalSI'): Quantity {
    return Quantity.of(value, format, -3);
  }

  static parse(text: string): Quantity {
    if (text === '') throw new QuantityError(formatMessage);
    if (text.length > maxText) throw new QuantityError(numericMessage);
    if (text === '0') return new Quantity(0n, 0, 'DecimalSI', false, text);
    const parts = /^([+-]?)([0-9]*)(?:\.([0-9]*))?((?:[eEinumkKMGTP]+[-+]?|[-+])[0-9]*|)$/.exec(text);
    if (parts === null) throw new QuantityError(formatMessage);
    const [, sign, whole, fraction = '', suffix] = parts as unknown as [string, string, string, string | undefined, string];
    const { base, exponent, format } = interpretSuffix(suffix);
    const digits = (whole.replace(/^0+/, '') || '0') + fraction;
    const negative = sign === '-';

    if (base === 10 && digits.length <= 18 && exponent - fraction.length >= nano) {
      const value = BigInt(digits);
      const scale = exponent - fraction.length;
      // Upstream keeps the input's text where it looks canonical to a quick glance, which `+5` and `1.500` do.
      const keeps = scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
      return new Quantity(negative ? -value : value, scale, format, false, keeps ? text : undefined);
    }
    if (base === 2 && fraction === '' && 14 - digits.length - Math.trunc((exponent * 3) / 10) >= 0) {
      const number = BigInt(digits);
      const value = number << BigInt(exponent);
      return new Quantity(negative ? -value : value, 0, format, false, (number & 7n) === 0n ? undefined : text);
    }
    if (whole === '' && fraction === '') throw new QuantityError(numericMessage);
    const parsed = Quantity.#parseDecimal(BigInt(digits), fraction.length, negative, base, exponent, format);
    // What was not rounded is the text that was read: it need not be made from the number, which takes long where there are many digits.
    if (base === 10 && exponent - fraction.length >= nano && !parsed.isZero)
      parsed.#text = decimalText(`${negative ? '-' : ''}${digits.replace(/^0+/, '')}`, exponent - fraction.length, format);
    return parsed;
  }

  /** Rounded up to nano, binary ones capped at what an int64 holds. */
  static #parseDecimal(
    digits: bigint,
    decimals: number,
    negative: boolean,
    base: 2 | 10,
    exponent: number,
    format: QuantityFormat,
  ): Quantity {
    let value = base === 2 ? digits << BigInt(exponent) : digits;
    let scale = (base === 10 ? exponent : 0) - decimals;
    if (value !== 0n) [value, scale] = toNano(value, scale);
    let shown = format;
    if (format === 'BinarySI') {
      if (compareScaled(value, scale, maxInt64, 0) > 0) [value, scale] = [maxInt64, 0];
      if (value > 0n && compareScaled(value, scale, 1n, 0) < 0) shown = 'DecimalSI';
    }
    return new Quantity(negative ? -value : value, scale, shown, true);
  }

  get isZero(): boolean {
    return this.#value === 0n;
  }

  get sign(): -1 | 0 | 1 {
    return signOf(this.#value);
  }

  compare(other: Quantity): -1 | 0 | 1 {
    return compareScaled(this.#value, this.#scale, other.#value, other.#scale);
  }

  equals(other: Quantity): boolean {
    return this.compare(other) === 0;
  }

  /** Keeps its own format, unless it is zero. */
  add(other: Quantity): Quantity {
    const format = this.isZero ? other.format : this.format;
    const decimal = this.#decimal || other.#decimal;
    if (!decimal && other.isZero) return new Quantity(this.#value, this.#scale, format, false);
    if (!decimal && this.isZero) return new Quantity(other.#value, other.#scale, format, false);
    if (Math.abs(this.#scale - other.#scale) > maxDistance) {
      const { value, scale } = this.#outweighs(other)
        ? { value: this.#value, scale: this.#scale }
        : { value: other.#value, scale: other.#scale };
      return new Quantity(value, scale, format, true);
    }
    const scale = Math.min(this.#scale, other.#scale);
    const [left, right] = [expand(this.#value, this.#scale - scale), expand(other.#value, other.#scale - scale)];
    const sum = left + right;
    return new Quantity(sum, scale, format, decimal || !isInt64(left) || !isInt64(right) || !isInt64(sum));
  }

  #outweighs(other: Quantity): boolean {
    if (this.isZero || other.isZero) return other.isZero;
    return magnitude(this.#value) + this.#scale > magnitude(other.#value) + other.#scale;
  }

  subtract(other: Quantity): Quantity {
    return this.add(new Quantity(-other.#value, other.#scale, other.format, other.#decimal));
  }

  negate(): Quantity {
    return new Quantity(-this.#value, this.#scale, this.format, this.#decimal);
  }

  multiply(factor: bigint | number): Quantity {
    const product = this.#value * BigInt(factor);
    return new Quantity(product, product === 0n ? 0 : this.#scale, this.format, this.#decimal || !isInt64(product));
  }

  /** Rounded up, away from zero, to a multiple of 10^scale. */
  roundUp(scale: number): Quantity {
    if (this.#scale >= scale) return this;
    return new Quantity(divideAwayFromZero(this.#value, scale - this.#scale), scale, this.format, this.#decimal);
  }

  /** The integer that it is, if it was written without fraction and fits; undefined otherwise. */
  asInt64(): bigint | undefined {
    if (this.#decimal || this.#scale < 0) return undefined;
    if (this.#value !== 0n && this.#scale > 18) return undefined;
    const value = expand(this.#value, this.#scale);
    return isInt64(value) ? value : undefined;
  }

  /** As an int64, rounded up. */
  value(): bigint {
    return this.scaledValue(0);
  }

  milliValue(): bigint {
    return this.scaledValue(-3);
  }

  /** In units of 10^scale, with upstream's rounding, which differs between its two representations. */
  scaledValue(scale: number): bigint {
    const shift = scale - this.#scale;
    if (this.#decimal) return scaledDecimal(this.#value, shift);
    if (shift > 0) return divideAwayFromZero(this.#value, shift);
    if (this.#value === 0n || -shift > 18) return 0n;
    const value = expand(this.#value, -shift);
    // Too big: upstream lets some shifts overflow and gives up on the others.
    return isInt64(value) || overflowingShifts.has(-shift) ? BigInt.asIntN(64, value) : 0n;
  }

  asApproximateNumber(): number {
    return this.#scale === 0 ? Number(this.#value) : Number(this.#value) * Number(`1e${this.#scale}`);
  }

  toString(): string {
    this.#text ??= this.#canonical();
    return this.#text;
  }

  toJSON(): string {
    return this.toString();
  }

  #canonical(): string {
    if (this.isZero) return '0';
    if (this.format === 'BinarySI' && this.#isBinary()) {
      const [amount, times] = removeFactorsOf1024(this.#integer());
      return `${amount}${binaryNames.get(times * 10) ?? ''}`;
    }
    return decimalText(this.#value.toString(), this.#scale, this.format);
  }

  #integer(): bigint {
    return this.#scale < 0 ? this.#value / 10n ** BigInt(-this.#scale) : expand(this.#value, this.#scale);
  }

  /** Small amounts and fractions are written with decimal suffixes. */
  #isBinary(): boolean {
    if (this.#scale > maxDistance) return false;
    if (compareScaled(this.#value, this.#scale, -1024n, 0) > 0 && compareScaled(this.#value, this.#scale, 1024n, 0) < 0) return false;
    return this.#scale >= 0 || this.#value % 10n ** BigInt(-this.#scale) === 0n;
  }
}

const plainDecimal = /^[1-9][0-9]{0,14}[numkMGTPE]?$/;
const thousands = /000[a-zA-Z]?$/;
const plainBinary = /^[1-9][0-9]{0,2}[KMG]i$/;

/** The text that upstream would write after reading this one. Throws a QuantityError. */
export function canonicalQuantity(text: string): string {
  if (plainBinary.test(text) || (plainDecimal.test(text) && !thousands.test(text))) return text;
  return Quantity.parse(text.trim()).toString();
}

function interpretSuffix(suffix: string): { base: 2 | 10; exponent: number; format: QuantityFormat } {
  const decimal = decimalSuffixes.get(suffix);
  if (decimal !== undefined) return { base: 10, exponent: decimal, format: 'DecimalSI' };
  const binary = binarySuffixes.get(suffix);
  if (binary !== undefined) return { base: 2, exponent: binary, format: 'BinarySI' };
  if (!/^[eE][+-]?[0-9]+$/.test(suffix)) throw new QuantityError(suffixMessage);
  const exponent = BigInt(suffix.slice(suffix[1] === '+' ? 2 : 1));
  if (!isInt64(exponent)) throw new QuantityError(suffixMessage);
  return { base: 10, exponent: Number(BigInt.asIntN(32, exponent)), format: 'DecimalExponent' };
}

function toNano(value: bigint, scale: number): [bigint, number] {
  if (scale < nano) return [divideAwayFromZero(value, nano - scale), nano];
  return scale - nano > maxExpansion ? [value, scale] : [expand(value, scale - nano), nano];
}

function scaledDecimal(value: bigint, shift: number): bigint {
  if (shift <= 0) return BigInt.asIntN(64, BigInt.asIntN(64, value) * 10n ** BigInt(Math.min(-shift, maxExpansion)));
  const divisor = 10n ** BigInt(Math.min(shift, maxExpansion));
  if (value < maxInt64 && shift < 19) {
    const small = BigInt.asIntN(64, value);
    // A negative amount with a fraction comes out one too high: as upstream.
    return small / divisor + (small % divisor === 0n ? 0n : 1n);
  }
  const floor = value / divisor - (value < 0n && value % divisor !== 0n ? 1n : 0n);
  return BigInt.asIntN(64, floor + (value % divisor === 0n ? 0n : 1n));
}

/** Up to this power of ten it takes less to divide and multiply than to look at what comes out. */
const cheapPower = 24;

function divideAwayFromZero(value: bigint, power: number): bigint {
  if (value === 0n) return 0n;
  const one = value > 0n ? 1n : -1n;
  if (power > cheapPower && power > magnitude(value) + 1) return one;
  const divisor = 10n ** BigInt(power);
  return value / divisor + (value % divisor === 0n ? 0n : one);
}

function compareScaled(left: bigint, leftScale: number, right: bigint, rightScale: number): -1 | 0 | 1 {
  const sign = signOf(left);
  if (sign !== signOf(right)) return sign > signOf(right) ? 1 : -1;
  if (sign === 0) return 0;
  if (leftScale === rightScale) return left === right ? 0 : left > right ? 1 : -1;
  if (Math.abs(leftScale - rightScale) > cheapPower) {
    // Magnitudes first, so that an absurd exponent never becomes a number with as many digits.
    const distance = magnitude(left) + leftScale - magnitude(right) - rightScale;
    if (Math.abs(distance) > 0.001) return distance > 0 === sign > 0 ? 1 : -1;
  }
  const scale = Math.min(leftScale, rightScale);
  return signOf(expand(left, leftScale - scale) - expand(right, rightScale - scale));
}

function expand(value: bigint, power: number): bigint {
  return power === 0 || value === 0n ? value : value * 10n ** BigInt(power);
}

/** The decimal logarithm, nearly: decimal digits take long to make where there are thousands. */
function magnitude(value: bigint): number {
  const digits = (value < 0n ? -value : value).toString(16);
  return Math.log10(Number.parseInt(digits.slice(0, 12), 16)) + Math.max(0, digits.length - 12) * Math.log10(16);
}

/** An integer with its sign, times a power of ten, which becomes a multiple of three. */
function decimalText(digits: string, scale: number, format: QuantityFormat): string {
  let end = digits.length;
  while (end > 1 && digits[end - 1] === '0') end--;
  let exponent = scale + digits.length - end;
  const excess = ((exponent % 3) + 3) % 3;
  exponent -= excess;
  const amount = digits.slice(0, end) + '0'.repeat(excess);
  if (format === 'DecimalExponent') return exponent === 0 ? amount : `${amount}e${exponent}`;
  // Beyond exa there is no suffix, and upstream writes none.
  return `${amount}${decimalNames.get(exponent) ?? ''}`;
}

function removeFactorsOf1024(value: bigint): [bigint, number] {
  const text = value.toString(2);
  let end = text.length;
  while (end > 10 && text.slice(end - 10, end) === '0000000000') end -= 10;
  return [value >> BigInt(text.length - end), (text.length - end) / 10];
}

function signOf(value: bigint): -1 | 0 | 1 {
  if (value === 0n) return 0;
  return value > 0n ? 1 : -1;
}

function isInt64(value: bigint): boolean {
  return value <= maxInt64 && value >= minInt64;
}
