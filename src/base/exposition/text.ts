// Upstream: github.com/prometheus/common/expfmt/text_create.go
import type { Family, MetricsRegistry } from '../metrics.ts';
import { Histogram } from '../metrics.ts';

/** Series that are written in one go: a metric may have many thousands. */
export const portionSize = 100;

/** One metric in Prometheus' text format, in portions; none when there is nothing to show. */
export function* renderText(family: Family): Generator<string> {
  const { name } = family.options;
  const rows = rowsOf(family);
  if (rows.length === 0) return;
  let text = `# HELP ${name} ${escapeHelp(helpOf(family))}\n# TYPE ${name} ${family.type}\n`;
  for (const [index, { labels, child }] of rows.entries()) {
    const shown = labels.map(([label, value]) => `${label}="${escapeLabel(value)}"`).join(',');
    text += child instanceof Histogram ? renderHistogram(name, shown, child) : line(name, shown, child.value);
    if (index % portionSize !== portionSize - 1) continue;
    yield text;
    text = '';
  }
  yield text;
}

export interface Row {
  /** by their names, whatever order they were declared in */
  readonly labels: readonly (readonly [name: string, value: string])[];
  readonly child: ReturnType<Family['with']>;
}

export function rowsOf(family: Family): readonly Row[] {
  const { labels = [] } = family.options;
  const order = labels.map((_, index) => index).toSorted((a, b) => ((labels[a] as string) < (labels[b] as string) ? -1 : 1));
  const rows = Array.from(family.children(), ([values, child]): Row => ({
    labels: order.map((index) => [labels[index] as string, values[index] as string]),
    child,
  }));
  return rows.toSorted(compareRows);
}

function compareRows(a: Row, b: Row): number {
  for (const [index, [, value]] of a.labels.entries()) {
    const other = b.labels[index]?.[1] ?? '';
    if (value !== other) return value < other ? -1 : 1;
  }
  return 0;
}

/** What is promised of a metric comes before what it is. */
export function helpOf({ options }: Family): string {
  const { help, stability = 'ALPHA', deprecated } = options;
  const since = deprecated === undefined ? '' : `(Deprecated since ${deprecated}) `;
  return stability === 'none' ? help : `[${stability}] ${since}${help}`;
}

function renderHistogram(name: string, labels: string, { bounds, counts, sum }: Histogram): string {
  const prefix = labels === '' ? '' : `${labels},`;
  let total = 0;
  let text = '';
  for (const [index, count] of counts.entries()) {
    total += count;
    const bound = index < bounds.length ? formatFloat(bounds[index] as number) : '+Inf';
    text += line(`${name}_bucket`, `${prefix}le="${bound}"`, total);
  }
  return text + line(`${name}_sum`, labels, sum) + line(`${name}_count`, labels, total);
}

function line(name: string, labels: string, value: number): string {
  return `${name}${labels === '' ? '' : `{${labels}}`} ${formatFloat(value)}\n`;
}

/** As Go writes floats for this format: the shortest digits, with an exponent from 1e+06 and below 1e-04. */
export function formatFloat(value: number): string {
  if (Number.isInteger(value) && value > -1e6 && value < 1e6) return String(value);
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  const [digits = '', power = '0'] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return String(value);
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function escapeLabel(value: string): string {
  return /[\\"\n]/.test(value) ? value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n') : value;
}

function escapeHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

/** All that a registry shows, at once. */
export function metricsText(registry: MetricsRegistry): string {
  return registry
    .collect()
    .flatMap((family) => [...renderText(family)])
    .join('');
}
