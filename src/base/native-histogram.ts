// Upstream: github.com/prometheus/client_golang/prometheus/histogram.go
/** each bucket is at most 10 % wider than the one before: 2^(1/8) */
const finestResolution = 3;
const coarsestResolution = -4;
const maxBuckets = 160;
/** what is this near to zero has a bucket of its own */
export const zeroThreshold = 2 ** -128;

/**
 * Buckets that grow by a constant factor, as many as there are values: bucket i of resolution r is for values up to 2^(i / 2^r). Where they
 * become too many, each two are made one. Kept in one array around the values seen, so that to count a value costs a logarithm.
 */
export class NativeHistogram {
  resolution = finestResolution;
  /** of what is zero; no metric of this server is less */
  zeros = 0;
  #counts = new Float64Array(0);
  #first = 0;
  #used = 0;
  /** 2^resolution */
  #scale = 2 ** finestResolution;

  observe(value: number, weight: number): void {
    if (!(value > zeroThreshold)) {
      this.zeros += weight;
      return;
    }
    const index = Math.ceil(Math.log2(Math.min(value, Number.MAX_VALUE)) * this.#scale);
    const at = index - this.#first;
    const { length } = this.#counts;
    if (at < 0 || at >= length) return this.#observeOutside(index, weight);
    const before = this.#counts[at] as number;
    this.#counts[at] = before + weight;
    if (before === 0 && ++this.#used > maxBuckets) this.#coarsen();
  }

  #observeOutside(index: number, weight: number): void {
    const { length } = this.#counts;
    const first = length === 0 ? index - 2 : Math.min(this.#first, index - 2);
    const last = Math.max(length === 0 ? index + 2 : this.#first + length - 1, index + 2);
    const counts = new Float64Array(last - first + 1);
    if (length > 0) counts.set(this.#counts, this.#first - first);
    this.#counts = counts;
    this.#first = first;
    counts[index - first] = weight;
    if (++this.#used > maxBuckets) this.#coarsen();
  }

  #coarsen(): void {
    if (this.resolution <= coarsestResolution) return;
    this.resolution--;
    this.#scale /= 2;
    const first = Math.ceil(this.#first / 2);
    const counts = new Float64Array(Math.ceil((this.#first + this.#counts.length - 1) / 2) - first + 1);
    let used = 0;
    for (const [at, count] of this.#counts.entries()) {
      if (count === 0) continue;
      const to = Math.ceil((this.#first + at) / 2) - first;
      if (counts[to] === 0) used++;
      counts[to] = (counts[to] as number) + count;
    }
    this.#counts = counts;
    this.#first = first;
    this.#used = used;
  }

  /** Runs of neighbouring buckets; short gaps are part of a run, as they are cheaper than another. */
  *spans(): Iterable<{ readonly first: number; readonly counts: readonly number[] }> {
    const maxGap = 2;
    let run: { first: number; counts: number[] } | undefined;
    for (const [at, count] of this.#counts.entries()) {
      if (count === 0) continue;
      const index = this.#first + at;
      const gap = run === undefined ? 0 : index - (run.first + run.counts.length);
      if (run !== undefined && gap > maxGap) {
        yield run;
        run = undefined;
      }
      if (run === undefined) run = { first: index, counts: [count] };
      else run.counts.push(...Array.from({ length: gap }, () => 0), count);
    }
    if (run !== undefined) yield run;
  }

  clear(): void {
    this.resolution = finestResolution;
    this.#scale = 2 ** finestResolution;
    this.zeros = this.#first = this.#used = 0;
    this.#counts = new Float64Array(0);
  }
}
