/**
 * Metrics in Prometheus' text format. Observing is cheap: a child for one set of label values is found once and kept by the part that
 * observes, or found again through one map per label without building a key.
 */
export type Stability = 'INTERNAL' | 'ALPHA' | 'BETA' | 'STABLE';

export interface MetricOptions<L extends readonly string[] = readonly string[]> {
  readonly name: string;
  readonly help: string;
  readonly labels?: L;
  /** ALPHA unless said otherwise; shown before the help */
  readonly stability?: Stability;
  /** version since which it is deprecated, shown before the help */
  readonly deprecated?: string;
}

export interface HistogramOptions<L extends readonly string[] = readonly string[]> extends MetricOptions<L> {
  /** upper bounds, ascending; +Inf is added */
  readonly buckets: readonly number[];
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

export class Histogram {
  readonly bounds: readonly number[];
  /** one more than bounds: the last is for what is above all of them */
  readonly counts: Float64Array;
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = new Float64Array(bounds.length + 1);
  }

  /** `weight`: as if it had been observed so many times */
  observe(value: number, weight = 1): void {
    const { bounds, counts } = this;
    let index = 0;
    while (index < bounds.length && value > (bounds[index] as number)) index++;
    counts[index] = (counts[index] as number) + weight;
    this.sum += value * weight;
  }
}

type Branch<C> = Map<string, Branch<C> | C>;

/** All children of one metric, by their label values. */
export class Family<C, L extends readonly string[] = readonly string[]> {
  readonly options: MetricOptions<L>;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly #create: () => C;
  readonly #root: Branch<C> = new Map();

  constructor(type: 'counter' | 'gauge' | 'histogram', options: MetricOptions<L>, create: () => C) {
    this.type = type;
    this.options = options;
    this.#create = create;
    // Without labels there is one child, and it shows from the start.
    if ((options.labels?.length ?? 0) === 0) this.#root.set('', create());
  }

  /** The child for these values, in the order of the declared labels. */
  with(...values: LabelValues<L>): C {
    const path: readonly string[] = values.length === 0 ? [''] : values;
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

  /** Forgets every child: for gauges that describe things which come and go. */
  reset(): void {
    this.#root.clear();
  }

  *children(): Iterable<readonly [values: readonly string[], child: C]> {
    const depth = this.options.labels?.length ?? 0;
    if (depth === 0) {
      for (const child of this.#root.values()) yield [[], child as C];
      return;
    }
    const walk = function* (branch: Branch<C>, values: readonly string[]): Iterable<readonly [readonly string[], C]> {
      for (const [value, next] of branch) {
        if (values.length === depth - 1) yield [[...values, value], next as C];
        else yield* walk(next as Branch<C>, [...values, value]);
      }
    };
    yield* walk(this.#root, []);
  }
}

export class MetricsRegistry {
  readonly #families = new Map<string, Family<Counter | Gauge | Histogram>>();
  readonly #collectors: (() => void)[] = [];
  readonly #disabled: ReadonlySet<string>;

  /** Disabled metrics can be observed and are not shown. */
  constructor(options: { readonly disabled?: Iterable<string> } = {}) {
    this.#disabled = new Set(options.disabled);
  }

  counter<const L extends readonly string[] = readonly []>(options: MetricOptions<L>): Family<Counter, L> {
    return this.#add(new Family('counter', options, () => new Counter()));
  }

  gauge<const L extends readonly string[] = readonly []>(options: MetricOptions<L>): Family<Gauge, L> {
    return this.#add(new Family('gauge', options, () => new Gauge()));
  }

  histogram<const L extends readonly string[] = readonly []>(options: HistogramOptions<L>): Family<Histogram, L> {
    const bounds = [...options.buckets];
    return this.#add(new Family('histogram', options, () => new Histogram(bounds)));
  }

  /** Runs before each rendering: sets gauges whose value is worked out only when asked. */
  onCollect(collect: () => void): void {
    this.#collectors.push(collect);
  }

  /** The text format, a piece per metric. */
  *render(): Iterable<string> {
    for (const collect of this.#collectors) collect();
    const names = [...this.#families.keys()].filter((name) => !this.#disabled.has(name)).toSorted();
    for (const name of names) {
      const text = renderFamily(this.#families.get(name) as Family<Counter | Gauge | Histogram>);
      if (text !== '') yield text;
    }
  }

  #add<C extends Counter | Gauge | Histogram, L extends readonly string[]>(family: Family<C, L>): Family<C, L> {
    const { name } = family.options;
    const known = this.#families.get(name);
    if (known === undefined) this.#families.set(name, family as unknown as Family<Counter | Gauge | Histogram>);
    // Parts of which a server has many, such as watch caches, count in one family.
    else if (!isAlike(known, family)) throw new Error(`metric ${name} is registered twice`);
    return (known ?? family) as unknown as Family<C, L>;
  }
}

function isAlike(one: Pick<Family<unknown>, 'type' | 'options'>, other: typeof one): boolean {
  const labelsOf = ({ options }: typeof one): string => String(options.labels ?? []);
  return one.type === other.type && labelsOf(one) === labelsOf(other);
}

export const metricsContentType = 'text/plain; version=0.0.4; charset=utf-8; escaping=values';

function renderFamily(family: Family<Counter | Gauge | Histogram>): string {
  const { name, help, labels = [], stability = 'ALPHA', deprecated } = family.options;
  // Labels are shown in the order of their names, whatever order they were declared in.
  const order = labels.map((_, index) => index).toSorted((a, b) => ((labels[a] as string) < (labels[b] as string) ? -1 : 1));
  const rows = [...family.children()].map(([values, child]) => ({
    labels: order.map((index) => `${labels[index]}="${escapeLabel(values[index] as string)}"`).join(','),
    child,
  }));
  if (rows.length === 0) return '';
  rows.sort((a, b) => (a.labels < b.labels ? -1 : 1));
  const since = deprecated === undefined ? '' : `(Deprecated since ${deprecated}) `;
  let text = `# HELP ${name} [${stability}] ${escapeHelp(since + help)}\n# TYPE ${name} ${family.type}\n`;
  for (const row of rows)
    text += row.child instanceof Histogram ? renderHistogram(name, row.labels, row.child) : line(name, row.labels, row.child.value);
  return text;
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
