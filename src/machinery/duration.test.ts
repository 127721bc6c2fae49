import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalDuration, parseDuration } from './duration.ts';

test('canonicalDuration() writes durations as Go does', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['0', '0s'],
    ['1h2m', '1h2m0s'],
    ['90s', '1m30s'],
    ['1.5h', '1h30m0s'],
    ['-1500ms', '-1.5s'],
    ['100us', '100µs'],
    ['1ns', '1ns'],
    ['2562047h47m16.854775807s', '2562047h47m16.854775807s'],
    ['.5s', '500ms'],
  ];
  for (const [text, written] of cases) assert.equal(canonicalDuration(text), written, text);
  assert.equal(parseDuration('1m'), 60_000_000_000n);
});

test('canonicalDuration() refuses with the words of upstream', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['', 'time: invalid duration ""'],
    ['5', 'time: missing unit in duration "5"'],
    ['5x', 'time: unknown unit "x" in duration "5x"'],
    ['5µ', 'time: unknown unit "\\xc2\\xb5" in duration "5\\xc2\\xb5"'],
    ['.s', 'time: invalid duration ".s"'],
    ['9999999h', 'time: invalid duration "9999999h"'],
  ];
  for (const [text, message] of cases) assert.throws(() => canonicalDuration(text), { message }, text);
});
