import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compile } from './index.ts';
import { baseEnvironment } from './kubernetes/environments.ts';

const environment = baseEnvironment('stored');

function issues(expression: string): string {
  const compiled = compile(expression, environment);
  assert.ok('issues' in compiled, expression);
  return compiled.issues;
}

/** The first line of every issue, without the snippet. */
const heads = (expression: string): string[] => issues(expression).match(/^ERROR:.*$/gm) ?? [];

test('an issue shows its place, its line and a caret under the character', () => {
  assert.equal(
    issues("'a' +\n  'é' + x"),
    "ERROR: <input>:2:9: undeclared reference to 'x' (in container '')\n |   'é' + x\n | ...．....^",
  );
});

const starts = "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

const cases: readonly (readonly [expression: string, ...issues: string[]])[] = [
  ['', `ERROR: <input>:1:0: Syntax error: mismatched input '<EOF>' expecting ${starts}`],
  ['1 +', `ERROR: <input>:1:4: Syntax error: mismatched input '<EOF>' expecting ${starts}`],
  ['a.true', "ERROR: <input>:1:3: Syntax error: mismatched input 'true' expecting IDENTIFIER"],
  ['(1', "ERROR: <input>:1:3: Syntax error: missing ')' at '<EOF>'"],
  [
    '1 = 2',
    "ERROR: <input>:1:3: Syntax error: token recognition error at: '= '",
    "ERROR: <input>:1:5: Syntax error: extraneous input '2' expecting <EOF>",
  ],
  [
    "'abc",
    "ERROR: <input>:1:1: Syntax error: token recognition error at: ''abc'",
    `ERROR: <input>:1:5: Syntax error: mismatched input '<EOF>' expecting ${starts}`,
  ],
  ['for + 1', 'ERROR: <input>:1:1: reserved identifier: for'],
  ['has(1)', 'ERROR: <input>:1:5: invalid argument to has() macro'],
  ['[1].all(1, true)', 'ERROR: <input>:1:9: argument must be a simple name'],
  ['99999999999999999999', 'ERROR: <input>:1:1: invalid int literal'],
  ["1 + 'a'", "ERROR: <input>:1:3: found no matching overload for '_+_' applied to '(int, string)'"],
  ["'a'.foo()", "ERROR: <input>:1:8: undeclared reference to 'foo' (in container '')"],
  ['1 && true', "ERROR: <input>:1:1: expected type 'bool' but found 'int'"],
  ['1.all(x, true)', "ERROR: <input>:1:1: expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)"],
  ["[1, 'a']", "ERROR: <input>:1:5: expected type 'int' but found 'string'"],
  ["duration('x')", 'ERROR: <input>:1:10: invalid duration argument'],
  ["'a'.matches('(')", 'ERROR: <input>:1:13: invalid matches argument'],
  ["'%d'.format(['a'])", 'ERROR: <input>:1:14: error during formatting: decimal clause can only be used on integers, was given string'],
  [`${'('.repeat(251)}1${')'.repeat(251)}`, 'ERROR: <input>:-1:0: expression recursion limit exceeded: 250'],
];

test('issues have the words and places of upstream', () => {
  for (const [expression, ...expected] of cases) assert.deepEqual(heads(expression), expected, expression);
});

test('expressions that are too long are refused', () => {
  assert.deepEqual(heads('1'.repeat(100_001)), [
    'ERROR: <input>:-1:0: expression code point size exceeds limit: size: 100001, limit 100000',
  ]);
});

test('new expressions cannot use what the release before did not know', () => {
  assert.ok('issues' in compile('[1].includes(1)', baseEnvironment('new')));
  assert.ok('program' in compile('[1].includes(1)', baseEnvironment('stored')));
});
