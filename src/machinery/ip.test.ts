import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FieldPath } from './field.ts';
import * as validation from './ip-validation.ts';
import { cidrContains, formatIp, parseCidr, parseIp } from './ip.ts';

const path = FieldPath.root('f');
const details = (errors: readonly { detail: string }[]): string[] => errors.map((error) => error.detail);

test('parseIp() reads sloppy addresses and formatIp() writes canonical ones', () => {
  const cases: readonly (readonly [string, string | undefined])[] = [
    ['10.0.0.1', '10.0.0.1'],
    ['010.000.0.1', '10.0.0.1'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['2001:DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['::', '::'],
    ['1::', '1::'],
    ['0:0:0:0:000000:0:0:1', '::1'],
    ['1:2:3:4:5:6:7::8', undefined],
    ['1.2.3', undefined],
    ['1.2.3.256', undefined],
    ['1.2.3.4.5', undefined],
    ['1..3.4', undefined],
    ['1.2.3.', undefined],
    ['.1.2.3', undefined],
    ['1.2.3.+4', undefined],
    ['1.2.3.4 ', undefined],
    ['255.255.255.255', '255.255.255.255'],
    ['0.0.0.0', '0.0.0.0'],
    ['1.2.3.0000000000000004', '1.2.3.4'],
    ['fe80::1%eth0', undefined],
    ['', undefined],
  ];
  for (const [text, shown] of cases) {
    const ip = parseIp(text);
    assert.equal(ip && formatIp(ip.value), shown, text);
  }
});

test('strict rules speak the words of upstream', () => {
  const bad = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
  assert.deepEqual(details(validation.validateIp('x', path)), [bad]);
  assert.deepEqual(details(validation.validateIp('010.0.0.1', path)), ['must not have leading 0s']);
  assert.deepEqual(details(validation.validateIp('::ffff:1.2.3.4', path)), ['must not be an IPv4-mapped IPv6 address']);
  assert.deepEqual(details(validation.validateIp('1:0::', path)), ['must be in canonical form ("1::")']);
  assert.deepEqual(details(validation.validateLegacyIp('010.0.0.1', path, false)), []);
  assert.deepEqual(details(validation.validateLegacyIp('x', path, true, ['x'])), []);
  assert.deepEqual(details(validation.validateCidr('10.0.0.1/8', path)), ['must not have bits set beyond the prefix length']);
  assert.deepEqual(details(validation.validateCidr('10.0.0.0/08', path)), ['must not have leading 0s in IP or prefix length']);
  assert.deepEqual(details(validation.validateCidr('10.0.0.0/33', path)), [
    'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
  ]);
  assert.deepEqual(details(validation.validateInterfaceAddress('10.0.0.1/024', path)), ['must be in canonical form ("10.0.0.1/24")']);
});

test('sloppy values draw warnings', () => {
  assert.deepEqual(validation.warningsForIp('010.0.0.1', path), ['f: non-standard IP address "010.0.0.1" is invalid: use "10.0.0.1"']);
  assert.deepEqual(validation.warningsForIp('1:0::', path), ['f: IPv6 address "1:0::" should be in RFC 5952 canonical format ("1::")']);
  assert.deepEqual(validation.warningsForCidr('10.0.0.1/8', path), [
    'f: CIDR value "10.0.0.1/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.0.0.1/32"?)',
  ]);
});

test('cidrContains() compares within one family', () => {
  const inside = (cidr: string, ip: string): boolean => cidrContains(parseCidr(cidr)!, parseIp(ip)!);
  assert.ok(inside('10.0.0.0/8', '10.255.0.1'));
  assert.ok(!inside('10.0.0.0/8', '11.0.0.1'));
  assert.ok(inside('2001:db8::/32', '2001:db8::5'));
  assert.ok(!inside('::/0', '10.0.0.1'));
});
