import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as time from './time.ts';

test('canonicalTime() reads RFC 3339 in any offset and writes UTC seconds', () => {
  const cases: readonly (readonly [string, string | undefined])[] = [
    ['2024-02-29T12:00:00Z', '2024-02-29T12:00:00Z'],
    ['2024-02-28T12:00:00+05:30', '2024-02-28T06:30:00Z'],
    ['2024-02-28T12:00:00.999999999Z', '2024-02-28T12:00:00Z'],
    ['2024-02-28T1:00:00,5Z', '2024-02-28T01:00:00Z'],
    ['2024-02-28T12:00:00+24:60', '2024-02-27T11:00:00Z'],
    ['0001-01-01T00:00:00Z', undefined],
    ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00Z'],
  ];
  for (const [text, written] of cases) assert.equal(time.canonicalTime(text), written, text);
});

test('canonicalTime() refuses with the words of upstream', () => {
  const layout = 'as "2006-01-02T15:04:05Z07:00": cannot parse';
  const cases: readonly (readonly [string, string])[] = [
    ['', `parsing time "" ${layout} "" as "2006"`],
    ['2024', `parsing time "2024" ${layout} "" as "-"`],
    ['2024-13-01T00:00:00Z', 'parsing time "2024-13-01T00:00:00Z": month out of range'],
    ['2023-02-29T00:00:00Z', 'parsing time "2023-02-29T00:00:00Z": day out of range'],
    ['2024-01-01 00:00:00Z', `parsing time "2024-01-01 00:00:00Z" ${layout} " 00:00:00Z" as "T"`],
    ['2024-01-01T00:00:00', `parsing time "2024-01-01T00:00:00" ${layout} "" as "Z07:00"`],
    ['2024-01-01T00:00:00Zé', 'parsing time "2024-01-01T00:00:00Z\\xc3\\xa9": extra text: "\\xc3\\xa9"'],
    ['2024-01-01T00:00:00+25:00', 'parsing time "2024-01-01T00:00:00+25:00": time zone offset hour out of range'],
  ];
  for (const [text, message] of cases) assert.throws(() => time.canonicalTime(text), { message }, text);
});

test('canonicalMicroTime() wants exactly six digits', () => {
  assert.equal(time.canonicalMicroTime('2024-01-01T00:00:00.123456+01:00'), '2023-12-31T23:00:00.123456Z');
  assert.throws(() => time.canonicalMicroTime('2024-01-01T00:00:00Z'), {
    message: 'parsing time "2024-01-01T00:00:00Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"',
  });
});

test('timestamps come from a clock in milliseconds', () => {
  assert.equal(time.timestamp(1_700_000_000_999), '2023-11-14T22:13:20Z');
  assert.equal(time.microTimestamp(1_700_000_000_123), '2023-11-14T22:13:20.123000Z');
  assert.deepEqual(time.parseTime('1970-01-01T00:00:01.5Z'), { seconds: 1, nanoseconds: 500_000_000 });
});
