// Upstream: github.com/google/cel-go/common/types/{timestamp,duration,overflow}.go, std/time

import { withoutTrailing } from '../base/trailing.ts';
import { toInt } from './numbers.ts';
import type { Int } from './numbers.ts';
import { CelError, Duration, Timestamp } from './values.ts';

export const minSeconds = -62135596800;
export const maxSeconds = 253402300799;
const maxNanos = 2n ** 63n - 1n;
const minNanos = -(2n ** 63n);

export const timestampOverflow = new CelError('timestamp overflow');
const durationOverflow = new CelError('duration overflow');
const integerOverflow = new CelError('integer overflow');

const toDuration = (nanos: bigint): Duration | CelError => (nanos > maxNanos || nanos < minNanos ? durationOverflow : new Duration(nanos));

export const addDurations = (a: Duration, b: Duration): Duration | CelError => toDuration(a.nanos + b.nanos);
export const subtractDurations = (a: Duration, b: Duration): Duration | CelError => toDuration(a.nanos - b.nanos);
export const negateDuration = (a: Duration): Duration | CelError => toDuration(-a.nanos);

const nanosOf = (time: Timestamp): bigint => BigInt(time.seconds) * 1_000_000_000n + BigInt(time.nanos);

function fromNanos(total: bigint, zone: number): Timestamp | CelError {
  let seconds = total / 1_000_000_000n;
  let nanos = total % 1_000_000_000n;
  if (nanos < 0n) {
    seconds -= 1n;
    nanos += 1_000_000_000n;
  }
  return timestampAt(Number(seconds), Number(nanos), zone);
}

export function timestampAt(seconds: number, nanos: number, zone = 0): Timestamp | CelError {
  return seconds < minSeconds || seconds > maxSeconds ? timestampOverflow : new Timestamp(seconds, nanos, zone);
}

export const addToTime = (time: Timestamp, duration: Duration): Timestamp | CelError =>
  fromNanos(nanosOf(time) + duration.nanos, time.zone);
export const subtractFromTime = (time: Timestamp, duration: Duration): Timestamp | CelError =>
  fromNanos(nanosOf(time) - duration.nanos, time.zone);
export function timeBetween(a: Timestamp, b: Timestamp): Duration | CelError {
  const nanos = nanosOf(a) - nanosOf(b);
  return nanos > maxNanos || nanos < minNanos ? integerOverflow : new Duration(nanos);
}

export const compareTimes = (a: Timestamp, b: Timestamp): number =>
  a.seconds === b.seconds ? Math.sign(a.nanos - b.nanos) : Math.sign(a.seconds - b.seconds);

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d|\d):(\d\d):(\d\d)([.,]\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Reads what Go's time.Parse(time.rfc3339) reads; undefined for anything else. */
export function parseTimestamp(text: string): Timestamp | CelError | undefined {
  const match = rfc3339.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second, fraction, zone] = match;
  const days = daysFromCivil(Number(year), Number(month), Number(day));
  if (days === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const offset = zoneSeconds(zone!);
  if (offset === undefined) return undefined;
  const seconds = days * 86400 + Number(hour) * 3600 + Number(minute) * 60 + Number(second) - offset;
  const nanos = fraction ? Number(fraction.slice(1, 10).padEnd(9, '0')) : 0;
  return timestampAt(seconds, nanos, offset);
}

function zoneSeconds(zone: string): number | undefined {
  if (zone === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4));
  if (hours > 24 || minutes > 60) return undefined;
  return (zone[0] === '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
}

function daysFromCivil(year: number, month: number, day: number): number | undefined {
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return Math.floor(date.getTime() / 86_400_000);
}

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
const daysIn = (year: number, month: number): number =>
  month === 2 ? (isLeap(year) ? 29 : 28) : month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;

const pad = (value: number, width = 2): string => String(value).padStart(width, '0');

/** The RFC 3339 form in the zone the time was written with, with as many digits of the fraction as needed. */
export function showTimestamp(time: Timestamp): string {
  const fraction = time.nanos === 0 ? '' : `.${withoutTrailing(pad(time.nanos, 9), '0')}`;
  const date = new Date((time.seconds + time.zone) * 1000);
  const minutes = Math.trunc(Math.abs(time.zone) / 60);
  const zone = time.zone === 0 ? 'Z' : `${time.zone < 0 ? '-' : '+'}${pad(Math.trunc(minutes / 60))}:${pad(minutes % 60)}`;
  const day = `${pad(date.getUTCFullYear(), 4)}-${pad(date.getUTCMonth() + 1)}-${pad(date.getUTCDate())}`;
  return `${day}T${pad(date.getUTCHours())}:${pad(date.getUTCMinutes())}:${pad(date.getUTCSeconds())}${fraction}${zone}`;
}

const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

/** Upstream has no limit. */
const mostCharacters = 4096;

/** Reads what Go's time.ParseDuration reads; undefined for anything else. */
export function parseDuration(text: string): Duration | undefined {
  const sign = /^[+-]?/.exec(text)![0];
  let rest = text.slice(sign.length);
  if (rest === '0') return new Duration(0n);
  if (rest === '' || rest.length > mostCharacters) return undefined;
  const limit = sign === '-' ? -minNanos : maxNanos;
  let total = 0n;
  while (rest !== '') {
    const match = /^(\d*)(?:\.(\d*))?([^\d.]+)/.exec(rest);
    if (!match || (match[1] === '' && !match[2])) return undefined;
    const unit = units[match[3]!];
    if (unit === undefined) return undefined;
    const digits = match[2] ?? '';
    total += BigInt(match[1] || '0') * unit;
    if (digits !== '') total += (BigInt(digits) * unit) / 10n ** BigInt(digits.length);
    if (total > limit) return undefined;
    rest = rest.slice(match[0].length);
  }
  return new Duration(sign === '-' ? -total : total);
}

/** Seconds as a decimal with the shortest digits of the double nearest to it. */
export function showDuration(duration: Duration): string {
  return `${plainDecimal(secondsOf(duration))}s`;
}

/** Go's Duration.Seconds(): whole seconds plus the rest, as doubles. */
export function secondsOf(duration: Duration): number {
  return Number(duration.nanos / 1_000_000_000n) + Number(duration.nanos % 1_000_000_000n) / 1e9;
}

/** A double without exponent, as strconv.FormatFloat(v, 'f', -1, 64) writes it. */
export function plainDecimal(value: number): string {
  const shown = String(value);
  if (Object.is(value, -0)) return '-0';
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(shown);
  if (!match) return shown === 'Infinity' ? '+Inf' : shown === '-Infinity' ? '-Inf' : shown;
  const [, sign, lead, tail = '', exponentText] = match;
  const digits = lead + tail;
  const exponent = Number(exponentText);
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  return sign + digits.padEnd(exponent + 1, '0');
}

const perUnit = (duration: Duration, unit: bigint): Int => toInt(duration.nanos / unit) as Int;
export const durationHours = (duration: Duration): Int => perUnit(duration, 3_600_000_000_000n);
export const durationMinutes = (duration: Duration): Int => perUnit(duration, 60_000_000_000n);
export const durationSeconds = (duration: Duration): Int => perUnit(duration, 1_000_000_000n);
export const durationMillis = (duration: Duration): Int => perUnit(duration, 1_000_000n);

export interface CalendarTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly weekday: number;
  readonly yearDay: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

function calendar(seconds: number): CalendarTime {
  const date = new Date(seconds * 1000);
  const yearStart = new Date(0);
  yearStart.setUTCFullYear(date.getUTCFullYear(), 0, 1);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth(),
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
    yearDay: Math.floor((date.getTime() - yearStart.getTime()) / 86_400_000),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
  };
}

/** Calendar fields of a time in a zone: empty, an IANA name, or an offset such as `-08:00`. */
export function inZone(time: Timestamp, zone: string): CalendarTime | CelError {
  if (zone === '' || zone === 'UTC') return calendar(time.seconds);
  const colon = zone.indexOf(':');
  if (colon < 0) return inNamedZone(time, zone);
  const hours = atoi(zone.slice(0, colon));
  if (hours instanceof CelError) return hours;
  const minutes = atoi(zone.slice(colon + 1));
  if (minutes instanceof CelError) return minutes;
  if (minutes < 0 || minutes > 59) return new CelError(`timezone offset minutes out of range [0, 59]: ${zone}`);
  return calendar(time.seconds + (zone[0] === '-' ? hours * 60 - minutes : hours * 60 + minutes) * 60);
}

function atoi(text: string): number | CelError {
  if (!/^[+-]?\d+$/.test(text)) return new CelError(`strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}

function inNamedZone(time: Timestamp, zone: string): CalendarTime | CelError {
  if (zone === 'Local') return calendar(time.seconds);
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    const parts = new Map(format.formatToParts(time.seconds * 1000).map((part) => [part.type, part.value]));
    const year = Number(parts.get('year')) * (parts.get('era')?.startsWith('B') ? -1 : 1);
    const shifted = new Date(0);
    shifted.setUTCFullYear(year, Number(parts.get('month')) - 1, Number(parts.get('day')));
    shifted.setUTCHours(Number(parts.get('hour')), Number(parts.get('minute')), Number(parts.get('second')));
    return calendar(Math.floor(shifted.getTime() / 1000));
  } catch (cause) {
    if (cause instanceof RangeError) return new CelError(`unknown time zone ${zone}`);
    throw cause;
  }
}
