import { lineAt } from './sources.ts';
import type { Rule } from './sources.ts';

/** The formatter leaves statements of the module at the start of a line, so that patterns can find them. */
const patterns: readonly (readonly [pattern: RegExp, message: string])[] = [
  [/^(?:export )?(?:let|var) \w+/gm, 'module-level let: state hangs from an object, not from a module'],
  [/^(?:export )?const \w+(?:: [^=]*)? = new Weak(?:Map|Set)\b/gm, 'module-level cache: it must hang from an object'],
  [
    /^(?:export )?const \w+(?:: [^=]*)? = new (?:Map|Set|Array)(?:<[^()]*>)?\(\)/gm,
    'empty module-level collection: somebody fills it later',
  ],
  [/^(?:export )?const \w+ = new (?:Map|Set)\b/gm, 'module-level collection without a Readonly type'],
  [
    /^(?:export )?const \w+(?:(?:: (?!readonly |Readonly)[^=]*)? = \[\]|(?:: (?:Record<|\{)[^=]*)? = \{\})(?: as [^;]*)?;/gm,
    'empty module-level collection: somebody fills it later',
  ],
  [
    /^ +(?:private |public |protected )?static (?!readonly |async |get |set )#?\w+(?::|;| =)/gm,
    'static field that can change: state hangs from an object, not from a class',
  ],
  [
    /^ +(?:private |public |protected )?static readonly #?\w+(?:: [^=]*)? = new (?:Weak)?(?:Map|Set)(?:<[^()]*>)?\(\)/gm,
    'static cache: it must hang from an object',
  ],
];

export const noModuleState: Rule = function* (sources) {
  for (const { path, text, isTest } of sources) {
    if (!path.startsWith('src/') || isTest) continue;
    for (const [pattern, message] of patterns) {
      for (const match of text.matchAll(pattern))
        yield { path, line: lineAt(text, match.index), message: `${message} (${match[0].trim()})` };
    }
  }
};
