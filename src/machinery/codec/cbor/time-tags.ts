// Upstream: github.com/fxamacker/cbor/v2/decode.go#parseToTime, std/time#MarshalText
import { withoutTrailing } from '../../../base/trailing.ts';
import { formatTime, parseTime, TimeError } from '../../time.ts';
import { DecodeError } from '../decode-error.ts';

/** The text of tag 0 as Go writes it after reading it: in its own zone, with no more digits than needed. */
export function timeText(text: string): string {
  try {
    parseTime(text);
  } catch (error) {
    if (!(error instanceof TimeError)) throw error;
    throw new DecodeError(`cbor: cannot set ${text} for time.Time: ${error.message}`, { cause: error });
  }
  const [, date = '', fraction = '', zone = ''] = /^(.{10}T.{8})(?:[.,](\d+))?(.*)$/s.exec(padHour(text)) ?? [];
  if (Number(zone.slice(1, 3)) > 23) throw outOfRange('timezone hour outside of range [0,23]');
  return date + shortFraction(fraction.slice(0, 9)) + (/^[-+]00:00$/.test(zone) ? 'Z' : zone);
}

/** Seconds since 1970, tag 1, as text in UTC. */
export function epochText(seconds: number): string {
  const whole = Math.trunc(seconds);
  let nanoseconds = Math.trunc((seconds - whole) * 1e9);
  const floor = nanoseconds < 0 ? whole - 1 : whole;
  if (nanoseconds < 0) nanoseconds += 1e9;
  if (floor < -62167219200 || floor > 253402300799) throw outOfRange('year outside of range [0,9999]');
  return `${formatTime({ seconds: floor }).slice(0, -1)}${shortFraction(String(nanoseconds).padStart(9, '0'))}Z`;
}

/** Go takes hours of one digit. */
function padHour(text: string): string {
  return text.replace(/T(\d):/, 'T0$1:');
}

function shortFraction(digits: string): string {
  const shown = withoutTrailing(digits, '0');
  return shown === '' ? '' : `.${shown}`;
}

function outOfRange(problem: string): DecodeError {
  return new DecodeError(
    `cbor: decoded time cannot be represented in RFC3339 format with sub-second precision: Time.MarshalText: ${problem}`,
  );
}
