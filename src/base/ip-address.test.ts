import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { test } from 'node:test';
import { isIpAddress } from './ip-address.ts';

const texts = [
  ...['127.0.0.1', '0.0.0.0', '255.255.255.255', '256.1.1.1', '1.2.3', '01.2.3.4', '1.2.3.4.5', '127.0.0.1:80', '1.2.3.4/8'],
  ...['::', '::1', '1::', 'fe80::1%eth0', 'fe80::1%', '2001:DB8::a', '1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8:9', '1:2:3:4:5:6:7::', '1::2::3'],
  ...['::ffff:1.2.3.4', '::1.2.3.256', '::01.2.3.4', '::1.2.3', '1:2:3:4:5:6:1.2.3.4', '1:2:3:4:5:6:7:1.2.3.4', '12345::', '::g'],
  ...['[::1]', '::1]/[::1', '::1 ', '::1/64', '', ':', ':::', 'localhost', 'kubernetes.default.svc', 'a:b', '1:', ':1', '0::0', '::00001'],
];

for (const text of texts) {
  test(`isIpAddress() agrees with node about ${JSON.stringify(text)}`, () => assert.equal(isIpAddress(text), isIP(text) !== 0));
}
