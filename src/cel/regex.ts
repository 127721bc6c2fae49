// Upstream: Go's regexp as cel-go and Kubernetes use it

import { RE2JS } from 're2js';
import { ArrayList } from './collections.ts';
import type { Implementation } from './declarations.ts';
import { CelError, noSuchOverload } from './values.ts';
import type { Value } from './values.ts';

export type Regex = RE2JS;

/** Compiles an RE2 pattern; linear time whatever the pattern. */
export function compileRegex(pattern: string): Regex | CelError {
  try {
    return RE2JS.compile(pattern);
  } catch (cause) {
    if (cause instanceof Error) return new CelError(cause.message);
    throw cause;
  }
}

export const matchesText = (regex: Regex, text: string): boolean => regex.matcher(text).find();

export function findText(regex: Regex, text: string): string {
  const matcher = regex.matcher(text);
  return matcher.find() ? (matcher.group() ?? '') : '';
}

/** The matches in order, at most `limit` of them unless it is negative. */
export function findAllText(regex: Regex, text: string, limit: number): Value {
  const found: string[] = [];
  const matcher = regex.matcher(text);
  while ((limit < 0 || found.length < limit) && matcher.find()) found.push(matcher.group() ?? '');
  return new ArrayList(found);
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
