import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allSteps } from '../../../base/steps.ts';
import { writeYaml, writingYaml } from './write.ts';

const words = `${'word '.repeat(40)}end`;

const written: readonly (readonly [why: string, value: unknown, text: string])[] = [
  ['sorts keys with numbers in them by value', { a10: 1, a9: 2, B: 3 }, 'B: 3\na9: 2\na10: 1\n'],
  [
    'writes lists at the indentation of their key',
    { a: [1, { b: 2, c: [3] }, [4, 5], [], {}] },
    'a:\n- 1\n- b: 2\n  c:\n  - 3\n- - 4\n  - 5\n- []\n- {}\n',
  ],
  [
    'quotes what would be read as something else',
    { a: 'yes', b: '1', c: '', d: '2020-01-01', e: '1:20', f: 'null' },
    'a: "yes"\nb: "1"\nc: ""\nd: "2020-01-01"\ne: "1:20"\nf: "null"\n',
  ],
  [
    'quotes what YAML would misread',
    { a: '- x', b: 'x: y', c: ' x', d: '# x', e: "it's: x" },
    `a: '- x'\nb: 'x: y'\nc: ' x'\nd: '# x'\ne: 'it''s: x'\n`,
  ],
  ['escapes what does not print', { a: 'x\ty', b: '😀' }, 'a: "x\\ty"\nb: "\\U0001F600"\n'],
  [
    'writes lines as a block',
    { a: 'x\ny\n', b: 'x\ny', c: 'x\n\n', d: ' x\ny' },
    'a: |\n  x\n  y\nb: |-\n  x\n  y\nc: |+\n  x\n\nd: |2-\n   x\n  y\n',
  ],
  [
    'writes numbers as Go does',
    { a: 1.5, b: 1e20, c: 0.000001, d: 1234567.5, e: 12345678901234567890n, f: -5 },
    'a: 1.5\nb: 1e+20\nc: 1e-06\nd: 1.2345675e+06\ne: 12345678901234567890\nf: -5\n',
  ],
  ['writes long keys in the explicit form', { ['x'.repeat(130)]: 1 }, `? ${'x'.repeat(130)}\n: 1\n`],
  ['folds long lines', { a: words }, `a: ${'word '.repeat(15)}word\n  ${'word '.repeat(15)}word\n  ${'word '.repeat(8)}end\n`],
];

for (const [why, value, text] of written) {
  test(`writeYaml() ${why}`, () => {
    assert.equal(writeYaml(value), text);
    assert.equal(allSteps(writingYaml(value)), text, 'in steps');
  });
}

test('writeYaml() passes over blanks once, where a line break of JSON may follow them', () => {
  const blanks = ' '.repeat(1_000_000);
  assert.match(writeYaml({ a: `${blanks}x\x85y` }), /x\s+y'\n$/);
});
