import type { RecordedCase, Result } from './case.ts';
import type { DifferenceCause } from './comparison.ts';
import { compare } from './comparison.ts';

export interface Tally {
  total: number;
  exact: number;
  semantic: number;
}

interface SeenCause extends DifferenceCause {
  count: number;
  /** the first case that showed it */
  readonly name: string;
}

/** Counts verdicts by category and kind, and differences by their cause. */
export class Score {
  readonly total: Tally = { total: 0, exact: 0, semantic: 0 };
  readonly categories = new Map<string, Tally>();
  readonly kinds = new Map<string, Tally>();
  readonly failing: string[] = [];
  readonly #causes = new Map<string, SeenCause>();

  add(recorded: RecordedCase, results: readonly Result[]): void {
    const { name, category, kind } = recorded.case;
    const { exact, semantic, causes } = compare(recorded, results);
    const tallies = [this.total, tallyOf(this.categories, category), ...(kind === undefined ? [] : [tallyOf(this.kinds, kind)])];
    for (const tally of tallies) {
      tally.total++;
      if (exact) tally.exact++;
      if (semantic) tally.semantic++;
    }
    if (exact) return;
    this.failing.push(name);
    for (const cause of new Map(causes.map((one) => [one.cause, one])).values()) {
      const seen = this.#causes.get(cause.cause);
      if (seen === undefined) this.#causes.set(cause.cause, { ...cause, count: 1, name });
      else seen.count++;
    }
  }

  /** Most frequent first. */
  get causes(): SeenCause[] {
    return [...this.#causes.values()].toSorted((a, b) => b.count - a.count || (a.cause < b.cause ? -1 : 1));
  }
}

function tallyOf(tallies: Map<string, Tally>, key: string): Tally {
  let tally = tallies.get(key);
  if (tally === undefined) tallies.set(key, (tally = { total: 0, exact: 0, semantic: 0 }));
  return tally;
}

export function* scoreLines(score: Score, { byKind, causes }: { readonly byKind: boolean; readonly causes: number }): Generator<string> {
  for (const tallies of byKind ? [score.categories, score.kinds] : [score.categories])
    for (const [name, tally] of [...tallies].toSorted(([a], [b]) => (a < b ? -1 : 1))) yield lineOf(name, tally);
  yield lineOf('all', score.total);
  for (const { cause, count, name, step, expected, got } of score.causes.slice(0, causes)) {
    yield `${String(count).padStart(5)} x ${cause}`;
    yield `        ${name}, step ${step}: expected ${short(expected)}, got ${short(got)}`;
  }
}

function lineOf(name: string, { total, exact, semantic }: Tally): string {
  const percent = (part: number): string => `${((100 * part) / Math.max(total, 1)).toFixed(2)} %`.padStart(9);
  return `${name.padEnd(48)} ${String(exact).padStart(6)} of ${String(total).padEnd(6)} exact ${percent(exact)}   semantic ${percent(semantic)}`;
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
