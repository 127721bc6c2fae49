// Upstream: github.com/robfig/cron/v3/parser.go#ParseStandard, k8s.io/kubernetes/pkg/util/parsers/parsers.go
// Upstream: k8s.io/kubernetes/pkg/apis/batch/validation/validation.go#validateTimeZone
import { parseDuration } from './duration.ts';
import { invalid, typedValue } from './field.ts';
import type { FieldError, FieldPath } from './field.ts';
import { goQuote } from './go-format.ts';
import { asInt64 } from './go-number.ts';
import { TimeError } from './time-error.ts';
import { isTimeZoneName } from './time-zone-names.ts';

export class CronError extends Error {
  override readonly name = 'CronError';
}

interface Bounds {
  readonly low: number;
  readonly high: number;
  /** in place of numbers, from `low` on */
  readonly names?: readonly string[];
}

const cronFields: readonly Bounds[] = [
  { low: 0, high: 59 },
  { low: 0, high: 23 },
  { low: 1, high: 31 },
  { low: 1, high: 12, names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] },
  { low: 0, high: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];

const descriptors: ReadonlySet<string> = new Set(['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly']);
const every = '@every ';

/** Whether upstream accepts the schedule of a CronJob; throws a CronError with its words if not. */
export function checkCronSchedule(schedule: string): void {
  if (schedule === '') throw new CronError('empty spec string');
  const spec = withoutTimeZone(schedule);
  if (spec.startsWith('@')) {
    checkDescriptor(spec);
    return;
  }
  const fields = spec.split(/[\s\u0085]+/).filter((field) => field !== '');
  if (fields.length !== cronFields.length) {
    throw new CronError(`expected exactly ${cronFields.length} fields, found ${fields.length}: [${fields.join(' ')}]`);
  }
  fields.forEach((field, index) => {
    // Nothing between commas is skipped, even when nothing else is there.
    for (const range of field.split(',')) if (range !== '') checkRange(range, cronFields[index]!);
  });
}

function withoutTimeZone(schedule: string): string {
  if (!schedule.startsWith('TZ=') && !schedule.startsWith('CRON_TZ=')) return schedule;
  const space = schedule.indexOf(' ');
  // The library runs into a slice without end there; what it panics with is what clients see.
  if (space < 0) throw new CronError('invalid schedule format: runtime error: slice bounds out of range [:-1]');
  const zone = schedule.slice(schedule.indexOf('=') + 1, space);
  const problem = timeZoneProblem(zone);
  if (problem !== undefined) throw new CronError(`provided bad location ${zone}: ${problem}`);
  return schedule.slice(space).trim();
}

function checkDescriptor(descriptor: string): void {
  if (descriptors.has(descriptor)) return;
  if (!descriptor.startsWith(every)) throw new CronError(`unrecognized descriptor: ${descriptor}`);
  try {
    parseDuration(descriptor.slice(every.length));
  } catch (error) {
    if (!(error instanceof TimeError)) throw error;
    throw new CronError(`failed to parse duration ${descriptor}: ${error.message}`, { cause: error });
  }
}

function checkRange(expression: string, bounds: Bounds): void {
  const parts = expression.split('/');
  const ends = parts[0]!.split('-');
  let start = bounds.low;
  let end = bounds.high;
  if (ends[0] !== '*' && ends[0] !== '?') {
    start = parseNumberOrName(ends[0]!, bounds);
    end = ends.length === 1 ? start : parseNumberOrName(ends[1]!, bounds, ends.length > 2 ? expression : undefined);
  }
  let step = 1;
  if (parts.length === 2) {
    step = parseNumber(parts[1]!);
    if (ends.length === 1) end = bounds.high;
  } else if (parts.length > 2) {
    throw new CronError(`too many slashes: ${expression}`);
  }
  if (start < bounds.low) throw new CronError(`beginning of range (${start}) below minimum (${bounds.low}): ${expression}`);
  if (end > bounds.high) throw new CronError(`end of range (${end}) above maximum (${bounds.high}): ${expression}`);
  if (start > end) throw new CronError(`beginning of range (${start}) beyond end of range (${end}): ${expression}`);
  if (step === 0) throw new CronError(`step of range should be a positive number: ${expression}`);
}

/** @param tooLong the range that has more than two ends, if it does */
function parseNumberOrName(text: string, bounds: Bounds, tooLong?: string): number {
  if (tooLong !== undefined) throw new CronError(`too many hyphens: ${tooLong}`);
  const name = bounds.names?.indexOf(text.toLowerCase()) ?? -1;
  return name >= 0 ? bounds.low + name : parseNumber(text);
}

function parseNumber(text: string): number {
  const value = asInt64(text);
  if (value === undefined) {
    const problem = /^[+-]?[0-9]+$/.test(text) ? 'value out of range' : 'invalid syntax';
    throw new CronError(`failed to parse int from ${text}: strconv.Atoi: parsing ${goQuote(text)}: ${problem}`);
  }
  if (value < 0n) throw new CronError(`negative number (${value}) not allowed: ${text}`);
  return Number(value);
}

/** What is wrong with the name of a time zone, as Go's LoadLocation says it. */
export function timeZoneProblem(name: string): string | undefined {
  if (name === '' || name === 'UTC' || name === 'Local' || isTimeZoneName(name)) return undefined;
  if (name.includes('..') || name.startsWith('/') || name.startsWith('\\')) return 'time: invalid location name';
  return `unknown time zone ${name}`;
}

/** @param allowTimeZone for a CronJob that was stored with one in its schedule */
export function validateCronSchedule(
  schedule: string,
  timeZone: string | undefined,
  allowTimeZone: boolean,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  try {
    checkCronSchedule(schedule);
  } catch (error) {
    if (!(error instanceof CronError)) throw error;
    errors.push(invalid(path, schedule, error.message));
  }
  if (!schedule.includes('TZ')) return errors;
  if (!allowTimeZone) errors.push(invalid(path, schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'));
  else if (timeZone !== undefined) {
    errors.push(invalid(path, schedule, 'cannot use both timeZone field and TZ or CRON_TZ in schedule'));
  }
  return errors;
}

export function validateTimeZone(timeZone: string | undefined, path: FieldPath): FieldError[] {
  if (timeZone === undefined) return [];
  const wrong = (detail: string): FieldError => invalid(path, typedValue(timeZone), detail);
  if (timeZone === '') return [wrong('timeZone must be nil or non-empty string')];
  const isComponent = (part: string): boolean => part !== '.' && part !== '..' && /^[A-Za-z._0-9+][-A-Za-z._0-9+]{0,13}$/.test(part);
  if (!timeZone.split('/').every(isComponent)) return [wrong(`unknown time zone ${timeZone}`)];
  const errors: FieldError[] = [];
  if (timeZone.toLowerCase() === 'local') {
    errors.push(wrong('timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones'));
  }
  const problem = timeZoneProblem(timeZone);
  if (problem !== undefined) errors.push(wrong(problem));
  return errors;
}
