import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { compatibilityPage, countIn, readResults } from './results.ts';
import { conformanceSuites } from './suites.ts';

const root = join(import.meta.dirname, '../..');

test('countIn() takes the last line that counts, or adds up all of them', () => {
  const line = /^(?<passed>\d+) passed, (?<failed>\d+) failed/;
  assert.deepEqual(countIn('1 passed, 2 failed\nnoise\n3 passed, 0 failed\n', { line, unit: '' }), { passed: 3, failed: 0 });
  assert.deepEqual(countIn('1 passed, 2 failed\n3 passed, 0 failed\n', { line, adds: true, unit: '' }), { passed: 4, failed: 2 });
  assert.deepEqual(countIn('5 of 7 the same', { line: /^(?<passed>\d+) of (?<total>\d+) the same/, unit: '' }), { passed: 5, failed: 2 });
  const upstream = /^upstream (?<passed>\d+) of (?<total>\d+)/;
  const both = { passed: 3, failed: 0, upstream: { passed: 3, failed: 1 } };
  assert.deepEqual(countIn('upstream 3 of 4\n3 passed, 0 failed\n', { line, upstream, unit: '' }), both);
  assert.equal(countIn('nothing', { line, unit: '' }), undefined);
});

test('every suite has an npm script', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
  for (const { name, script } of conformanceSuites) assert.ok(script in scripts, `${name}: ${script}`);
});

test('docs/reference/compatibility.md says what results.json says', () => {
  assert.equal(readFileSync(join(root, 'docs/reference/compatibility.md'), 'utf8'), compatibilityPage(readResults()));
});
