import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countIndexes, overlappingIndex } from './indexes.ts';

const cases: readonly (readonly [text: string, read: ReturnType<typeof countIndexes>])[] = [
  ['', { total: 0 }],
  ['1,3-5,7', { total: 5 }],
  ['a', { problem: 'cannot convert string to integer for index: "a"' }],
  [
    '1-2-3',
    { problem: 'the fragment "1-2-3" violates the requirement that an index interval can have at most two parts separated by \'-\'' },
  ],
  ['10', { problem: 'too large index: "10"' }],
  ['5-3', { problem: 'non-increasing order, previous: 5, current: 3' }],
  ['3,3', { problem: 'non-increasing order, previous: 3, current: 3' }],
];

for (const [text, read] of cases) test(`countIndexes(${JSON.stringify(text)}) of 10`, () => assert.deepEqual(countIndexes(text, 10), read));

test('overlappingIndex() finds the first index that both have', () => {
  assert.equal(overlappingIndex('0-3', '3-5', 10), 3);
  assert.equal(overlappingIndex('0-3', '4-5', 10), undefined);
  assert.equal(overlappingIndex('x,4', '4', 10), 4);
});
