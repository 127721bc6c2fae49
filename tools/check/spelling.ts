import { lineAt } from './sources.ts';
import type { Rule } from './sources.ts';

/** One dialect (docs/reference/words.md). */
const spellings: readonly { readonly pattern: RegExp; readonly message: string }[] = [
  { pattern: /^(?:export )?const [A-Z][A-Z\d]*(?:_[A-Z\d]+)*(?<=\w\w)\b(?= ?[:=])/gm, message: 'module constants are camelCase' },
  {
    pattern: /^ +private (?!constructor\b)(?:static |readonly |async |get |set |\*)*\w+[(:<?! =]/gm,
    message: 'private members are #private',
  },
  { pattern: /^import \{[^}]*\btype \w/gm, message: 'types have an `import type` of their own' },
];

/** Comments say which part does what to what; a name in backticks may be any word. */
const vagueWords = /(?<!`)\b(?:some|no|any|every)body\b|(?<!`)\b(?:whoever|told|(?:un)?answer(?:s|ed|ing)?)\b(?!`)/gi;
const comments = /^ *(?:\/\/|\/?\*).*|(?<=[;,{})\]] )\/\/ .*/gm;

export const oneSpelling: Rule = function* (sources) {
  for (const { path, text, isTable } of sources) {
    if (isTable) continue;
    for (const { pattern, message } of spellings) {
      for (const match of text.matchAll(pattern)) yield { path, line: lineAt(text, match.index), message };
    }
    for (const comment of text.matchAll(comments)) {
      for (const { 0: word } of comment[0].matchAll(vagueWords)) {
        yield {
          path,
          line: lineAt(text, comment.index),
          message: `"${word}" in a comment: name the client, the caller, the response (docs/reference/words.md)`,
        };
      }
    }
  }
};
