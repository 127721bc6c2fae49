import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkCronSchedule, validateCronSchedule, validateTimeZone } from './cron.ts';
import { FieldPath } from './field.ts';

const path = FieldPath.root('spec', 'schedule');

test('checkCronSchedule() accepts what upstream accepts', () => {
  const accepted = [
    '* * * * *',
    '*/5 0-6 1,15 jan-DEC sun',
    '@daily',
    '@every 1h30m',
    ', * * * *',
    '0 ? * * 6',
    'TZ=Europe/Berlin 0 0 * * *',
  ];
  for (const schedule of accepted) assert.doesNotThrow(() => checkCronSchedule(schedule), schedule);
});

test('checkCronSchedule() refuses with the words of upstream', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['', 'empty spec string'],
    ['* * *', 'expected exactly 5 fields, found 3: [* * *]'],
    ['60 * * * *', 'end of range (60) above maximum (59): 60'],
    ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
    ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
    ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
    ['1/2/3 * * * *', 'too many slashes: 1/2/3'],
    ['*/0 * * * *', 'step of range should be a positive number: */0'],
    ['x * * * *', 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
    ['*/-1 * * * *', 'negative number (-1) not allowed: -1'],
    ['@never', 'unrecognized descriptor: @never'],
    ['@every x', 'failed to parse duration @every x: time: invalid duration "x"'],
    ['TZ=X/Y * * * * *', 'provided bad location X/Y: unknown time zone X/Y'],
    ['TZ=UTC', 'invalid schedule format: runtime error: slice bounds out of range [:-1]'],
  ];
  for (const [schedule, message] of cases) assert.throws(() => checkCronSchedule(schedule), { message }, schedule);
});

test('validateCronSchedule() keeps time zones out of new schedules', () => {
  const schedule = 'CRON_TZ=UTC 0 0 * * *';
  assert.deepEqual(validateCronSchedule(schedule, undefined, false, path).map(String), [
    'spec.schedule: Invalid value: "CRON_TZ=UTC 0 0 * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
  ]);
  assert.deepEqual(validateCronSchedule(schedule, undefined, true, path), []);
  assert.deepEqual(validateCronSchedule(schedule, 'UTC', true, path).map(String), [
    'spec.schedule: Invalid value: "CRON_TZ=UTC 0 0 * * *": cannot use both timeZone field and TZ or CRON_TZ in schedule',
  ]);
});

test('validateTimeZone() knows the IANA names, with their case', () => {
  const problems = (zone: string): string[] => validateTimeZone(zone, path).map((error) => error.detail);
  for (const zone of ['UTC', 'Asia/Calcutta', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5']) assert.deepEqual(problems(zone), [], zone);
  assert.deepEqual(problems(''), ['timeZone must be nil or non-empty string']);
  assert.deepEqual(problems('asia/calcutta'), ['unknown time zone asia/calcutta']);
  assert.deepEqual(problems('../x'), ['unknown time zone ../x']);
  assert.deepEqual(problems('Local'), ['timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones']);
});
