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

export const oneSpelling: Rule = function* (sources) {
  for (const { path, text, isTable } of sources) {
    if (isTable) continue;
    for (const { pattern, message } of spellings) {
      for (const match of text.matchAll(pattern)) yield { path, line: lineAt(text, match.index), message };
    }
  }
};
