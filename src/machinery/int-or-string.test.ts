import assert from 'node:assert/strict';
import { test } from 'node:test';
import { intValue, parseIntOrString, scaledIntOrPercent } from './int-or-string.ts';

test('an IntOrString is a number or a percentage', () => {
  assert.equal(parseIntOrString('80'), 80);
  assert.equal(parseIntOrString('3000000000'), '3000000000');
  assert.equal(parseIntOrString('http'), 'http');
  assert.equal(intValue('12'), 12);
  assert.equal(intValue('x'), 0);
  assert.equal(scaledIntOrPercent('25%', 7, true), 2);
  assert.equal(scaledIntOrPercent('25%', 7, false), 1);
  assert.equal(scaledIntOrPercent(3, 7, false), 3);
  assert.throws(() => scaledIntOrPercent('x', 7, false), {
    message: 'invalid value for IntOrString: invalid type: string is not a percentage',
  });
  assert.throws(() => scaledIntOrPercent('x%', 7, false), {
    message: 'invalid value for IntOrString: invalid value "x%": strconv.Atoi: parsing "x": invalid syntax',
  });
});
