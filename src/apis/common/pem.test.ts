import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pemBlocks } from './pem.ts';

const block = (content: string, type = 'A'): string => `-----BEGIN ${type}-----\n${content}\n-----END ${type}-----\n`;

/** Texts, and the blocks that Go's encoding/pem finds in them, as their type and content. */
const cases: readonly (readonly [what: string, text: string, found: readonly string[]])[] = [
  ['one block', block('YWJj'), ['A abc']],
  ['two blocks, and text around them', `x\n${block('YWJj')}y\n${block('ZGVm', 'B C')}z`, ['A abc', 'B C def']],
  ['an empty block', '-----BEGIN A-----\n-----END A-----', ['A ']],
  ['headers', block('Proc-Type: 4\nX: y\n\nYWJj'), ['A abc']],
  ['blanks and carriage returns', '-----BEGIN A----- \t\r\nYW Jj\t\r\n-----END A-----  \r\n', ['A abc']],
  ['a BEGIN without an END before a block', `-----BEGIN A-----\nZGVm\n${block('YWJj')}${block('ZGVm')}`, ['A abc', 'A def']],
  ['other blanks inside', `${block('YW\vJj')}${block('ZGVm')}`, ['A def']],
  ['the END of another type', `-----BEGIN A-----\nYWJj\n-----END B-----\nx\n-----END A-----\n${block('ZGVm')}`, ['A def']],
  ['something behind the END', `-----BEGIN A-----\nYWJj\n-----END A-----x\n${block('ZGVm')}`, ['A def']],
  ['a BEGIN that does not begin a line', ` ${block('YWJj')}${block('ZGVm')}`, ['A def']],
  ['a BEGIN without dashes', `-----BEGIN A\nYWJj\n-----END A-----\n${block('ZGVm')}`, ['A def']],
  ['padding that is missing', `${block('YWI')}${block('ZGVm')}`, ['A def']],
  ['padding in the middle', `${block('YWI=YWI=')}${block('ZGVm')}`, ['A def']],
  ['headers that go on beyond the END', '-----BEGIN A-----\nX: y\n-----END A-----:\n', []],
  ['no line feed at all', '-----BEGIN A-----YWJj-----END A-----', []],
];

for (const [what, text, found] of cases) {
  test(`pemBlocks() finds what Go does in ${what}`, () => {
    assert.deepEqual(
      pemBlocks(text).map(({ type, bytes }) => `${type} ${bytes.toString()}`),
      found,
    );
  });
}
