import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutTrailing } from './trailing.ts';

test('withoutTrailing() removes all of the characters at the end, and none before', () => {
  assert.equal(withoutTrailing('a//b/./', '/.'), 'a//b');
  assert.equal(withoutTrailing('///', '/'), '');
  assert.equal(withoutTrailing('', '/'), '');
});

test('withoutTrailing() looks at each character once', () => {
  // as a pattern this takes the square of the length
  assert.equal(withoutTrailing(`${'/'.repeat(3_000_000)}a`, '/').length, 3_000_001);
});
