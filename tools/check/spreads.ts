import { lineAt } from './sources.ts';
import type { Rule } from './sources.ts';

/** Folders that handle lists as long as a client likes. */
const folders = /^src\/(?:apis|machinery|schema|cel|patch|table|apiextensions|plugins|server\/(?:registry|endpoints|admission))\//;
const spread = /\.(?:push|unshift|fromCharCode|fromCodePoint)\((?:\s*[\w.#]+,)*\s*\.\.\./g;

/** A list becomes arguments on the stack, which overflows where a request fills it. */
export const noSpreadIntoPush: Rule = function* (sources) {
  for (const { path, text, isTest } of sources) {
    if (isTest || !folders.test(path) || path === 'src/machinery/append.ts') continue;
    for (const match of text.matchAll(spread))
      yield { path, line: lineAt(text, match.index), message: 'a list spread into arguments: use append, or a loop' };
  }
};
