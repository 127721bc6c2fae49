import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unifiedDiff } from './unified-diff.ts';

const numbered = (count: number, change: (line: number) => string | undefined = () => undefined): string =>
  Array.from({ length: count }, (_, index) => change(index + 1) ?? `line ${index + 1}`).join('\n');

const cases: readonly { readonly name: string; readonly left: string; readonly right: string; readonly expected: string }[] = [
  { name: 'equal texts have no hunks', left: 'a\nb', right: 'a\nb', expected: '' },
  { name: 'a line replaced', left: 'a\nb\nc', right: 'a\nx\nc', expected: '@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n' },
  { name: 'a line added to nothing but one', left: 'a', right: 'a\nb', expected: '@@ -1 +1,2 @@\n a\n+b\n' },
  {
    name: 'three lines of context on both sides',
    left: numbered(12),
    right: numbered(12, (line) => (line === 6 ? 'six' : undefined)),
    expected: '@@ -3,7 +3,7 @@\n line 3\n line 4\n line 5\n-line 6\n+six\n line 7\n line 8\n line 9\n',
  },
  {
    name: 'changes far apart are hunks of their own',
    left: numbered(20),
    right: numbered(20, (line) => (line === 2 || line === 18 ? `new ${line}` : undefined)),
    expected:
      '@@ -1,5 +1,5 @@\n line 1\n-line 2\n+new 2\n line 3\n line 4\n line 5\n' +
      '@@ -15,6 +15,6 @@\n line 15\n line 16\n line 17\n-line 18\n+new 18\n line 19\n line 20\n',
  },
];

for (const { name, left, right, expected } of cases) {
  test(`unifiedDiff(): ${name}`, () => {
    assert.equal(unifiedDiff(left, right), expected);
  });
}
