import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { RE2JS } from 're2js';
import type { Regex } from './regex.ts';
import { compileRegex } from './regex.ts';
import { CelError } from './values.ts';

test('a search that would go by too many states of a long text is refused, and any other is made', () => {
  // Which of the last 200 characters were an a is too much to remember.
  const hard = compileRegex('a[ab]{200}$') as Regex;
  let random = 1;
  const text = Array.from({ length: 300_000 }, () => ((random = (random * 16_807) % 2_147_483_647) % 2 === 0 ? 'a' : 'b')).join('');
  assert.ok(hard.test(`${text}c`) instanceof CelError);
  assert.ok(hard.find(`${text}c`) instanceof CelError);
  assert.equal(hard.test(text.slice(0, 5000)), text.charAt(5000 - 201) === 'a');
  assert.equal((compileRegex('(foo|bar)+c$') as Regex).test(`${text}barc`), true, 'of few states, however long the text');
});

test('a search for all matches ends by how often it looks at characters, however fast that is', () => {
  // Each match looks for a b in all that is left.
  const greedy = compileRegex('a(?:.*b)?') as Regex;
  assert.ok(greedy.findAll('a'.repeat(2000), -1) instanceof CelError);
  assert.ok(!(greedy.findAll('a'.repeat(500), -1) instanceof CelError));
  assert.ok(!(greedy.findAll('a'.repeat(2000), 100) instanceof CelError));
  const plain = compileRegex('a') as Regex;
  assert.ok(plain.findAll('a'.repeat(100_000), -1) instanceof CelError);
  assert.ok(!(plain.findAll('a'.repeat(50_000), -1) instanceof CelError));
  assert.equal((compileRegex('[a-z]+') as Regex).find(`${' '.repeat(500_000)}x`), 'x');
  assert.ok((compileRegex('[a-z]+') as Regex).find(`${' '.repeat(700_000)}x`) instanceof CelError);
  assert.equal(greedy.find('ab'), 'ab', 'one that was given up leaves nothing behind');
});

test('nothing is compiled to find out whether a pattern is valid, and of large ones only what a text needs', () => {
  const compiled = mock.method(RE2JS, 'compile');
  try {
    const regexes = Array.from({ length: 400 }, (_, index) => compileRegex(`a{1,${500 + index}}`) as Regex);
    const whole = compileRegex('(?i)(?:b[a-c]{1000}c){0,1}x{900}'.repeat(300)) as Regex;
    assert.equal(compiled.mock.callCount(), 0);
    for (const regex of regexes) assert.equal(regex.find('baab'), 'aa');
    assert.equal(compiled.mock.callCount(), 0);
    assert.equal(whole.test('xx'), false);
    assert.equal(compiled.mock.callCount(), 2, 'the characters b and x in both cases');
    assert.equal((compileRegex('^(a|b)+c') as Regex).test('abac'), true);
    assert.equal(compiled.mock.callCount(), 3, 'a small one is compiled as a whole');
  } finally {
    compiled.mock.restore();
  }
});

test('large patterns are searched as small ones are', () => {
  const texts = ['', 'ab', 'aab', 'ba\nab', 'AbaB', 'éaΓ1😀ab', 'abcabcabc', 'a.b', 'K\u212ak', ' a-b_c '];
  const parts = [
    '(a|ab)(c|bcd)*',
    '(|a)*',
    '(|a)+',
    '(a*)*?b',
    '(?i)k+',
    '(?s).+',
    '^.*$',
    '(?m)^.*$',
    '\\bA?',
    '(?U)b+',
    '[^a]',
    '\\pL+',
    'a{2,3}?',
  ];
  // What is never matched makes a pattern large without a change of what is found.
  const never = '|(?:\\z.){1000}';
  for (const part of parts) {
    const [small, large] = [part, `${part}${never}`].map((pattern) => compileRegex(pattern) as Regex) as [Regex, Regex];
    for (const text of texts) {
      assert.equal(large.test(text), small.test(text), `${part} in ${text}`);
      assert.equal(large.find(text), small.find(text), `${part} in ${text}`);
      assert.deepEqual(found(large, text), found(small, text), `${part} in ${text}`);
    }
  }
  assert.equal((compileRegex('(?:a?){1000}'.repeat(10)) as Regex).test('b'.repeat(1000)), true);
  assert.ok((compileRegex(`${'(?:a?){1000}'.repeat(1000)}c`) as Regex).test('b'.repeat(1000)) instanceof CelError);
});

const found = (regex: Regex, text: string): unknown[] => [...(regex.findAll(text, -1) as Iterable<unknown>)];

test('all matches are those that Go finds: none that is empty right after another', () => {
  assert.deepEqual(found(compileRegex('(a|b)*') as Regex, 'a'), ['a']);
  assert.deepEqual(found(compileRegex('k*|') as Regex, 'Kkk'), ['', 'kk']);
  assert.deepEqual(found(compileRegex('(|a)*') as Regex, 'aa'), ['', '', '']);
});

test('patterns are refused as Go refuses them, however large they are', () => {
  const quoted = (pattern: string, what: string): readonly [string, string] => [pattern, `error parsing regexp: ${what}: \`${pattern}\``];
  const refused: readonly (readonly [string, string])[] = [
    quoted('a{1000}'.repeat(3400), 'expression too large'),
    quoted(`(?i)${'[B-\\x{1E942}]'.repeat(700)})`, 'unexpected )'),
    quoted('(?i)(\\pL{2}', 'missing closing )'),
    ['\\pL[\\pLa', 'error parsing regexp: missing closing ]: `[\\pLa`'],
    ['(a{2}){501}', 'error parsing regexp: invalid repeat count: `{501}`'],
    ['a{1001}', 'error parsing regexp: invalid repeat count: `{1001}`'],
    ['\\pLx{2}{3}', 'error parsing regexp: invalid nested repetition operator: `{2}{3}`'],
    ['(?P<n>?)', 'error parsing regexp: missing argument to repetition operator: `?`'],
    ['[$-\\pL]', 'error parsing regexp: invalid escape sequence: `\\p`'],
    ['[$-\\PN]', 'error parsing regexp: invalid escape sequence: `\\P`'],
    ['\\pX', 'error parsing regexp: invalid character class range: `\\pX`'],
    ['a\\', 'error parsing regexp: trailing backslash at end of expression: ``'],
  ];
  for (const [pattern, problem] of refused) assert.deepEqual(compileRegex(pattern), new CelError(problem));
  for (const pattern of ['a{1000}'.repeat(3000), '((a{1000}){0}){1000}', '(a{2}){500}', '(?P<n>a)(?P<n>b)', 'a{,2}', 'a{01}', '(?)a'])
    assert.ok(!(compileRegex(pattern) instanceof CelError), pattern.slice(0, 30));
  assert.equal((compileRegex('(?P<n>a)(?P<n>b)') as Regex).test('ab'), true);
});
