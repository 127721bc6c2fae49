import { contenderNames } from './contender.ts';
import type { Contender, ContenderName } from './contender.ts';
import { median } from './figures.ts';
import type { Figures, Metric, Sample } from './figures.ts';

/** What Wheelhouse promises of one row: ours is at most this, and at most, or at least, this share of the reference. */
export interface Target {
  readonly metric: Metric;
  readonly atMost?: number;
  readonly ratioAtMost?: number;
  readonly ratioAtLeast?: number;
}

export interface Row {
  readonly name: string;
  readonly metrics: readonly Metric[];
  readonly ours: Figures;
  readonly reference: Figures;
  /** lowest and highest ratio of a round, where there were several */
  readonly ranges?: Partial<Record<Metric, readonly [number, number]>>;
  readonly targets?: readonly Target[];
}

export interface Effort {
  readonly rounds: number;
  /** length of one slice of load */
  readonly sliceMs: number;
}

export interface PhaseContext {
  /** both run, with nothing but their own objects and what earlier phases left */
  readonly contenders: Readonly<Record<ContenderName, Contender>>;
  readonly effort: Effort;
  /** ours keeps its state in an etcd, too */
  readonly onEtcd: boolean;
  /** after the whole load, ascending */
  readonly restMinutes: readonly number[];
  /** starts a server of its own with empty storage; ends with the process */
  prepare(name: ContenderName): Promise<Contender>;
}

/** A later phase is one file and one entry in main.ts. */
export interface Phase {
  readonly name: string;
  run(context: PhaseContext): AsyncIterable<Row>;
}

/** The round before those that count. */
const warmUp = -1;

/**
 * Lets the two take turns, so that whatever else the machine does meets both, and who begins changes from round to round.
 * What comes back is what each round gave, by contender. A server runs for months: a round of each comes first that does not count, for code that has yet to be compiled.
 */
export async function interleave<T>(
  contenders: PhaseContext['contenders'],
  rounds: number,
  turn: (contender: Contender, round: number) => Promise<T>,
): Promise<Record<ContenderName, T[]>> {
  const results: Record<ContenderName, T[]> = { ours: [], reference: [] };
  const take = (name: ContenderName, round: number): Promise<T> => {
    // A pause of the benchmark's own is longer than most of a server's: it has as few as can be.
    globalThis.gc?.();
    return turn(contenders[name], round);
  };
  for (const name of contenderNames) await take(name, warmUp);
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? contenderNames : contenderNames.toReversed()) results[name].push(await take(name, round));
  }
  return results;
}

/** Of writes, where both have an etcd: it has its share of every one, and what is left must make up for it. */
export const etcdTargets: readonly Target[] = [
  { metric: 'cpu', ratioAtMost: 0.3 },
  { metric: 'rate', ratioAtLeast: 1.5 },
  { metric: 'p99', ratioAtMost: 1 },
];

/** Of every row, where it has no other of the same figure. */
const usualTargets: readonly Target[] = [
  { metric: 'rate', ratioAtLeast: 1.2 },
  { metric: 'p99', ratioAtMost: 1 },
];

const loadMetrics = ['cpu', 'rate', 'p50', 'p99'] as const;

/** The row of what each round has measured. */
export function loadRow(name: string, rounds: Record<ContenderName, readonly Sample[]>, own: readonly Target[] = []): Row {
  const ranges: Partial<Record<Metric, readonly [number, number]>> = {};
  const reference = rounds.reference.map((sample) => sample.figures());
  for (const metric of loadMetrics) {
    const ratios = rounds.ours.map((sample, round) => Number(sample.figures()[metric]) / Number(reference[round]?.[metric]));
    if (ratios.length > 1) ranges[metric] = [Math.min(...ratios), Math.max(...ratios)];
  }
  const targets = [...own, ...usualTargets.filter(({ metric }) => !own.some((target) => target.metric === metric))];
  return { name, metrics: loadMetrics, ours: medians(rounds.ours), reference: medians(rounds.reference), ranges, targets };
}

function medians(rounds: readonly Sample[]): Figures {
  const figures = rounds.map((sample) => sample.figures());
  return Object.fromEntries(loadMetrics.map((metric) => [metric, median(figures.map((one) => one[metric] as number))]));
}
