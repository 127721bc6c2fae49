import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Connection } from '../../http/connection.ts';
import { Request } from '../../http/request.ts';
import { sourceIps } from './source-ips.ts';

const cases: Readonly<Record<string, readonly [headers: Record<string, string>, ips: readonly string[]]>> = {
  'nothing but the connection': [{}, ['127.0.0.1']],
  'proxies, as far as they are addresses': [
    { 'x-forwarded-for': '10.1.2.3, nonsense, 2001:DB8::1' },
    ['10.1.2.3', '2001:db8::1', '127.0.0.1'],
  ],
  'an address behind them': [{ 'x-real-ip': '10.9.9.9' }, ['10.9.9.9', '127.0.0.1']],
  'an address that a proxy named too': [{ 'x-forwarded-for': '10.1.2.3', 'x-real-ip': '10.1.2.3' }, ['10.1.2.3', '127.0.0.1']],
  'the connection as the last': [{ 'x-forwarded-for': '10.1.2.3,127.0.0.1' }, ['10.1.2.3', '127.0.0.1']],
  'IPv4 in IPv6': [{ 'x-real-ip': '::ffff:10.1.1.1' }, ['10.1.1.1', '127.0.0.1']],
};

for (const [what, [headers, ips]] of Object.entries(cases)) {
  test(`a request comes from ${what}`, () => {
    const source = {
      method: 'GET',
      target: '/',
      protocol: 'HTTP/1.1',
      headers,
      connection: new Connection(undefined),
      readBody: async () => Buffer.alloc(0),
      body: undefined,
      onClose() {},
    } as const;
    assert.deepEqual(sourceIps(new Request(source, 0)), ips);
  });
}
