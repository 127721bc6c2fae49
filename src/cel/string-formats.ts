// Upstream: k8s.io/kube-openapi/pkg/validation/strfmt
// As far as values of these formats become CEL values.

import { integerOf } from '../machinery/go-number.ts';
import { goQuote } from '../machinery/go-format.ts';
import { maxInt } from './numbers.ts';
import { parseDuration, parseTimestamp } from './time.ts';
import type { Value } from './values.ts';
import { CelError, Duration, Timestamp } from './values.ts';

const units: readonly (readonly [factor: bigint, ...names: string[]])[] = [
  [1n, 'ns', 'nano'],
  [1_000n, 'us', 'µs', 'micro'],
  [1_000_000n, 'ms', 'milli'],
  [1_000_000_000n, 's', 'sec'],
  [60_000_000_000n, 'm', 'min'],
  [3_600_000_000_000n, 'h', 'hr', 'hour'],
  [86_400_000_000_000n, 'd', 'day'],
  [604_800_000_000_000n, 'w', 'wk', 'week'],
];

/** Upstream has no limit; each of a million parts would be looked up and added. */
const mostCharacters = 4096;

/** Go's durations, and also `2 days 3 hours`. */
export function parseLooseDuration(text: string): Value {
  if (text.length > mostCharacters) return new CelError(`Invalid duration: must have at most ${mostCharacters} characters`);
  const strict = parseDuration(text);
  if (strict) return strict;
  let total = 0n;
  let isFound = false;
  // The unit is optional, so that a number without one is passed over as a whole.
  for (const [, count, word] of text.matchAll(/(\d+)\s*([A-Za-z\u00b5]+)?/g)) {
    if (word === undefined) continue;
    const amount = integerOf(count!);
    if (amount > maxInt) return new CelError(`Invalid duration ${text}: strconv.Atoi: parsing ${goQuote(count!)}: value out of range`);
    const unit = word.toLowerCase();
    for (const [factor, ...names] of units) {
      const matches = names.filter((name, i) => name === unit || (i === names.length - 1 && unit.startsWith(name)));
      total += amount * factor * BigInt(matches.length);
      isFound ||= matches.length > 0;
    }
  }
  return isFound ? new Duration(BigInt.asIntN(64, total)) : new CelError(`Invalid duration ${text}: unable to parse ${text} as duration`);
}

export function parseDate(text: string): Value {
  const parsed = /^\d{4}-\d{2}-\d{2}$/.test(text) ? parseTimestamp(`${text}T00:00:00Z`) : undefined;
  return parsed ?? new CelError(`Invalid date formatted string ${text}: parsing time`);
}

export function parseDateTime(text: string): Value {
  if (text === '') return new Timestamp(0, 0);
  return parseTimestamp(text) ?? parseTimestamp(`${text}Z`) ?? new CelError(`Invalid date-time formatted string ${text}: parsing time`);
}

export function parseBase64(text: string): Value {
  const compact = text.replaceAll(/[\r\n]/g, '');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(compact) || compact.length % 4 !== 0)
    return new CelError(`Invalid byte formatted string ${text}: illegal base64 data`);
  return Uint8Array.from(Buffer.from(compact, 'base64'));
}
