import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Regex } from './regex.ts';
import { compileRegex, findAllText, findText, matchesText } from './regex.ts';
import { CelError } from './values.ts';

test('a search that would go by too many states of a long text is refused, and any other is made', () => {
  // Which of the last 200 characters were an a is too much to remember.
  const hard = compileRegex('a[ab]{200}$') as Regex;
  let random = 1;
  const text = Array.from({ length: 300_000 }, () => ((random = (random * 16_807) % 2_147_483_647) % 2 === 0 ? 'a' : 'b')).join('');
  assert.ok(matchesText(hard, `${text}c`) instanceof CelError);
  assert.ok(findText(hard, `${text}c`) instanceof CelError);
  assert.equal(matchesText(hard, text.slice(0, 5000)), text.charAt(5000 - 201) === 'a');
  assert.equal(matchesText(compileRegex('(foo|bar)+c$') as Regex, `${text}barc`), true, 'of few states, however long the text');
});

test('a search for all matches ends by how often it looks at characters, however fast that is', () => {
  // Each match looks for a b in all that is left.
  const greedy = compileRegex('a(?:.*b)?') as Regex;
  assert.ok(findAllText(greedy, 'a'.repeat(2000), -1) instanceof CelError);
  assert.ok(!(findAllText(greedy, 'a'.repeat(500), -1) instanceof CelError));
  assert.ok(!(findAllText(greedy, 'a'.repeat(2000), 100) instanceof CelError));
  const plain = compileRegex('a') as Regex;
  assert.ok(findAllText(plain, 'a'.repeat(100_000), -1) instanceof CelError);
  assert.ok(!(findAllText(plain, 'a'.repeat(50_000), -1) instanceof CelError));
  assert.equal(findText(compileRegex('[a-z]+') as Regex, `${' '.repeat(500_000)}x`), 'x');
  assert.ok(findText(compileRegex('[a-z]+') as Regex, `${' '.repeat(700_000)}x`) instanceof CelError);
  assert.equal(findText(greedy, 'ab'), 'ab', 'one that was given up leaves nothing behind');
});
