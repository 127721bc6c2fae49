import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseProxyTarget } from './proxy-target.ts';

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
