import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseQuery, parseTarget } from './request-target.ts';

const targets: readonly (readonly [method: string, target: string, path: string | undefined, rawQuery?: string])[] = [
  ['GET', '/api/v1/pods?limit=5', '/api/v1/pods', 'limit=5'],
  ['GET', '/version?', '/version'],
  ['GET', '//version', '//version'],
  ['GET', '/version#part', '/version#part'],
  ['GET', '/a%2fb%20c', '/a/b c'],
  ['GET', '/%c3%a4', '/ä'],
  ['GET', '/\u00c3\u00a4', '/ä'],
  ['GET', '/%ff%C3', '/\udcff\udcc3'],
  ['GET', '/%zz', undefined],
  ['GET', '/100%', undefined],
  ['GET', 'version', undefined],
  ['GET', '', undefined],
  ['GET', '*', '*'],
  ['OPTIONS', '*', '*'],
  ['GET', 'https://other:1/livez?x=1', '/livez', 'x=1'],
  ['GET', 'http://other', ''],
  ['CONNECT', '', ''],
  ['CONNECT', 'other:443', ''],
  ['CONNECT', '/version', '/version'],
];

test('the target of a request has the forms that HTTP knows, and is read as Go reads it', () => {
  for (const [method, target, path, rawQuery = ''] of targets) {
    assert.deepEqual(parseTarget(method, target), path === undefined ? undefined : { path, rawQuery }, `${method} ${target}`);
  }
});

test('parameters with a bad escape or a semicolon do not count', () => {
  const read = (query: string): string[][] => [...parseQuery(query)];
  assert.deepEqual(read('limit=5&watch'), [
    ['limit', '5'],
    ['watch', ''],
  ]);
  assert.deepEqual(read('limit=%zz&watch=1&a;b=c&d=%25;'), [['watch', '1']]);
  assert.deepEqual(read('a=%25zz&b=%3b+c'), [
    ['a', '%zz'],
    ['b', '; c'],
  ]);
});

test('a path of a million escapes takes no longer than its length', () => {
  const bytes = 1 << 18;
  const parsed = parseTarget('GET', `/${'%ff'.repeat(bytes)}`);
  assert.equal(parsed?.path.length, bytes + 1);
});

test('of a long query so many parameters are looked at as Go takes, with and without values', () => {
  assert.equal(parseQuery('&a'.repeat(500_000)).size, 9999);
  const long = parseQuery(`${'x'.repeat(5000)}&limit=5&watch&&a=b=c`);
  assert.deepEqual([...long].slice(1), [
    ['limit', '5'],
    ['watch', ''],
    ['a', 'b=c'],
  ]);
});
