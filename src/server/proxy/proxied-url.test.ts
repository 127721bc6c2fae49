import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { escapePath, joinPaths, proxiedUrl } from './proxied-url.ts';

const place = { prefix: '/proxy', host: '10.0.0.1:80', requestHost: 'api:6443' };

describe('proxiedUrl()', () => {
  const links: readonly (readonly [link: string, proxied: string])[] = [
    ['/x', '/proxy/x'],
    ['/x/?a=1#b', '/proxy/x/?a=1#b'],
    ['/proxy/x', '/proxy/x'],
    ['x', 'x'],
    ['?a', '?a'],
    ['http://10.0.0.1:80/x', '/proxy/x'],
    ['https://api:6443/x', 'https://api:6443/proxy/x'],
    ['//api:6443/x', '//api:6443/proxy/x'],
    ['http://elsewhere/x', 'http://elsewhere/x'],
    ['mailto:a@b', 'mailto:a@b'],
  ];
  for (const [link, proxied] of links) test(`${link} becomes ${proxied}`, () => assert.equal(proxiedUrl(link, place), proxied));
});

describe('joinPaths()', () => {
  const joined: readonly (readonly [paths: readonly string[], path: string])[] = [
    [[''], ''],
    [['', '/'], '/'],
    [['/a/', '/b'], '/a/b'],
    [['/a', '/b/'], '/a/b/'],
    [['/a//b/../c/'], '/a/c/'],
  ];
  for (const [paths, path] of joined) test(`${JSON.stringify(paths)} is ${path}`, () => assert.equal(joinPaths(...paths), path));
});

test('escapePath() escapes what Go would', () => {
  assert.equal(escapePath("/a b!'()*?#[]%é/$&+,:;=@-_.~"), '/a%20b%21%27%28%29%2A%3F%23%5B%5D%25%C3%A9/$&+,:;=@-_.~');
});
