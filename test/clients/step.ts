/** One command of a script, given to both servers. */
export interface Step {
  readonly args: readonly string[];
  /** what the editor of `kubectl edit` does: replaces the first by the second */
  readonly edit?: readonly [from: string, to: string];
  /** the command never ends by itself: these are run while it does, and it is ended after them */
  readonly meanwhile?: readonly Step[];
  /** lines come in no fixed order */
  readonly unordered?: boolean;
}

export interface Scenario {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** A command line with single quotes as in a shell. */
export function step(line: string, more: Omit<Step, 'args'> = {}): Step {
  const args = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? (bare as string));
  return { args, ...more };
}
