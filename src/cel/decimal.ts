// Upstream: std/strconv#FormatFloat
// Formats f and e.

/** A finite double as a fraction of integers. */
function fractionOf(value: number): [numerator: bigint, denominator: bigint] {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, Math.abs(value));
  const raw = bits.getBigUint64(0);
  const exponent = Number(raw >> 52n);
  const mantissa = (raw & 0xfffffffffffffn) | (exponent === 0 ? 0n : 0x10000000000000n);
  const shift = Math.max(exponent, 1) - 1075;
  return shift >= 0 ? [mantissa << BigInt(shift), 1n] : [mantissa, 1n << BigInt(-shift)];
}

/** Division that rounds to nearest, ties to even. */
function roundedQuotient(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  const isUp = twice > denominator || (twice === denominator && quotient % 2n === 1n);
  return isUp ? quotient + 1n : quotient;
}

const signOf = (value: number): string => (value < 0 || Object.is(value, -0) ? '-' : '');

/** Exactly `precision` digits after the point, rounded from the exact value. */
export function toFixed(value: number, precision: number): string {
  const [numerator, denominator] = fractionOf(value);
  const digits = String(roundedQuotient(numerator * 10n ** BigInt(precision), denominator)).padStart(precision + 1, '0');
  const whole = digits.slice(0, digits.length - precision);
  return signOf(value) + whole + (precision === 0 ? '' : `.${digits.slice(digits.length - precision)}`);
}

/** Mantissa with `precision` digits after the point, and the decimal exponent. */
export function toScientific(value: number, precision: number): { mantissa: string; exponent: number } {
  let exponent = value === 0 ? 0 : Number(value.toExponential().split('e')[1]);
  const [numerator, denominator] = fractionOf(value);
  const shift = precision - exponent;
  const scaled = shift >= 0 ? [numerator * 10n ** BigInt(shift), denominator] : [numerator, denominator * 10n ** BigInt(-shift)];
  let digits = String(roundedQuotient(scaled[0]!, scaled[1]!)).padStart(precision + 1, '0');
  if (digits.length > precision + 1) {
    exponent++;
    digits = digits.slice(0, -1);
  }
  return { mantissa: signOf(value) + digits[0] + (precision === 0 ? '' : `.${digits.slice(1)}`), exponent };
}
