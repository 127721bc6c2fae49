import { basename } from 'node:path';
import { lineAt } from './sources.ts';
import type { Rule } from './sources.ts';

const maxLines = 700;
const kebabPath = /^(?:[a-z0-9]+(?:-[a-z0-9]+)*\/)*[a-z0-9]+(?:-[a-z0-9]+)*(?:\.(?:test|cases|generated))?\.ts$/;
const vagueNames: ReadonlySet<string> = new Set(['utils.ts', 'util.ts', 'helpers.ts', 'helper.ts', 'misc-utils.ts']);
/** Written in two parts, so that this file does not accuse itself. */
const unfinished = new RegExp(`\\b(?:${'TO'}DO|${'FIX'}ME)\\b`, 'g');

export const fileShape: Rule = function* (sources) {
  for (const { path, text, isTable } of sources) {
    const lines = lineAt(text, text.length) - (text.endsWith('\n') ? 1 : 0);
    if (lines > maxLines && !isTable) yield { path, line: maxLines, message: `${lines} lines, more than ${maxLines}` };
    if (!kebabPath.test(path)) yield { path, line: 1, message: 'names of files and folders are kebab-case' };
    if (vagueNames.has(basename(path))) yield { path, line: 1, message: 'says nothing about what is inside: name the noun' };
    if (isTable) continue;
    for (const match of text.matchAll(unfinished))
      yield { path, line: lineAt(text, match.index), message: `${match[0]}: finish it, or open an issue` };
  }
};
