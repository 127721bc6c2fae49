import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Regex } from './regex.ts';
import { compileRegex, findText, matchesText } from './regex.ts';
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
