/** One command of a script, given to both servers. */
export interface Step {
  readonly args: readonly string[];
  /** what the editor of `kubectl edit` does: replaces the first by the second */
  readonly edit?: readonly [from: string, to: string];
  /** the command never ends by itself: these are run while it does, and it is ended after them */
  readonly meanwhile?: readonly Step[];
  /** lines come in no fixed order */
  readonly unordered?: boolean;
  /** what it prints is known by this name to later commands, which write `{name}` */
  readonly keep?: string;
  /** repeated until it succeeds: servers take their time with what follows from a write, each its own */
  readonly eventually?: boolean;
}

export interface Scenario {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** A command line with single quotes as in a shell. */
export function step(line: string, more: Omit<Step, 'args'> = {}): Step {
  const args = [...line.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", ''));
  return { args, ...more };
}
