// Upstream: std/fmt
// What %v prints for values of cel-go, as error messages show it.

import { withoutTrailing } from '../base/trailing.ts';
import { plainDecimal, showTimestamp } from './time.ts';
import { CelError, CelList, CelMap, Double, Duration, Optional, Timestamp, Uint, typeOf } from './values.ts';
import type { Value } from './values.ts';
import { CelType } from './types.ts';

/** A double as Go's %g and %v write it: exponent form below 1e-4 and from 1e21 on. */
export function showDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  const magnitude = Math.abs(value);
  if (value === 0 || (magnitude >= 1e-4 && magnitude < 1e21)) return plainDecimal(value);
  const [mantissa, exponent] = value.toExponential().split('e') as [string, string];
  return `${mantissa}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`;
}

export function showValue(value: Value): string {
  if (typeof value === 'string') return value;
  if (value === null) return 'NULL_VALUE';
  if (typeof value !== 'object') return String(value);
  if (value instanceof Double) return showDouble(value.value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Uint8Array) return `[${value.join(' ')}]`;
  if (value instanceof Timestamp) return `${showTimestamp(value).replace('T', ' ').replace('Z', '')} +0000 UTC`;
  if (value instanceof Duration) return showGoDuration(value);
  if (value instanceof CelList) return `[${[...value].map(showValue).join(', ')}]`;
  if (value instanceof CelMap)
    return `{${value
      .keys()
      .map((key) => `${showValue(key)}: ${showValue(value.find(key) ?? null)}`)
      .join(', ')}}`;
  if (value instanceof CelType) return String(value);
  if (value instanceof Optional) return value.value === undefined ? 'optional.none()' : `optional(${showValue(value.value)})`;
  if (value instanceof CelError) return value.message;
  return typeOf(value).name;
}

/** Go's Duration.String(): 1h2m3.5s, 1.5ms, 0s. */
export function showGoDuration(duration: Duration): string {
  const negative = duration.nanos < 0n;
  const nanos = negative ? -duration.nanos : duration.nanos;
  if (nanos === 0n) return '0s';
  const sign = negative ? '-' : '';
  if (nanos < 1_000n) return `${sign}${nanos}ns`;
  if (nanos < 1_000_000n) return `${sign}${fraction(nanos, 1_000n, 3)}µs`;
  if (nanos < 1_000_000_000n) return `${sign}${fraction(nanos, 1_000_000n, 6)}ms`;
  const hours = nanos / 3_600_000_000_000n;
  const minutes = (nanos / 60_000_000_000n) % 60n;
  const seconds = fraction(nanos % 60_000_000_000n, 1_000_000_000n, 9);
  const lead = hours > 0n ? `${hours}h${minutes}m` : minutes > 0n ? `${minutes}m` : '';
  return `${sign}${lead}${seconds}s`;
}

function fraction(value: bigint, unit: bigint, digits: number): string {
  const rest = withoutTrailing(String(value % unit).padStart(digits, '0'), '0');
  return `${value / unit}${rest === '' ? '' : `.${rest}`}`;
}

/** The name of upstream's implementation type, which shows in a few messages. */
export function goTypeName(value: Value): string {
  switch (typeof value) {
    case 'string':
      return 'types.String';
    case 'boolean':
      return 'types.Bool';
    case 'number':
    case 'bigint':
      return 'types.Int';
  }
  if (value === null) return 'types.Null';
  if (value instanceof Double) return 'types.Double';
  if (value instanceof Uint) return 'types.Uint';
  if (value instanceof Uint8Array) return 'types.Bytes';
  if (value instanceof Timestamp) return 'types.Timestamp';
  if (value instanceof Duration) return 'types.Duration';
  return value instanceof Optional ? '*types.Optional' : '*types.Type';
}
