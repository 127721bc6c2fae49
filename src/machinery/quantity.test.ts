import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Quantity, canonicalQuantity } from './quantity.ts';

test('canonicalQuantity() writes what upstream writes', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['0', '0'],
    ['100m', '100m'],
    ['1', '1'],
    ['1000', '1k'],
    ['1000m', '1'],
    ['1500m', '1500m'],
    ['1.5', '1500m'],
    ['1.500', '1.500'],
    ['+5', '+5'],
    ['0.5Gi', '512Mi'],
    ['1.5Gi', '1536Mi'],
    ['1024Mi', '1Gi'],
    ['8Gi', '8Gi'],
    ['1023Ki', '1023Ki'],
    ['512', '512'],
    ['1e3', '1e3'],
    ['1000e3', '1e6'],
    ['12E2', '1200'],
    ['0.0000000001', '1n'],
    ['-0.0000000001', '-1n'],
    ['1e-20', '1e-9'],
    ['0.1Ki', '102400m'],
    ['99999999999999999999Ki', '9223372036854775807'],
    ['1000000E', '1'],
    ['.', '0'],
    [' 5 ', '5'],
    ['1e1000000', '10e999999'],
  ];
  for (const [text, canonical] of cases) assert.equal(canonicalQuantity(text), canonical, text);
});

test('canonicalQuantity() refuses with the words of upstream', () => {
  const format = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  const suffix = "unable to parse quantity's suffix";
  const cases: readonly (readonly [string, string])[] = [
    ['', format],
    ['x', format],
    ['1 Gi', format],
    ['1.2.3', format],
    ['1K', suffix],
    ['1ki', suffix],
    ['1e', suffix],
    ['1e99999999999999999999', suffix],
  ];
  for (const [text, message] of cases) assert.throws(() => canonicalQuantity(text), { message }, text);
});

test('quantities compare, add and subtract exactly', () => {
  const q = Quantity.parse;
  assert.equal(q('1Gi').compare(q('1G')), 1);
  assert.equal(q('1000m').compare(q('1')), 0);
  assert.equal(q('-1').compare(q('1e999999')), -1);
  assert.equal(q('1Gi').add(q('1G')).toString(), '2073741824');
  assert.equal(q('0').add(q('1Gi')).toString(), '1Gi');
  assert.equal(q('500m').add(q('500m')).toString(), '1');
  assert.equal(q('1').subtract(q('1500m')).toString(), '-500m');
  assert.equal(q('9223372036854775807').add(q('1')).toString(), '9223372036854775808');
  assert.equal(q('3').multiply(7n).toString(), '21');
  assert.equal(q('1500m').roundUp(0).toString(), '2');
  assert.equal(Quantity.milli(2500).toString(), '2500m');
  assert.equal(Quantity.of(1048576, 'BinarySI').toString(), '1Mi');
});

test('quantities give integers, rounded up', () => {
  const q = Quantity.parse;
  assert.equal(q('1500m').value(), 2n);
  assert.equal(q('1500m').milliValue(), 1500n);
  assert.equal(q('1Gi').asInt64(), 1073741824n);
  assert.equal(q('1500m').asInt64(), undefined);
  assert.equal(q('1.5').asApproximateNumber(), 1.5);
  assert.equal(q('-1').sign, -1);
  assert.ok(q('0Gi').isZero);
  assert.ok(q('1k').equals(q('1000')));
  assert.equal(JSON.stringify({ q: q('2Gi') }), '{"q":"2Gi"}');
});

test('amounts of absurd size never become numbers with as many digits', { timeout: 10_000 }, () => {
  const q = Quantity.parse;
  const huge = q('1e99999998');
  assert.equal(huge.toString(), '100e99999996');
  assert.equal(q('0').add(huge).toString(), '100e99999996');
  assert.equal(huge.add(q('1')).compare(huge), 0);
  assert.equal(q('1Gi').add(huge).compare(huge), 0);
  assert.ok(q('1Gi').add(huge).toString().length < 20);
  assert.equal(q('1').subtract(huge).sign, -1);
  assert.equal(huge.subtract(huge).sign, 0);
  const long = q(`1${'0'.repeat(3000)}`);
  assert.equal(long.add(q('1')).compare(long), 1);
  assert.equal(long.add(q('1')).subtract(q('1')).compare(long), 0);
  assert.throws(() => q('1'.repeat(3_000_000)), /unable to parse numeric part/);
});

test('quantities with thousands of digits are written as they were read, and compare without their decimal digits', () => {
  const q = Quantity.parse;
  const nines = '9'.repeat(4000);
  assert.equal(q(`-0${nines}000`).toString(), `-${nines}k`);
  assert.equal(q(`${nines}0`).toString(), `${nines}0`);
  assert.equal(q(`${nines}.1e3`).toString(), `${nines}100`);
  assert.equal(q(nines).compare(q(`${nines}e0`)), 0);
  assert.equal(q(`${nines}e2000`).compare(q(`${nines}00e1998`)), 0);
  assert.equal(q(`${nines}e2000`).compare(q(`${nines}01e1998`)), -1);
  assert.equal(q(`-${nines}e2000`).compare(q(nines)), -1);
});

test('a text that is no quantity is looked at once', { timeout: 60_000 }, () => {
  // with a pattern that may share out the digits in many ways, each takes the square of its length
  for (let round = 0; round < 20_000; round++)
    assert.throws(() => Quantity.parse(`.${'0'.repeat(4000)}x`), /must match the regular expression/);
});
