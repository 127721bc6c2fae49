import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** `upstream` judges: what passes there must pass on `ours`. */
export type Side = 'upstream' | 'ours';

type Kept = Record<Side, Record<string, boolean>>;

/** What each of a suite's cases said on either server. Kept in a folder, so that a long suite can be run in pieces. */
export class Verdicts {
  readonly #file: string;
  readonly #verdicts: Kept;

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    this.#file = join(folder, 'verdicts.json');
    this.#verdicts = existsSync(this.#file) ? (JSON.parse(readFileSync(this.#file, 'utf8')) as Kept) : { upstream: {}, ours: {} };
  }

  has(side: Side, name: string): boolean {
    return name in this.#verdicts[side];
  }

  /** Names of the cases that passed. */
  passed(side: Side): string[] {
    return Object.entries(this.#verdicts[side]).flatMap(([name, hasPassed]) => (hasPassed ? [name] : []));
  }

  add(side: Side, name: string, hasPassed: boolean): void {
    this.#verdicts[side][name] = hasPassed;
    writeFileSync(this.#file, `${JSON.stringify(this.#verdicts, undefined, 2)}\n`);
  }

  /**
   * Prints the counts of both, by group where there are groups, and what passes on upstream only; returns the exit code. The last line counts
   * the cases that pass on upstream, or those of ours where upstream was left out.
   */
  report(groupOf?: (name: string) => string): number {
    for (const side of ['upstream', 'ours'] as const) {
      for (const [group, { passed, total }] of this.#counts(side, groupOf)) console.log(`${side.padEnd(8)} ${passed} of ${total} ${group}`);
      for (const [name, hasPassed] of Object.entries(this.#verdicts[side])) if (!hasPassed) console.log(`  failed on ${side}: ${name}`);
    }
    const { upstream, ours } = this.#verdicts;
    const judged = Object.keys(ours).filter((name) => upstream[name] !== false);
    const failing = judged.filter((name) => ours[name] === false);
    for (const name of failing) console.log(`${upstream[name] === true ? 'passes on upstream only' : 'fails on ours'}: ${name}`);
    console.log(`${judged.length - failing.length} passed, ${failing.length} failed`);
    return failing.length === 0 && judged.length > 0 ? 0 : 1;
  }

  #counts(side: Side, groupOf: (name: string) => string = () => 'in all'): Map<string, { passed: number; total: number }> {
    const counts = new Map<string, { passed: number; total: number }>();
    for (const [name, hasPassed] of Object.entries(this.#verdicts[side])) {
      for (const group of new Set([groupOf(name), 'in all'])) {
        const { passed, total } = counts.get(group) ?? { passed: 0, total: 0 };
        counts.set(group, { passed: passed + Number(hasPassed), total: total + 1 });
      }
    }
    return counts;
  }
}
