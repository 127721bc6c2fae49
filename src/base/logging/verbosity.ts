// Upstream: k8s.io/klog/v2/internal/verbosity/verbosity.go
import type { Caller } from './caller.ts';

export interface FileVerbosity {
  /** of file names without their ending, as Go's filepath.Match reads them */
  readonly pattern: string;
  readonly level: number;
}

/** `-v` and `--vmodule`: which lines are wanted. Can be changed at any time. */
export class Verbosity {
  level: number;
  readonly #files: readonly { readonly matches: (file: string) => boolean; readonly level: number }[];
  readonly #known = new Map<string, number>();

  constructor(level: number, files: readonly FileVerbosity[] = []) {
    this.level = level;
    this.#files = files.filter((one) => one.level > 0).map((one) => ({ matches: fileMatcher(one.pattern), level: one.level }));
  }

  /** `caller` is asked for only where files have a verbosity of their own. */
  isEnabled(level: number, caller: () => Caller): boolean {
    return level <= this.level || (this.#files.length > 0 && level <= this.#levelOf(caller().file));
  }

  #levelOf(file: string): number {
    let level = this.#known.get(file);
    if (level === undefined) {
      const name = file.replace(/\.[^.]*$/, '');
      level = this.#files.find(({ matches }) => matches(name))?.level ?? 0;
      this.#known.set(file, level);
    }
    return level;
  }
}

/** A pattern that cannot be read matches nothing, as upstream has it. */
function fileMatcher(pattern: string): (file: string) => boolean {
  if (!/[\\*?[\]]/.test(pattern)) return (file) => file === pattern;
  const expression = globExpression(pattern);
  return expression === undefined ? () => false : (file) => expression.test(file);
}

/** `*`, `?`, `[a-z]`, `[^a]` and `\x`. */
function globExpression(pattern: string): RegExp | undefined {
  let source = '';
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at] as string;
    if (character === '*') source += '[^/]*';
    else if (character === '?') source += '[^/]';
    else if (character === '\\') source += literal(pattern[++at]);
    else if (character === '[') {
      const end = pattern.indexOf(']', at + (pattern[at + 1] === '^' ? 3 : 2));
      if (end < 0) return undefined;
      const negated = pattern[at + 1] === '^';
      const set = pattern.slice(at + (negated ? 2 : 1), end);
      source += `[${negated ? '^' : ''}${set.replace(/[[^&]/g, '\\$&')}]`;
      at = end;
    } else source += literal(character);
  }
  try {
    return new RegExp(`^${source}$`, 'u');
  } catch {
    // For example a range that runs backwards.
    return undefined;
  }
}

function literal(character = '\\'): string {
  return /[\p{L}\p{N}_-]/u.test(character) ? (character === '-' ? '\\x2d' : character) : `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
