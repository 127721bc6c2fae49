import type { Family, MetricOptions, MetricType } from '../metrics.ts';
import { Histogram, MetricsRegistry } from '../metrics.ts';

/** A family of metrics as it is now, for another thread. */
export interface FamilyCopy {
  readonly type: MetricType;
  readonly options: MetricOptions;
  /** of a histogram */
  readonly bounds: Float64Array | undefined;
  readonly children: readonly ChildCopy[];
}

interface ChildCopy {
  readonly labels: readonly string[];
  readonly value: number;
  /** of a histogram, whose sum is `value` */
  readonly counts: Float64Array | undefined;
  readonly native:
    | { readonly resolution: number; readonly zeros: number; readonly buckets: readonly (readonly [number, number])[] }
    | undefined;
}

export function copyMetrics(registry: MetricsRegistry): FamilyCopy[] {
  return registry.collect().map((family) => {
    const children = Array.from(family.children(), ([labels, child]): ChildCopy => {
      if (!(child instanceof Histogram)) return { labels, value: child.value, counts: undefined, native: undefined };
      return { labels, value: child.sum, counts: Float64Array.from(child.counts), native: copyNative(child) };
    });
    const { name, help, labels, stability, deprecated } = family.options;
    const options = { name, help, ...(labels && { labels }), ...(stability && { stability }), ...(deprecated && { deprecated }) };
    return { type: family.type, options, bounds: boundsOf(family), children };
  });
}

function boundsOf(family: Family): Float64Array | undefined {
  for (const [, child] of family.children(true)) return child instanceof Histogram ? child.bounds : undefined;
  return undefined;
}

function copyNative({ native }: Histogram): ChildCopy['native'] {
  if (native === undefined) return undefined;
  const buckets = [...native.spans()].flatMap(({ first, counts }) => counts.map((count, i) => [first + i, count] as const));
  return { resolution: native.resolution, zeros: native.zeros, buckets: buckets.filter(([, count]) => count > 0) };
}

/**
 * The metrics of a process of several threads. Counts are added up, and so are gauges: requests under way, connections, seats. Those that
 * `ofFirst` names are about the process or the cluster, which each thread sees alike: they are what the first says.
 */
export function mergeMetrics(
  copies: readonly (readonly FamilyCopy[])[],
  ofFirst: (name: string) => boolean,
  settings: { native: boolean; since: number },
): MetricsRegistry {
  const merged = new MetricsRegistry({ native: settings.native });
  merged.since = settings.since;
  for (const [thread, families] of copies.entries()) {
    for (const { type, options, bounds, children } of families) {
      if (thread > 0 && ofFirst(options.name)) continue;
      if (type === 'histogram') {
        if (bounds === undefined) continue;
        const family = merged.histogram({ ...options, buckets: [...bounds] });
        for (const child of children) addTo(family.with(...child.labels), child);
      } else {
        const family = type === 'counter' ? merged.counter(options) : merged.gauge(options);
        for (const { labels, value } of children) family.with(...labels).value += value;
      }
    }
  }
  return merged;
}

function addTo(histogram: Histogram, { value, counts, native }: ChildCopy): void {
  if (counts !== undefined) histogram.add(counts, value);
  if (native === undefined || histogram.native === undefined) return;
  histogram.native.zeros += native.zeros;
  // A value of the middle of a bucket is counted in that bucket, or in the wider one that holds it.
  for (const [index, count] of native.buckets) histogram.native.observe(2 ** ((index - 0.5) / 2 ** native.resolution), count);
}
