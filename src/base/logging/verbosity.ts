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

/** `*`: any number of characters; else whether one character is meant. */
type GlobToken = '*' | ((character: string) => boolean);

/** A pattern that cannot be read matches nothing, as upstream has it. */
function fileMatcher(pattern: string): (file: string) => boolean {
  if (!/[\\*?[\]]/.test(pattern)) return (file) => file === pattern;
  const tokens = globTokens([...pattern]);
  return tokens === undefined ? () => false : (file) => matchesGlob(tokens, [...file]);
}

/** `*`, `?`, `[a-z]`, `[^a]` and `\x`; undefined: it cannot be read. */
function globTokens(pattern: readonly string[]): GlobToken[] | undefined {
  const tokens: GlobToken[] = [];
  let at = 0;
  /** one character of a set or after a backslash */
  const literal = (): string | undefined => pattern[pattern[at] === '\\' ? ++at : at];
  while (at < pattern.length) {
    const character = pattern[at];
    if (character === '*') {
      if (tokens.at(-1) !== '*') tokens.push('*');
    } else if (character === '?') tokens.push((other) => other !== '/');
    else if (character === '[') {
      const isNegated = pattern[at + 1] === '^';
      at += isNegated ? 2 : 1;
      const ranges: (readonly [from: string, to: string])[] = [];
      while (pattern[at] !== ']' || ranges.length === 0) {
        if (pattern[at] === ']' || pattern[at] === '-') return undefined;
        const from = literal();
        let to = from;
        if (pattern[at + 1] === '-') {
          at += 2;
          if (pattern[at] === ']' || pattern[at] === '-') return undefined;
          to = literal();
        }
        at++;
        if (from === undefined || to === undefined || at >= pattern.length) return undefined;
        ranges.push([from, to]);
      }
      tokens.push(
        (other) => isNegated !== ranges.some(([from, to]) => codePoint(from) <= codePoint(other) && codePoint(other) <= codePoint(to)),
      );
    } else {
      const wanted = literal();
      if (wanted === undefined) return undefined;
      tokens.push((other) => other === wanted);
    }
    at++;
  }
  return tokens;
}

function codePoint(character: string): number {
  return character.codePointAt(0) ?? 0;
}

/** Of several `*` only the last is tried again: many of them cost no more than one each. */
function matchesGlob(tokens: readonly GlobToken[], text: readonly string[]): boolean {
  let [token, at] = [0, 0];
  let [star, tried] = [-1, 0];
  while (at < text.length) {
    const wanted = tokens[token];
    if (wanted === '*') [star, tried] = [token++, at];
    else if (wanted?.(text[at] as string) === true) [token, at] = [token + 1, at + 1];
    else if (star >= 0 && text[tried] !== '/') [token, at] = [star + 1, ++tried];
    else return false;
  }
  while (tokens[token] === '*') token++;
  return token === tokens.length;
}
