import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RE2JS } from 're2js';
import { simplePattern } from './simple-pattern.ts';

const simple = ['^[a-z]+$', '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', '^abc$', '^[A-Za-z_][A-Za-z0-9_]*$', '^v[0-9]+$', '^\\d+$', '^a/b\\.c$'];
const notSimple = ['[a-z]+', '^(a+)+$', '^a?a?$', '^.*$', '^a|b$', '^[^a]$', '^\\s$', '^a{2}$', '^(a$', '^[z-a]$', '^a*b*$', '^a**$'];
const texts = ['', 'a', 'abc', 'a-b', '-a', 'a-', 'v12', 'x_1', '1x', 'a/b.c', 'A', 'é', 'a\n', '\n', '12', '😀'];

test('simple patterns match natively what they match in RE2', () => {
  for (const pattern of simple) {
    const native = simplePattern(pattern);
    assert.ok(native, pattern);
    for (const text of texts) assert.equal(native.test(text), RE2JS.compile(pattern).test(text), `${pattern} on ${JSON.stringify(text)}`);
  }
});

test('patterns that could backtrack or mean something else are left to RE2', () => {
  for (const pattern of notSimple) assert.equal(simplePattern(pattern), undefined, pattern);
});
