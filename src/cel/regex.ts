// Upstream: std/regexp
// As cel-go and Kubernetes use it.

import { RE2JS } from 're2js';
import { ArrayList } from './collections.ts';
import type { Implementation } from './declarations.ts';
import { simplePattern } from './simple-pattern.ts';
import { CelError, noSuchOverload } from './values.ts';
import type { Value } from './values.ts';

/** A compiled pattern. Simple ones also have a native form, which is ten times faster to test. */
export interface Regex {
  readonly re2: RE2JS;
  readonly native: RegExp | undefined;
}

/** Go refuses by the size of what it compiles to, for which it must first be read. */
const mostPattern = 32 * 1024;

/** Compiles an RE2 pattern; linear time whatever the pattern. */
export function compileRegex(pattern: string): Regex | CelError {
  if (pattern.length > mostPattern) return new CelError('error parsing regexp: expression too large');
  const native = simplePattern(pattern);
  if (native) return new SimpleRegex(pattern, native);
  try {
    return { re2: bounded(RE2JS.compile(pattern)), native };
  } catch (cause) {
    if (cause instanceof Error) return new CelError(cause.message);
    throw cause;
  }
}

/** Most simple patterns are only ever tested, so the RE2 form waits until the first search with it. */
class SimpleRegex implements Regex {
  readonly native: RegExp;
  readonly #pattern: string;
  #compiled: RE2JS | undefined;

  constructor(pattern: string, native: RegExp) {
    this.#pattern = pattern;
    this.native = native;
  }

  get re2(): RE2JS {
    return (this.#compiled ??= bounded(RE2JS.compile(this.#pattern)));
  }
}

/**
 * Characters times instructions of the pattern that one search may take where it goes by all of the pattern's states at each character, which
 * is where it has too many of them to be remembered. It cannot be interrupted, and this is about a twentieth of a second.
 */
const mostSteps = 6_000_000;

class TooLongSearchError extends Error {
  override readonly name = 'TooLongSearchError';
}

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

export function matchesText(regex: Regex, text: string): Value {
  return regex.native === undefined ? searched(() => regex.re2.test(text)) : regex.native.test(text);
}

export function findText({ re2 }: Regex, text: string): Value {
  return countingLooks(re2, () => {
    const matcher = re2.matcher(text);
    return matcher.find() ? (matcher.group() ?? '') : '';
  });
}

/** The matches in order, at most `limit` of them unless it is negative. */
export function findAllText({ re2 }: Regex, text: string, limit: number): Value {
  return countingLooks(re2, () => {
    const found: string[] = [];
    const matcher = re2.matcher(text);
    while ((limit < 0 || found.length < limit) && matcher.find()) found.push(matcher.group() ?? '');
    return new ArrayList(found);
  });
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
        typeof text === 'string' ? matchesText(regex, text) : noSuchOverload,
  ],
  [
    'find',
    (regex: Regex): Implementation =>
      (text: Value) =>
        typeof text === 'string' ? findText(regex, text) : noSuchOverload,
  ],
  [
    'findAll',
    (regex: Regex): Implementation =>
      (text: Value, _pattern: Value, limit: Value = -1) =>
        typeof text === 'string' && typeof limit === 'number' ? findAllText(regex, text, limit) : noSuchOverload,
  ],
]);
