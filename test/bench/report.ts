import type { Figures, Metric } from './figures.ts';
import type { Row, Target } from './phase.ts';

const units: Record<Metric, { readonly title: string; readonly digits: (value: number) => number }> = {
  cpu: { title: 'CPU µs', digits: (value) => (value < 100 ? 1 : 0) },
  rate: { title: 'ops/s', digits: (value) => (value < 100 ? 1 : 0) },
  p50: { title: 'p50 ms', digits: (value) => (value < 10 ? 2 : 0) },
  p99: { title: 'p99 ms', digits: (value) => (value < 10 ? 2 : 0) },
  start: { title: 'start ms', digits: () => 0 },
  memory: { title: 'RSS MB', digits: () => 0 },
};

export function ratio(row: Pick<Row, 'ours' | 'reference'>, metric: Metric): number {
  return (row.ours[metric] ?? Number.NaN) / (row.reference[metric] ?? Number.NaN);
}

export function isMet(
  row: Pick<Row, 'ours' | 'reference'>,
  { metric, atMost = Infinity, ratioAtMost = Infinity, ratioAtLeast = 0 }: Target,
): boolean {
  const relation = ratio(row, metric);
  return (row.ours[metric] ?? Number.NaN) <= atMost && !(relation > ratioAtMost) && !(relation < ratioAtLeast);
}

export function describeTarget({ atMost, ratioAtMost, ratioAtLeast }: Target): string {
  const parts = [
    atMost !== undefined && `≤ ${atMost}`,
    ratioAtMost !== undefined && `ratio ≤ ${Number(ratioAtMost.toFixed(3))}`,
    ratioAtLeast !== undefined && `ratio ≥ ${ratioAtLeast}`,
  ];
  return parts.filter((part) => part !== false).join(' and ');
}

/** One line for each figure of a row: ours, the reference's, how they relate, and what was promised. */
export function renderRow(row: Row): string {
  return row.metrics
    .map((metric, index) => {
      const target = row.targets?.find((one) => one.metric === metric);
      const verdict = target === undefined ? '' : `${isMet(row, target) ? '✔' : '✖'} ${describeTarget(target)}`;
      const cells = [format(row.ours, metric), format(row.reference, metric), ratio(row, metric).toFixed(3)];
      const range = row.ranges?.[metric]?.map((one) => one.toFixed(2)).join('–') ?? '';
      return `${(index === 0 ? row.name : '').padEnd(40)}${units[metric].title.padEnd(10)}${cells.map((cell) => cell.padStart(11)).join('')}  ${range.padEnd(11)} ${verdict}`.trimEnd();
    })
    .join('\n');
}

export const tableHead = `${''.padEnd(50)}${['ours', 'reference', 'ratio'].map((title) => title.padStart(11)).join('')}  range`;

/** The geometric mean of the ratios of all rows that have this figure under load. */
export function meanRatio(rows: readonly Row[], metric: 'cpu' | 'rate'): number {
  const logs = rows.filter(({ metrics }) => metrics.includes('rate')).map((row) => Math.log(ratio(row, metric)));
  return Math.exp(logs.reduce((sum, one) => sum + one, 0) / logs.length);
}

function format(figures: Figures, metric: Metric): string {
  const value = figures[metric] ?? Number.NaN;
  return value.toFixed(units[metric].digits(value));
}
