// Upstream: k8s.io/apimachinery/pkg/apis/meta/v1/duration.go, std/time#Duration
import { integerOf } from './go-number.ts';
import { withoutTrailing } from '../base/trailing.ts';
import { TimeError, quoteBytes } from './time-error.ts';

const units: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['\u00b5s', 1_000n],
  ['\u03bcs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);

/** Upstream has no limit. */
const mostCharacters = 4096;
const limit = 2n ** 63n;
const second = 1_000_000_000n;

/** Nanoseconds of a text like `1h30m`. Throws a TimeError. */
export function parseDuration(text: string): bigint {
  const unsigned = text.replace(/^[-+]/, '');
  if (unsigned === '0') return 0n;
  const fail = (problem: string): never => {
    throw new TimeError(`time: ${problem} ${quoteBytes(text)}`);
  };
  if (unsigned === '' || text.length > mostCharacters) fail('invalid duration');
  let total = 0n;
  let rest = unsigned;
  while (rest !== '') {
    const [matched, whole, , fraction = '', unit] = /^([0-9]*)(\.([0-9]*))?([^.0-9]*)/s.exec(rest) as unknown as [
      string,
      string,
      string | undefined,
      string | undefined,
      string,
    ];
    if (whole === '' && fraction === '') fail('invalid duration');
    const count = integerOf(whole || '0');
    if (count > limit) fail('invalid duration');
    if (unit === '') fail('missing unit in duration');
    const size = units.get(unit) ?? fail(`unknown unit ${quoteBytes(unit)} in duration`);
    if (count > limit / size) fail('invalid duration');
    const part = count * size + fractionOf(fraction, size);
    if (part > limit) fail('invalid duration');
    // Two halves of the limit wrap around to nothing in upstream's unsigned sum.
    total = BigInt.asUintN(64, total + part);
    if (total > limit) fail('invalid duration');
    rest = rest.slice(matched.length);
  }
  if (text.startsWith('-')) return -total;
  return total === limit ? fail('invalid duration') : total;
}

/** With upstream's floating point, and digits that overflow ignored. */
function fractionOf(digits: string, size: bigint): bigint {
  let value = 0n;
  let scale = 1;
  for (const digit of digits) {
    if (value > (limit - 1n) / 10n) break;
    const next = value * 10n + BigInt(digit);
    if (next > limit) break;
    value = next;
    scale *= 10;
  }
  return value === 0n ? 0n : BigInt(Math.trunc(Number(value) * (Number(size) / scale)));
}

/** `1h0m5.5s`; below a second in the largest unit that leaves a whole digit: `1.5ms`. */
export function formatDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return '0s';
  const sign = nanoseconds < 0n ? '-' : '';
  const amount = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (amount < 1_000n) return `${sign}${amount}ns`;
  if (amount < 1_000_000n) return `${sign}${decimal(amount, 3)}µs`;
  if (amount < second) return `${sign}${decimal(amount, 6)}ms`;
  const minutes = amount / (60n * second);
  const seconds = `${decimal(amount % (60n * second), 9)}s`;
  if (minutes === 0n) return sign + seconds;
  const hours = minutes / 60n;
  return hours === 0n ? `${sign}${minutes}m${seconds}` : `${sign}${hours}h${minutes % 60n}m${seconds}`;
}

function decimal(amount: bigint, places: number): string {
  const unit = 10n ** BigInt(places);
  const fraction = withoutTrailing((amount % unit).toString().padStart(places, '0'), '0');
  const whole = (amount / unit).toString();
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** The text that upstream would write after reading this one. */
export function canonicalDuration(text: string): string {
  return formatDuration(parseDuration(text));
}
