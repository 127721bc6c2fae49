/** What was measured of one contender: the names of what a table shows, and JSON keeps. */
export interface Figures {
  /** microseconds of the server's CPU for one operation */
  readonly cpu?: number;
  /** operations in a second */
  readonly rate?: number;
  /** milliseconds */
  readonly p50?: number;
  readonly p99?: number;
  /** milliseconds from exec to ready */
  readonly start?: number;
  /** resident megabytes */
  readonly memory?: number;
}

export type Metric = keyof Figures;

/** The operations of one slice of time. */
export class Sample {
  operations = 0;
  seconds = 0;
  cpuMs = 0;
  readonly latencies: number[] = [];

  figures(): Figures {
    const sorted = Float64Array.from(this.latencies).toSorted();
    const quantile = (q: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
    return {
      cpu: (this.cpuMs * 1000) / this.operations,
      rate: this.operations / this.seconds,
      p50: quantile(0.5),
      p99: quantile(0.99),
    };
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[middle] as number) : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}
