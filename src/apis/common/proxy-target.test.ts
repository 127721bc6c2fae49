import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isProxyable, parseProxyTarget } from './proxy-target.ts';

const targets: readonly [id: string, scheme: string, name: string, port: string][] = [
  ['web', '', 'web', ''],
  ['web:http', '', 'web', 'http'],
  ['https:web:8443', 'https', 'web', '8443'],
  [':web:', '', 'web', ''],
];

for (const [id, scheme, name, port] of targets) {
  test(`${id} is ${name}, port ${port || 'of choice'}`, () => assert.deepEqual(parseProxyTarget('pod', id), { scheme, name, port }));
}

for (const id of ['', ':80', 'ftp:web:21', 'a:b:c:d']) {
  test(`${JSON.stringify(id)} is nobody`, () => {
    assert.throws(() => parseProxyTarget('pod', id), { message: `invalid pod request ${JSON.stringify(id)}` });
  });
}

const refused = [
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '0.0.0.0',
  '255.255.255.255',
  '224.0.0.1',
  '239.1.1.1',
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  'fe80::1',
  'febf::1',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::FFFF:7F00:0001',
  '0:0:0:0:0:ffff:127.0.0.1',
  '::ffff:a9fe:a9fe',
  '::ffff:169.254.169.254',
  '::ffff:0.0.0.0',
  '::ffff:0:0',
  '::ffff:255.255.255.255',
  '::ffff:224.0.0.1',
  '127.0.0.001',
  'fe80::1%eth0',
  'localhost',
  '127.1',
  '2130706433',
  '',
];
for (const address of refused) {
  test(`nobody reaches ${JSON.stringify(address)} through the server`, () => assert.equal(isProxyable(address), false));
}

for (const address of [
  '10.0.0.1',
  '192.168.1.1',
  '8.8.8.8',
  '::ffff:10.0.0.1',
  '2001:db8::1',
  'fd00::1',
  'fec0::1',
  '64:ff9b::7f00:1',
  '::127.0.0.1',
]) {
  test(`${address} can be reached through the server`, () => assert.equal(isProxyable(address), true));
}
