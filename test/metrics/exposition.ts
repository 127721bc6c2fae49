/** A metric as a scrape shows it. */
export interface ShownMetric {
  readonly name: string;
  readonly type: string;
  /** '' for metrics of the process */
  readonly stability: string;
  /** names of labels, without `le` */
  readonly labels: string;
  /** bounds of buckets */
  readonly buckets: string;
  /** values by labels; of histograms the counts */
  readonly series: ReadonlyMap<string, number>;
}

/** Reads Prometheus' text format. */
export function readMetrics(text: string): Map<string, ShownMetric> {
  const metrics = new Map<string, ShownMetric>();
  for (const block of text.split(/^# HELP /m).slice(1)) {
    const [help = '', typeLine = '', ...lines] = block.split('\n');
    const name = help.slice(0, help.indexOf(' '));
    const type = typeLine.split(' ').at(-1) ?? '';
    const series = new Map<string, number>();
    const labels = new Set<string>();
    const bounds = new Set<string>();
    for (const line of lines) {
      const [, shown = '', inner = '', value = ''] = /^([a-zA-Z_:0-9]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      if (shown === '') continue;
      const pairs = [...inner.matchAll(/([a-zA-Z_]+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = '', text2 = '']) => [label, text2] as const);
      for (const [label, bound] of pairs) {
        if (label === 'le') bounds.add(bound);
        else if (label !== 'quantile') labels.add(label);
      }
      const isCount = type === 'histogram' ? shown === `${name}_count` : shown === name;
      if (isCount)
        series.set(
          pairs
            .map(([label, text2]) => `${label}=${text2}`)
            .toSorted()
            .join(','),
          Number(value),
        );
    }
    metrics.set(name, {
      name,
      type,
      stability: /^\S+ \[([A-Z]+)\]/.exec(help)?.[1] ?? '',
      labels: [...labels].toSorted().join(','),
      buckets: [...bounds].join(','),
      series,
    });
  }
  return metrics;
}
