import { isDeepStrictEqual } from 'node:util';
import type { Flags } from './flags/flag.ts';

/** Names of flags that ask for something that does not exist yet. A flag set to its default asks for nothing. */
export function pendingFlags(flags: Flags, changed: ReadonlySet<string>, values: Readonly<Record<string, unknown>>): string[] {
  return [...changed].filter((name) => flags[name]?.pending === true && !isDeepStrictEqual(values[name], flags[name].fallback));
}
