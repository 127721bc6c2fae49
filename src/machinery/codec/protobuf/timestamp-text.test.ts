import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DecodeError } from '../decode-error.ts';
import { formatSeconds, parseSeconds } from './timestamp-text.ts';

const known: readonly (readonly [seconds: number, text: string])[] = [
  [0, '1970-01-01T00:00:00'],
  [-1, '1969-12-31T23:59:59'],
  [951_782_400, '2000-02-29T00:00:00'],
  [1_709_251_199, '2024-02-29T23:59:59'],
  [-62_135_596_800, '0001-01-01T00:00:00'],
  [253_402_300_799, '9999-12-31T23:59:59'],
  [253_402_300_800, '10000-01-01T00:00:00'],
  [-62_167_219_201, '-0001-12-31T23:59:59'],
];

for (const [seconds, text] of known) {
  test(`${seconds} seconds are ${text}`, () => {
    assert.equal(formatSeconds(seconds), text);
    assert.equal(parseSeconds(`${text}Z`), seconds);
  });
}

test('days are those of Date, over several centuries', () => {
  for (let day = -200_000; day < 200_000; day += 7) {
    const seconds = day * 86_400 + 12_345;
    assert.equal(formatSeconds(seconds), new Date(seconds * 1000).toISOString().slice(0, 19));
  }
});

test('times that no calendar here has are refused', () => {
  assert.throws(() => formatSeconds(1e13), DecodeError);
  assert.throws(() => formatSeconds(Number(2n ** 63n)), DecodeError);
});
