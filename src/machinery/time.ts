// Upstream: k8s.io/apimachinery/pkg/apis/meta/v1/{time,micro_time}.go, std/time
import { TimeError, quoteBytes } from './time-error.ts';

export { canonicalDuration, formatDuration, parseDuration } from './duration.ts';
export { TimeError } from './time-error.ts';

/** A point in time: Unix seconds, and nanoseconds within the second. */
export interface Instant {
  readonly seconds: number;
  readonly nanoseconds: number;
}

const rfc3339 = '2006-01-02T15:04:05Z07:00';
const rfc3339Micro = '2006-01-02T15:04:05.000000Z07:00';

/** 0001-01-01T00:00:00Z, which upstream takes for "no time" */
const zeroSeconds = -62135596800;

/** metav1.Time as text: RFC 3339, any offset, any fraction. Throws a TimeError. */
export function parseTime(text: string): Instant {
  return new Scanner(rfc3339, text).parse(false);
}

/** metav1.MicroTime as text: exactly six digits of fraction. Throws a TimeError. */
export function parseMicroTime(text: string): Instant {
  return new Scanner(rfc3339Micro, text).parse(true);
}

export function isZeroTime({ seconds, nanoseconds }: Instant): boolean {
  return seconds === zeroSeconds && nanoseconds === 0;
}

export function formatTime({ seconds }: Pick<Instant, 'seconds'>): string {
  return `${dateAndTime(seconds)}Z`;
}

export function formatMicroTime({ seconds, nanoseconds }: Instant): string {
  return `${dateAndTime(seconds)}.${pad(Math.floor(nanoseconds / 1000), 6)}Z`;
}

/** From what a clock gives. */
export function instantOf(milliseconds: number): Instant {
  const seconds = Math.floor(milliseconds / 1000);
  return { seconds, nanoseconds: Math.floor((milliseconds - seconds * 1000) * 1e6) };
}

export function timestamp(milliseconds: number): string {
  return formatTime(instantOf(milliseconds));
}

export function microTimestamp(milliseconds: number): string {
  return formatMicroTime(instantOf(milliseconds));
}

const canonical = /^[12][0-9]{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z$/;

/** The text that upstream would write after reading this one; undefined for its zero time, which it writes as null. */
export function canonicalTime(text: string): string | undefined {
  if (canonical.test(text)) return text;
  const instant = parseTime(text);
  return isZeroTime(instant) ? undefined : formatTime(instant);
}

export function canonicalMicroTime(text: string): string | undefined {
  const instant = parseMicroTime(text);
  return isZeroTime(instant) ? undefined : formatMicroTime(instant);
}

function dateAndTime(seconds: number): string {
  const date = new Date(seconds * 1000);
  const year = date.getUTCFullYear();
  const shown = year < 0 ? `-${pad(-year, 4)}` : pad(year, 4);
  const day = `${shown}-${pad(date.getUTCMonth() + 1, 2)}-${pad(date.getUTCDate(), 2)}`;
  return `${day}T${pad(date.getUTCHours(), 2)}:${pad(date.getUTCMinutes(), 2)}:${pad(date.getUTCSeconds(), 2)}`;
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0');
}

/** Reads element after element, so that a refusal names the one that does not fit. */
class Scanner {
  readonly #layout: string;
  readonly #text: string;
  #rest: string;

  constructor(layout: string, text: string) {
    this.#layout = layout;
    this.#text = text;
    this.#rest = text;
  }

  parse(micro: boolean): Instant {
    const year = this.#year();
    const month = this.#number('-', '01', 'month', 1, 12);
    const day = this.#number('-', '02', 'day', 0, 99);
    const hour = this.#hour();
    const minute = this.#number(':', '04', 'minute', 0, 59);
    const second = this.#number(':', '05', 'second', 0, 59);
    const nanoseconds = micro ? this.#microseconds() * 1000 : this.#anyFraction();
    const offset = this.#zone();
    if (this.#rest !== '') this.#fail(`: extra text: ${quoteBytes(this.#rest)}`);
    const date = new Date(0);
    date.setUTCFullYear(year, month - 1, day);
    if (day < 1 || date.getUTCDate() !== day) this.#fail(': day out of range');
    date.setUTCHours(hour, minute, second);
    return { seconds: date.getTime() / 1000 - offset, nanoseconds };
  }

  #year(): number {
    const digits = this.#rest.slice(0, 4);
    if (!/^[0-9]{4}$/.test(digits)) this.#mismatch('2006');
    this.#rest = this.#rest.slice(4);
    return Number(digits);
  }

  #skip(separator: string): void {
    if (!this.#rest.startsWith(separator)) this.#mismatch(separator);
    this.#rest = this.#rest.slice(separator.length);
  }

  #number(separator: string, element: string, name: string, low: number, high: number): number {
    this.#skip(separator);
    const match = /^[0-9]{2}/.exec(this.#rest);
    if (match === null) return this.#mismatch(element);
    return this.#take(match[0], name, low, high);
  }

  /** One digit will do for the hour: upstream's parser is lenient there. */
  #hour(): number {
    this.#skip('T');
    const match = /^[0-9]{1,2}/.exec(this.#rest);
    if (match === null) return this.#mismatch('15');
    return this.#take(match[0], 'hour', 0, 23);
  }

  #take(digits: string, name: string, low: number, high: number): number {
    this.#rest = this.#rest.slice(digits.length);
    const value = Number(digits);
    if (value < low || value > high) this.#fail(`: ${name} out of range`);
    return value;
  }

  #anyFraction(): number {
    const match = /^[.,]([0-9]+)/.exec(this.#rest);
    if (match === null) return 0;
    this.#rest = this.#rest.slice(match[0].length);
    return Number(match[1]!.slice(0, 9).padEnd(9, '0'));
  }

  #microseconds(): number {
    const match = /^[.,]([0-9]{6}|[+-][0-9]{5})/.exec(this.#rest);
    if (match === null) return this.#mismatch('.000000');
    this.#rest = this.#rest.slice(7);
    const value = Number(match[1]);
    if (value < 0) this.#fail(': fractional second out of range');
    return value;
  }

  /** In seconds. 24 hours and 60 minutes pass. */
  #zone(): number {
    if (this.#rest.startsWith('Z')) {
      this.#rest = this.#rest.slice(1);
      return 0;
    }
    const held = this.#rest;
    const match = /^(.)([0-9]{2}):([0-9]{2})/s.exec(held);
    if (match === null) return this.#mismatch('Z07:00');
    this.#rest = held.slice(6);
    const [hours, minutes] = [Number(match[2]), Number(match[3])];
    if (minutes > 60) this.#fail(': time zone offset minute out of range');
    if (hours > 24) this.#fail(': time zone offset hour out of range');
    this.#rest = held;
    if (match[1] !== '+' && match[1] !== '-') this.#mismatch('Z07:00');
    this.#rest = held.slice(6);
    return (match[1] === '-' ? -1 : 1) * (hours * 60 + minutes) * 60;
  }

  #mismatch(element: string): never {
    return this.#fail(` as ${quoteBytes(this.#layout)}: cannot parse ${quoteBytes(this.#rest)} as ${quoteBytes(element)}`);
  }

  #fail(problem: string): never {
    throw new TimeError(`parsing time ${quoteBytes(this.#text)}${problem}`);
  }
}
