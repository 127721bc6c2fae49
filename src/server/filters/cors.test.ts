import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../../testing/index.ts';
import { RawClient } from '../../../test/support/raw-client.ts';
import { originProblem } from './cors.ts';

test('pages of allowed origins may call, and ask first without saying who the user is', async () => {
  const serving = { corsAllowedOrigins: ['^https://app\\.example\\.com(:|$)', '//localhost:'] };
  await using server = await startTestServer({ controllers: false, serving });
  await using client = new RawClient(server);
  const path = '/api/v1/namespaces';
  const origin = 'https://app.example.com:8443';
  const asked = await client.call('OPTIONS', path, { headers: { origin }, as: 'nobody' });
  assert.deepEqual([asked.status, asked.text], [204, '']);
  assert.equal(asked.headers['access-control-allow-origin'], origin);
  assert.equal(asked.headers['access-control-allow-methods'], 'POST, GET, OPTIONS, PUT, DELETE, PATCH');
  assert.equal(asked.headers['access-control-allow-credentials'], 'true');
  assert.equal(asked.headers['access-control-expose-headers'], 'Date');
  const called = await client.call('GET', path, { headers: { origin: 'http://localhost:3000' } });
  assert.deepEqual([called.status, called.headers['access-control-allow-origin']], [200, 'http://localhost:3000']);
  for (const other of ['https://app.example.com.evil.org', 'https://example.com']) {
    const { status, headers } = await client.call('OPTIONS', path, { headers: { origin: other }, as: 'nobody' });
    assert.notEqual(status, 204, other);
    assert.equal(headers['access-control-allow-origin'], undefined, other);
  }
  assert.equal((await client.call('GET', path)).headers['access-control-allow-origin'], undefined);
});

const notPinned = 'regular expression does not pin to start/end of host in the origin header';
const patterns: readonly (readonly [pattern: string, problem: string | undefined])[] = [
  ['^https://example\\.com$', undefined],
  ['//example\\.com(:|$)', undefined],
  ['example\\.com', notPinned],
  ['^https://example\\.com', undefined], // as upstream: any colon will do
  ['^example\\.com', notPinned],
];
for (const [pattern, problem] of patterns) {
  test(`originProblem(${pattern}) is ${problem ?? 'none'}`, () => assert.equal(originProblem(pattern), problem));
}
test('originProblem() names what is wrong with a pattern that is none', () =>
  assert.match(originProblem('^(//:$') ?? '', /missing closing \)/));
