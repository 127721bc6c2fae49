import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pemBlocks } from './pem.ts';

const good = '-----BEGIN A-----\nYWJj\n-----END A-----\n';

const cases = [
  ['an empty text', '', []],
  ['a block between other text', `some words\n${good}more`, [['A', false, 'abc']]],
  [
    'two blocks',
    good + good.replaceAll('A-', 'B-'),
    [
      ['A', false, 'abc'],
      ['B', false, 'abc'],
    ],
  ],
  ['headers', '-----BEGIN A-----\nKey: value\n\nYWJj\n-----END A-----', [['A', true, 'abc']]],
  ['an end of another type', '-----BEGIN A-----\nYWJj\n-----END B-----\n', []],
  ['a broken block before a good one', `-----BEGIN X-----\n***\n-----END X-----\n${good}`, [['A', false, 'abc']]],
] as const;

for (const [what, text, expected] of cases) {
  test(`pemBlocks() reads ${what}`, () => {
    assert.deepEqual(
      pemBlocks(text).map(({ type, hasHeaders, bytes }) => [type, hasHeaders, bytes.toString()]),
      expected,
    );
  });
}
