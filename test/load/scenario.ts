import type { Contender } from './contenders.ts';

export interface ScenarioOptions {
  /** of load, in each turn of each server */
  readonly seconds: number;
  readonly rounds: number;
}

/** Something that servers are put through. */
export interface Scenario {
  /** beside those that every server is started with */
  readonly flags?: readonly string[];
  /** of ours alone */
  readonly environment?: NodeJS.ProcessEnv;
  /** those that it is for, unless it is for both */
  readonly names?: readonly Contender['name'][];
  readonly defaults: ScenarioOptions;
  /** once for each server, before the first turn */
  prepare(contender: Contender): Promise<void>;
  /** one turn of one server; servers take turns */
  turn(contender: Contender, options: ScenarioOptions): Promise<void>;
  /** lines of a table, one column for each server */
  report(names: readonly Contender['name'][]): readonly string[];
}
