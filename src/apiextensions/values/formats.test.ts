import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatRule } from './formats.ts';

const length = 3_000_000;

const cases: readonly (readonly [format: string, text: string, isOfFormat: boolean])[] = [
  ['duration', '1h30m', true],
  ['duration', '2 days 3 hours', true],
  ['duration', '1 2s', true],
  ['duration', '12', false],
  ['duration', '99999999999999999999 s', false],
  ['hostname', 'a.example.com', true],
  ['hostname', `${'a'.repeat(64)}.com`, false],
  ['ipv4', '010.001.1.1', true],
  ['ipv4', '1.1.1.1.1', false],
  ['ipv6', '::ffff:010.1.1.1', true],
  ['ipv6', '1:2:3:4:5:6:7:8:9', false],
  ['ipv6', '1::2::3', false],
  ['cidr', '010.0.0.0/8', true],
  ['cidr', '10.0.0.0/8/8', false],
  ['isbn', '0-306-40615-2', true],
  ['isbn', '978-0-306-40615-7', true],
  ['isbn', '978-0-306-40615-7-7', false],
  ['creditcard', '4111 1111 1111 1111', true],
  ['creditcard', '4111 1111 1111 1111 1', false],
  ['email', 'a.b@c.d', true],
  ['email', 'A. "b c" <a@b>', true],
  ['email', 'a..b@c', false],
  ['email', '"a <a@b>', false],
];

test('a format says what is of it', () => {
  for (const [format, text, isOfFormat] of cases) assert.equal(formatRule(format)?.(text), isOfFormat, `${format} ${text}`);
});

const long: readonly (readonly [format: string, text: string, isOfFormat: boolean])[] = [
  ['duration', '0'.repeat(length), false],
  ['duration', `${'1'.repeat(length)}s`, false],
  ['hostname', 'a.'.repeat(length / 2), false],
  ['ipv6', '1:'.repeat(length / 2), false],
  ['isbn', '1-'.repeat(length / 2), false],
  ['email', `${'a.'.repeat(length / 2)}a@b`, true],
  ['email', `${'\t\\"\\'.repeat(length / 4)}<a@b>`, false],
];

test('a format looks at each character of a long text about once', () => {
  // with a pattern that begins again at each character these take hours, or exhaust the stack of the matcher
  for (const [format, text, isOfFormat] of long) assert.equal(formatRule(format)?.(text), isOfFormat, `${format} ${text.slice(0, 9)}`);
});
