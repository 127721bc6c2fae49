// Upstream: std/regexp
// As cel-go and Kubernetes use it.

import { RE2JS, RE2Set } from 're2js';
import { ArrayList } from './collections.ts';
import type { Implementation } from './declarations.ts';
import type { ReadPattern, UnreadablePattern } from './pattern-tree.ts';
import { readPattern } from './pattern-tree.ts';
import { simplePattern } from './simple-pattern.ts';
import { Budget, TooLongSearchError, TreeSearch } from './tree-search.ts';
import { CelError, noSuchOverload } from './values.ts';
import type { Value } from './values.ts';

/** A valid pattern. What a search needs is made for the first one: most are only ever looked at when what has them is written. */
export interface Regex {
  /** a test takes no longer than the text is long */
  readonly isQuick: boolean;
  test(text: string): Value;
  find(text: string): Value;
  /** the matches in order, at most `limit` of them unless it is negative */
  findAll(text: string, limit: number): Value;
}

/** Go refuses by the size of what it compiles to, for which it must first be read. */
const mostPattern = 32 * 1024;
const mostSize = Math.floor((128 * 2 ** 20) / 40);

/** Says what is wrong with an RE2 pattern, or makes one that can be searched with, in a time that does not depend on counts of repetitions. */
export function compileRegex(pattern: string): Regex | CelError {
  if (pattern.length > mostPattern) return new CelError('error parsing regexp: expression too large');
  const native = simplePattern(pattern);
  if (native) return new SimpleRegex(pattern, native);
  const read = readPattern(pattern);
  if (read.root === undefined && read.isTooDeep) return new CelError(tooLarge(pattern));
  if (read.root === undefined || read.repeatsTooOften || (!read.isPlain && problemOf(read.outline) !== undefined)) {
    const problem = problemOf(read.draft);
    if (problem !== undefined) return new CelError(inWordsOf(pattern, read, problem));
  }
  if (read.root === undefined) return new CompiledRegex(pattern);
  if (read.size > mostSize) return new CelError(tooLarge(pattern));
  return read.size + read.setEffort > mostCompiled + 2 * pattern.length ? new TreeRegex(pattern) : new CompiledRegex(read.unnamed);
}

/** A set of patterns reads what it is given and leaves the rest for later. */
function problemOf(pattern: string): string | undefined {
  try {
    new RE2Set().add(pattern);
    return undefined;
  } catch (cause) {
    if (cause instanceof Error) return cause.message;
    throw cause;
  }
}

const tooLarge = (pattern: string): string => `error parsing regexp: expression too large: \`${pattern}\``;

/** What is wrong with the draft of a pattern, said of the pattern. */
function inWordsOf(pattern: string, read: ReadPattern | UnreadablePattern, problem: string): string {
  if (problem === 'error parsing regexp: expression too large') return tooLarge(pattern);
  if (problem === 'error parsing regexp: trailing backslash at end of expression') return `${problem}: \`\``;
  const isOpenSet = read.root === undefined && problem.startsWith('error parsing regexp: missing closing ]');
  if (isOpenSet) return `error parsing regexp: missing closing ]: \`${read.openSet}\``;
  const all = `\`${read.draft}\``;
  return problem.endsWith(all) ? `${problem.slice(0, -all.length)}\`${pattern}\`` : problem;
}

/** Instructions that a pattern may have beside two for each of its characters and be compiled as a whole: a thousand take two milliseconds and half a megabyte. */
const mostCompiled = 256;

class CompiledRegex implements Regex {
  readonly isQuick: boolean = false;
  readonly #pattern: string;
  #compiled: RE2JS | undefined;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  get #re2(): RE2JS {
    return (this.#compiled ??= bounded(RE2JS.compile(this.#pattern)));
  }

  test(text: string): Value {
    return searched(() => this.#re2.test(text));
  }

  find(text: string): Value {
    return countingLooks(this.#re2, () => {
      const matcher = this.#re2.matcher(text);
      return matcher.find() ? (matcher.group() ?? '') : '';
    });
  }

  findAll(text: string, limit: number): Value {
    return countingLooks(this.#re2, () => {
      const found: string[] = [];
      const matcher = this.#re2.matcher(text);
      for (let last = -1; found.length !== limit && matcher.find(); last = matcher.end()) {
        if (isFound(matcher.start(), matcher.end(), last)) found.push(matcher.group() ?? '');
      }
      return new ArrayList(found);
    });
  }
}

/** Go does not find an empty match right after another match. */
const isFound = (start: number, end: number, last: number): boolean => start < end || start !== last;

/** Has a native form, which is ten times faster to test. */
class SimpleRegex extends CompiledRegex {
  override readonly isQuick = true;
  readonly #native: RegExp;

  constructor(pattern: string, native: RegExp) {
    super(pattern);
    this.#native = native;
  }

  override test(text: string): Value {
    return this.#native.test(text);
  }
}

class TreeRegex implements Regex {
  readonly isQuick = false;
  readonly #pattern: string;
  #made: TreeSearch | undefined;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  get #tree(): TreeSearch {
    return (this.#made ??= new TreeSearch(readPattern(this.#pattern).root!));
  }

  test(text: string): Value {
    return searched(() => this.#tree.find(text, 0, new Budget(), true) !== undefined);
  }

  find(text: string): Value {
    return searched(() => {
      const found = this.#tree.find(text);
      return found === undefined ? '' : text.slice(found.start, found.end);
    });
  }

  findAll(text: string, limit: number): Value {
    return searched(() => {
      const all: string[] = [];
      const budget = new Budget();
      for (let [from, last] = [0, -1]; from <= text.length && all.length !== limit;) {
        const found = this.#tree.find(text, from, budget);
        if (found === undefined) break;
        const { start, end } = found;
        if (isFound(start, end, last)) all.push(text.slice(start, end));
        from = end > from ? end : end + (text.codePointAt(end)! > 0xffff ? 2 : 1);
        last = end;
      }
      return new ArrayList(all);
    });
  }
}

/**
 * Characters times instructions of the pattern that one search may take where it goes by all of the pattern's states at each character, which
 * is where it has too many of them to be remembered. It cannot be interrupted, and this is about a twentieth of a second.
 */
const mostSteps = 6_000_000;

function bounded(compiled: RE2JS): RE2JS {
  const { re2Input } = compiled;
  const search = re2Input.doExecuteNFA.bind(re2Input);
  const instructions = compiled.programSize();
  re2Input.doExecuteNFA = (...all: Parameters<typeof search>) => {
    const [input, position] = all as readonly unknown[] as readonly [{ endPos(): number }, number];
    if ((input.endPos() - position) * instructions > mostSteps) throw new TooLongSearchError();
    return search(...all);
  };
  return compiled;
}

function searched(search: () => Value): Value {
  try {
    return search();
  } catch (error) {
    if (error instanceof TooLongSearchError) return new CelError('the text is too long for this regular expression');
    throw error;
  }
}

/**
 * How often one call may look at a character of its text: each match may look at all that is left of it, and a match costs something by
 * itself. It cannot be interrupted, and this is about a twentieth of a second.
 */
const mostLooks = 600_000;
const looksOfMatch = 8;

function countingLooks({ re2Input }: RE2JS, search: () => Value): Value {
  const uncounted = re2Input.executeEngine;
  const execute = uncounted.bind(re2Input);
  let looks = 0;
  re2Input.executeEngine = (...all: Parameters<typeof execute>) => {
    const [input] = all as readonly unknown[] as readonly [{ step: (at: number) => number }];
    const step = input.step.bind(input);
    input.step = (at) => {
      if (++looks > mostLooks) throw new TooLongSearchError();
      return step(at);
    };
    if ((looks += looksOfMatch) > mostLooks) throw new TooLongSearchError();
    return execute(...all);
  };
  try {
    return searched(search);
  } finally {
    re2Input.executeEngine = uncounted;
  }
}

/** Implementations for calls whose pattern is a constant. */
export const constantPatternRunners: ReadonlyMap<string, (regex: Regex) => Implementation> = new Map([
  [
    'matches',
    (regex: Regex): Implementation =>
      (text: Value) =>
        typeof text === 'string' ? regex.test(text) : noSuchOverload,
  ],
  [
    'find',
    (regex: Regex): Implementation =>
      (text: Value) =>
        typeof text === 'string' ? regex.find(text) : noSuchOverload,
  ],
  [
    'findAll',
    (regex: Regex): Implementation =>
      (text: Value, _pattern: Value, limit: Value = -1) =>
        typeof text === 'string' && typeof limit === 'number' ? regex.findAll(text, limit) : noSuchOverload,
  ],
]);
