/**
 * Metrics as Prometheus knows them. Observing is cheap: a child for one set of label values is found once and kept by the part that
 * observes, or found again through one map per label without building a key. How they are written down is in `exposition/`.
 */
import { NativeHistogram } from './native-histogram.ts';
import { once } from './once.ts';

export type Stability = 'INTERNAL' | 'ALPHA' | 'BETA' | 'STABLE';
export type MetricType = 'counter' | 'gauge' | 'histogram';

export interface MetricOptions<L extends readonly string[] = readonly string[]> {
  readonly name: string;
  readonly help: string;
  readonly labels?: L;
  /** ALPHA unless said otherwise; shown before the help. `none`: a metric of the process, which has no such promise */
  readonly stability?: Stability | 'none';
  /** version since which it is deprecated, shown before the help; after a time that depends on its stability it is hidden */
  readonly deprecated?: string;
}

export interface HistogramOptions<L extends readonly string[] = readonly string[]> extends MetricOptions<L> {
  /** upper bounds, ascending; +Inf is added */
  readonly buckets: readonly number[];
  /** observed with weights: it has no buckets beside these */
  readonly weighted?: boolean;
}

/** As many values as there are labels. */
type LabelValues<L extends readonly string[]> = { readonly [Index in keyof L]: string };

export class Counter {
  value = 0;

  inc(by = 1): void {
    this.value += by;
  }
}

export class Gauge {
  value = 0;

  set(value: number): void {
    this.value = value;
  }

  add(by: number): void {
    this.value += by;
  }
}

/** so many values are counted together */
const pendingValues = 512;
/**
 * So many in one call. For a loop over all of them V8 loads its optimizing compiler at the start of a server: an idle one has 5.5 MB of that resident, and has no use for it.
 */
const countedAtOnce = 32;

/**
 * Values that histograms of a registry are still to count. A request is observed by a dozen histograms, whose memory lies far apart:
 * together, when there are many values, they are counted in a fraction of the time.
 */
class Pending {
  readonly #values = new Float64Array(pendingValues);
  readonly #histograms: Histogram[] = [];
  #length = 0;

  add(histogram: Histogram, value: number): void {
    this.#values[this.#length] = value;
    this.#histograms[this.#length] = histogram;
    if (++this.#length === pendingValues) this.count();
  }

  count(): void {
    const length = this.#length;
    this.#length = 0;
    for (let from = 0; from < length; from += countedAtOnce) this.#countSome(from, Math.min(from + countedAtOnce, length));
  }

  #countSome(from: number, to: number): void {
    for (let i = from; i < to; i++) (this.#histograms[i] as Histogram).count(this.#values[i] as number, 1);
  }
}

/** What a histogram has counted. */
interface Counted {
  readonly bounds: Float64Array;
  readonly counts: Float64Array;
  /** in an array of its own: a field that changes would be a new number on the heap each time */
  readonly sum: Float64Array;
}

export class Histogram {
  readonly #boundsOf: () => Float64Array;
  readonly #native: NativeHistogram | undefined;
  readonly #pending: Pending;
  /** made with the first value: many never have one */
  #counted: Counted | undefined;

  constructor(boundsOf: () => Float64Array, native?: NativeHistogram, pending = new Pending()) {
    this.#boundsOf = boundsOf;
    this.#native = native;
    this.#pending = pending;
  }

  /** shared by all children of a family */
  get bounds(): Float64Array {
    return this.#boundsOf();
  }

  get sum(): number {
    this.#pending.count();
    return this.#counted === undefined ? 0 : (this.#counted.sum[0] as number);
  }

  /** one more than bounds: the last is for what is above all of them */
  get counts(): Readonly<Float64Array> {
    this.#pending.count();
    return this.#make().counts;
  }

  #make(): Counted {
    if (this.#counted !== undefined) return this.#counted;
    const bounds = this.#boundsOf();
    return (this.#counted = { bounds, counts: new Float64Array(bounds.length + 1), sum: new Float64Array(1) });
  }

  get native(): NativeHistogram | undefined {
    this.#pending.count();
    return this.#native;
  }

  /** `weight`: as if it had been observed so many times */
  observe(value: number, weight = 1): void {
    if (weight === 1) this.#pending.add(this, value);
    else this.count(value, weight);
  }

  /** The same at once. */
  count(value: number, weight: number): void {
    const { bounds, counts, sum } = this.#counted ?? this.#make();
    let index = 0;
    while (index < bounds.length && value > (bounds[index] as number)) index++;
    counts[index] = (counts[index] as number) + weight;
    sum[0] = (sum[0] as number) + value * weight;
    if (this.#native !== undefined) this.#native.observe(value, weight);
  }

  /** Adds what another of the same bounds has counted; exponential buckets aside. */
  add(counts: Readonly<Float64Array>, sum: number): void {
    const own = this.#make();
    for (const [index, count] of counts.entries()) own.counts[index] = (own.counts[index] as number) + count;
    own.sum[0] = (own.sum[0] as number) + sum;
  }

  clear(): void {
    this.#pending.count();
    this.#counted = undefined;
    this.#native?.clear();
  }

  get total(): number {
    let total = 0;
    for (const count of this.counts) total += count;
    return total;
  }
}

export type Metric = Counter | Gauge | Histogram;
type Branch<C> = Map<string, Branch<C> | C>;

/** What every family of a registry goes by. */
interface FamilySettings {
  /** values that a label may have, by the label's name; another one is counted as `unexpected` */
  readonly allowed?: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  readonly onUnexpected?: () => void;
}

/** All children of one metric, by their label values. */
export class Family<C extends Metric = Metric, L extends readonly string[] = readonly string[]> {
  readonly options: MetricOptions<L>;
  readonly type: MetricType;
  readonly #create: () => C;
  readonly #settings: FamilySettings;
  readonly #root: Branch<C> = new Map();
  /** set back to nothing: they are shown again when they count something */
  #cleared: Set<C> | undefined;

  constructor(type: MetricType, options: MetricOptions<L>, create: () => C, settings: FamilySettings = {}) {
    this.type = type;
    this.options = options;
    this.#create = create;
    this.#settings = settings;
    // Without labels there is one child, and it shows from the start.
    if ((options.labels?.length ?? 0) === 0) this.#root.set('', create());
  }

  /** The child for these values, in the order of the declared labels. */
  with(...values: LabelValues<L>): C {
    const path: readonly string[] = values.length === 0 ? [''] : this.#settings.allowed === undefined ? values : this.#constrained(values);
    let branch = this.#root;
    for (let i = 0; i < path.length - 1; i++) {
      const value = path[i] as string;
      let next = branch.get(value) as Branch<C> | undefined;
      if (next === undefined) branch.set(value, (next = new Map()));
      branch = next;
    }
    const last = path.at(-1) as string;
    let child = branch.get(last) as C | undefined;
    if (child === undefined) branch.set(last, (child = this.#create()));
    return child;
  }

  /** Forgets one child: what it is about is gone. A part that kept it counts in vain. */
  remove(...values: LabelValues<L>): void {
    const path: readonly string[] = values;
    let branch: Branch<C> | undefined = this.#root;
    for (const value of path.slice(0, -1)) branch = branch?.get(value) as Branch<C> | undefined;
    branch?.delete(path.at(-1) ?? '');
  }

  /** Forgets every child: for gauges that describe things which come and go. */
  reset(): void {
    this.#root.clear();
  }

  /** Sets all children to nothing. Those with labels are not shown until they count again; a part that keeps one may go on. */
  clear(): void {
    const labelled = (this.options.labels?.length ?? 0) > 0;
    for (const [, child] of this.children(true)) {
      if (child instanceof Histogram) child.clear();
      else child.value = 0;
      if (labelled) (this.#cleared ??= new Set()).add(child);
    }
  }

  *children(all = false): Iterable<readonly [values: readonly string[], child: C]> {
    const depth = this.options.labels?.length ?? 0;
    const walk = function* (branch: Branch<C>, values: readonly string[]): Iterable<readonly [readonly string[], C]> {
      for (const [value, next] of branch) {
        if (depth === 0) yield [[], next as C];
        else if (values.length === depth - 1) yield [[...values, value], next as C];
        else yield* walk(next as Branch<C>, [...values, value]);
      }
    };
    for (const found of walk(this.#root, [])) {
      const child = found[1];
      if (!all && this.#cleared?.has(child) === true) {
        if ((child instanceof Histogram ? child.total : child.value) === 0) continue;
        this.#cleared.delete(child);
      }
      yield found;
    }
  }

  #constrained(values: readonly string[]): readonly string[] {
    const { allowed, onUnexpected } = this.#settings;
    const { labels = [] } = this.options;
    return values.map((value, index) => {
      const accepted = allowed?.get(labels[index] ?? '');
      if (accepted === undefined || accepted.has(value)) return value;
      onUnexpected?.();
      return 'unexpected';
    });
  }
}

export interface MetricsSettings {
  /** metrics that can be observed and are not shown */
  readonly disabled?: Iterable<string>;
  /** values that a label keeps, by metric and label */
  readonly allowedValues?: ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;
  /** what is deprecated in this release, and for how long */
  readonly release?: { readonly major: number; readonly minor: number };
  /** whether what is deprecated for too long is shown nevertheless */
  readonly showHidden?: boolean;
  /** histograms have exponential buckets, too */
  readonly native?: boolean;
}

/** How many minor releases a deprecated metric is still shown. */
const deprecationPeriods = { INTERNAL: 0, ALPHA: 0, BETA: 1, STABLE: 3, none: 0 } as const;

export class MetricsRegistry {
  readonly #families = new Map<string, Family>();
  /** see `of` */
  readonly #sets = new Map<(registry: MetricsRegistry) => unknown, unknown>();
  readonly #collectors = new Set<() => void>();
  /** see `onFirstLook` */
  #registrations: ((registry: MetricsRegistry) => void)[] = [];
  readonly #settings: MetricsSettings;
  readonly #disabled: ReadonlySet<string>;
  readonly #unexpected: Counter | undefined;
  readonly #pending = new Pending();
  /** milliseconds since 1970; everything has been counted since then */
  since = Date.now();

  constructor(settings: MetricsSettings = {}) {
    this.#settings = settings;
    this.#disabled = new Set(settings.disabled);
    if (settings.release !== undefined) this.#unexpected = this.#describeItself();
  }

  counter<const L extends readonly string[] = readonly []>(options: MetricOptions<L>): Family<Counter, L> {
    return this.#family('counter', options, () => new Counter());
  }

  gauge<const L extends readonly string[] = readonly []>(options: MetricOptions<L>): Family<Gauge, L> {
    return this.#family('gauge', options, () => new Gauge());
  }

  histogram<const L extends readonly string[] = readonly []>(options: HistogramOptions<L>): Family<Histogram, L> {
    const native = this.#settings.native === true && options.weighted !== true;
    const boundsOf = once(() => Float64Array.from(options.buckets));
    return this.#family('histogram', options, () => new Histogram(boundsOf, native ? new NativeHistogram() : undefined, this.#pending));
  }

  /** A set of families, made once for everyone who counts in it. */
  of<T>(make: (registry: MetricsRegistry) => T): T {
    if (!this.#sets.has(make)) this.#sets.set(make, make(this));
    return this.#sets.get(make) as T;
  }

  /** Registers families that exist from the start, though no part counts in them yet: when metrics are first looked at is early enough. */
  onFirstLook(register: (registry: MetricsRegistry) => void): void {
    this.#registrations.push(register);
  }

  /** Runs before each rendering, until the function that it returns is called: sets gauges whose value is worked out only when asked. */
  onCollect(collect: () => void): () => void {
    this.#collectors.add(collect);
    return () => void this.#collectors.delete(collect);
  }

  /** whether histograms have exponential buckets, too */
  get isNative(): boolean {
    return this.#settings.native === true;
  }

  /** Every metric, shown or not. */
  get definitions(): readonly Family[] {
    this.#registerAll();
    return [...this.#families.values()];
  }

  /** What is shown, by name, with the values of now. */
  collect(): readonly Family[] {
    this.#registerAll();
    for (const collect of this.#collectors) collect();
    const names = [...this.#families.keys()].toSorted();
    return names.map((name) => this.#families.get(name) as Family).filter((family) => !this.#isHidden(family));
  }

  #registerAll(): void {
    const registrations = this.#registrations;
    this.#registrations = [];
    for (const register of registrations) register(this);
  }

  /** Everything is counted from nothing again. */
  clear(): void {
    // What parts have not handed over yet is of the time before.
    for (const collect of this.#collectors) collect();
    for (const family of this.#families.values()) family.clear();
    this.since = Date.now();
  }

  #family<C extends Metric, L extends readonly string[]>(type: MetricType, options: MetricOptions<L>, create: () => C): Family<C, L> {
    const { name } = options;
    const known = this.#families.get(name);
    if (known === undefined) {
      const family = new Family(type, options, create, this.#familySettings(name));
      this.#families.set(name, family as Family);
      return family;
    }
    // Parts of which a server has many, such as watch caches, count in one family.
    if (!isAlike(known, { type, options })) throw new Error(`metric ${name} is registered twice`);
    return known as Family as Family<C, L>;
  }

  #familySettings(name: string): FamilySettings {
    const allowed = this.#settings.allowedValues?.get(name);
    return allowed === undefined ? {} : { allowed, onUnexpected: () => this.#unexpected?.inc() };
  }

  #isHidden({ options: { name, stability = 'ALPHA', deprecated } }: Family): boolean {
    if (this.#disabled.has(name)) return true;
    const { release, showHidden } = this.#settings;
    if (deprecated === undefined || release === undefined || showHidden === true) return false;
    const [major = 0, minor = 0] = deprecated.split('.').map(Number);
    return major < release.major || (major === release.major && minor + deprecationPeriods[stability] <= release.minor);
  }

  /** Metrics about metrics. */
  #describeItself(): Counter {
    const beta = { stability: 'BETA' } as const;
    const registered = this.counter({
      name: 'registered_metrics_total',
      help: 'Metrics that this server has, by how much can be relied on them and since when they are deprecated',
      labels: ['stability_level', 'deprecated_version'],
      ...beta,
    });
    const disabled = this.counter({ name: 'disabled_metrics_total', help: 'Metrics that were switched off by name', ...beta });
    const hidden = this.counter({ name: 'hidden_metrics_total', help: 'Metrics that exist and are not shown', ...beta });
    this.onCollect(() => {
      const shown = new Map<Counter, number>();
      let hiddenOnes = 0;
      for (const family of this.#families.values()) {
        const { stability = 'ALPHA', deprecated = '' } = family.options;
        if (this.#isHidden(family)) hiddenOnes++;
        else if (stability !== 'none') {
          const counter = registered.with(stability, deprecated);
          shown.set(counter, (shown.get(counter) ?? 0) + 1);
        }
      }
      for (const [counter, count] of shown) counter.value = count;
      disabled.with().value = this.#disabled.size;
      hidden.with().value = hiddenOnes;
    });
    const help = 'Values of labels that are not among those allowed by flags, and are counted as unexpected';
    return this.counter({ name: 'cardinality_enforcement_unexpected_categorizations_total', help }).with();
  }
}

interface Shape {
  readonly type: MetricType;
  readonly options: { readonly labels?: readonly string[] };
}

const none: readonly string[] = [];

function isAlike(one: Shape, other: Shape): boolean {
  if (one.type !== other.type) return false;
  const [labels, others] = [one.options.labels ?? none, other.options.labels ?? none];
  return labels.length === others.length && labels.every((label, at) => label === others[at]);
}

/** `count` bounds, each `factor` times the one before. */
export function exponentialBuckets(start: number, factor: number, count: number): readonly number[] {
  const bounds: number[] = [];
  for (let bound = start; bounds.length < count; bound *= factor) bounds.push(bound);
  return bounds;
}

/** `count` bounds, each `width` more than the one before. */
export function linearBuckets(start: number, width: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => start + width * index);
}

export const defaultBuckets: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
