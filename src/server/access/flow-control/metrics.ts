// Upstream: k8s.io/apiserver/pkg/util/flowcontrol/metrics/metrics.go
import { once } from '../../../base/once.ts';
import type { Counter, Gauge, Histogram, MetricsRegistry } from '../../../base/metrics.ts';
import type { QueueSetObserver, RejectReason } from './queue-set.ts';
import { InFlightPeaks } from './in-flight-peaks.ts';
import { TimedRatio } from './timed-ratio.ts';

const prefix = 'apiserver_flowcontrol_';
const durationBuckets = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];
const ofSchema = ['priority_level', 'flow_schema'] as const;
const ofLevel = ['priority_level'] as const;

type Families = ReturnType<typeof register>;

function register(registry: MetricsRegistry) {
  const beta = { stability: 'BETA' } as const;
  const bounds = (name: string, help: string) => registry.gauge({ name: prefix + name, help, labels: [...ofLevel, 'bound'] });
  const gauge = (name: string, help: string) => registry.gauge({ name: prefix + name, help, labels: ofLevel });
  return {
    rejected: registry.counter({
      name: `${prefix}rejected_requests_total`,
      help: 'Requests that priority and fairness has turned away',
      labels: [...ofSchema, 'reason'],
      ...beta,
    }),
    dispatched: registry.counter({
      name: `${prefix}dispatched_requests_total`,
      help: 'Requests that priority and fairness has let through',
      labels: ofSchema,
      ...beta,
    }),
    inQueueRequests: registry.gauge({
      name: `${prefix}current_inqueue_requests`,
      help: 'Requests that wait in queues now',
      labels: ofSchema,
      ...beta,
    }),
    inQueueSeats: registry.gauge({
      name: `${prefix}current_inqueue_seats`,
      help: 'Seats that requests in queues wait for',
      labels: ofSchema,
    }),
    queueLength: registry.histogram({
      name: `${prefix}request_queue_length_after_enqueue`,
      help: 'Length of its queue as each request finds it, itself included',
      labels: ofSchema,
      buckets: [0, 10, 25, 50, 100, 250, 500, 1000],
    }),
    executingRequests: registry.gauge({
      name: `${prefix}current_executing_requests`,
      help: 'Requests that are served now; watches only while they begin',
      labels: ofSchema,
      ...beta,
    }),
    executingSeats: registry.gauge({
      name: `${prefix}current_executing_seats`,
      help: 'Seats that requests which are served now occupy; watches only while they begin',
      labels: ofSchema,
      ...beta,
    }),
    waitSeconds: registry.histogram({
      name: `${prefix}request_wait_duration_seconds`,
      help: 'How long requests waited in their queue',
      labels: [...ofSchema, 'execute'],
      buckets: durationBuckets,
      ...beta,
    }),
    executionSeconds: registry.histogram({
      name: `${prefix}request_execution_seconds`,
      help: 'How long requests took to be served; watches to begin',
      labels: [...ofSchema, 'type'],
      buckets: durationBuckets,
    }),
    watchCount: registry.histogram({
      name: `${prefix}watch_count_samples`,
      help: 'How many watches each write woke',
      labels: ofSchema,
      buckets: [0, 1, 10, 100, 1000, 10_000],
    }),
    estimatedSeats: registry.histogram({
      name: `${prefix}work_estimated_seats`,
      help: 'Seats that requests were thought to need',
      labels: ofSchema,
      buckets: [1, 2, 4, 8, 16, 32, 64, 100],
    }),
    noAccommodation: registry.counter({
      name: `${prefix}request_dispatch_no_accommodation_total`,
      help: 'How often the request whose turn it was had to wait for more seats',
      labels: ofSchema,
    }),
    nominalLimit: registry.gauge({
      name: `${prefix}nominal_limit_seats`,
      help: 'Seats that a priority level has of its own',
      labels: ofLevel,
      ...beta,
    }),
    lowerLimit: gauge('lower_limit_seats', 'Seats that a priority level keeps whatever others borrow'),
    upperLimit: gauge('upper_limit_seats', 'Seats that a priority level has at most, those that it borrows included'),
    currentLimit: gauge('current_limit_seats', 'Seats that a priority level has now'),
    demandHighWatermark: gauge('demand_seats_high_watermark', 'Most seats that a priority level could have used during the last period'),
    demandAverage: gauge('demand_seats_average', 'Seats that a priority level could have used during the last period, on average'),
    demandDeviation: gauge(
      'demand_seats_stdev',
      'Standard deviation of the seats that a priority level could have used during the last period',
    ),
    demandSmoothed: gauge('demand_seats_smoothed', 'Seats that a priority level could use, smoothed'),
    target: gauge('target_seats', 'Seats that a priority level should have, if all were equally satisfied'),
    currentR: gauge('current_r', 'Virtual time of a priority level at the last change'),
    dispatchR: gauge('dispatch_r', 'Virtual time of a priority level at the last dispatch'),
    latestS: gauge('latest_s', 'Virtual time at which the request that was dispatched last was due'),
    nextStarts: bounds('next_s_bounds', 'Least and most, over queues, of the virtual time at which the oldest waiting request is due'),
    nextDiscounted: bounds('next_discounted_s_bounds', 'The same, less the work that is thought to be under way'),
    seatUtilization: registry.histogram({
      name: `${prefix}priority_level_seat_utilization`,
      help: 'Seats in use as a fraction of those that there are, at the end of every nanosecond',
      labels: ['phase', ...ofLevel],
      buckets: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1],
    }),
    requestUtilization: registry.histogram({
      name: `${prefix}priority_level_request_utilization`,
      help: 'Requests that wait or are served as a fraction of their limit, at the end of every nanosecond',
      labels: ['phase', ...ofLevel],
      buckets: [0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.25, 0.5, 0.75, 1],
    }),
    readVsWrite: registry.histogram({
      name: `${prefix}read_vs_write_current_requests`,
      help: 'Requests that wait or are served as a fraction of all that may, at the end of every nanosecond',
      labels: ['phase', 'request_kind'],
      buckets: [0, 0.001, 0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1],
    }),
    demand: registry.histogram({
      name: `${prefix}demand_seats`,
      help: 'Seats that a priority level could use as a fraction of those that it has, at the end of every nanosecond',
      labels: ofLevel,
      buckets: [0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.7, 2, 2.8, 4, 6],
    }),
    loopDelay: registry.gauge({
      name: 'wheelhouse_flowcontrol_loop_delay_seconds',
      help: 'How late the event loop is while requests are served that can wait, smoothed',
    }),
    seatShare: registry.gauge({
      name: 'wheelhouse_flowcontrol_seat_share',
      help: 'Share of the seats of low priority levels that is handed out, as the event loop is late',
    }),
    unread: registry.gauge({
      name: 'wheelhouse_flowcontrol_unread_responses',
      help: 'Responses that have given their seats back before their end, as their clients do not read',
    }),
    fairFraction: registry.gauge({ name: `${prefix}seat_fair_frac`, help: 'Fraction of its target that every priority level gets' }),
  };
}

/** What is measured of the requests of one flow schema in one priority level. */
export interface SchemaMetrics {
  readonly dispatched: Counter;
  readonly waitedAndServed: Histogram;
  readonly waitedInVain: Histogram;
  readonly watchInitialization: Histogram;
  readonly execution: Histogram;
  readonly estimatedSeats: Histogram;
  readonly watchCount: Histogram;
  readonly inQueueRequests: Gauge;
  readonly inQueueSeats: Gauge;
  readonly executingRequests: Gauge;
  readonly executingSeats: Gauge;
  readonly queueLength: Histogram;
}

export interface LevelLimits {
  readonly nominal: number;
  readonly min: number;
  readonly max: number;
}

export interface LevelDemand {
  readonly highWatermark: number;
  readonly average: number;
  readonly deviation: number;
  readonly smoothed: number;
}

/** What is measured of a priority level all the time. */
interface LevelRatios {
  readonly seats: TimedRatio;
  readonly waiting: TimedRatio;
  readonly executing: TimedRatio;
  readonly demand: TimedRatio;
}

type Phase = 'waiting' | 'executing';
type RequestKind = 'readOnly' | 'mutating';

export class FlowControlMetrics {
  readonly #families: Families;
  readonly #peaks: InFlightPeaks;
  readonly #schemas = new Map<string, SchemaMetrics>();
  readonly #levels = new Map<string, LevelRatios>();
  readonly #kinds: Readonly<Record<Phase, Readonly<Record<RequestKind, TimedRatio>>>>;
  readonly #registry: MetricsRegistry;
  readonly #now: () => number;

  /** `now`: milliseconds, monotonic */
  constructor(registry: MetricsRegistry, now: () => number = () => performance.now()) {
    const families = (this.#families = register(registry));
    this.#registry = registry;
    this.#peaks = new InFlightPeaks(registry);
    this.#now = now;
    const ofKind = (phase: Phase, kind: RequestKind): TimedRatio => new TimedRatio(families.readVsWrite.with(phase, kind), now);
    const ofPhase = (phase: Phase) => ({ readOnly: ofKind(phase, 'readOnly'), mutating: ofKind(phase, 'mutating') });
    this.#kinds = { waiting: ofPhase('waiting'), executing: ofPhase('executing') };
    registry.onCollect(() => this.#observeAll());
  }

  observeLoopDelay(loop: { readonly seconds: number; readonly share: number }): void {
    this.#registry.onCollect(() => {
      this.#families.loopDelay.with().set(loop.seconds);
      this.#families.seatShare.with().set(loop.share);
    });
  }

  observeUnread(unread: { readonly count: number }): void {
    this.#registry.onCollect(() => this.#families.unread.with().set(unread.count));
  }

  /** A request begins (1) or ends (-1) to wait or to be served. */
  changed(phase: Phase, kind: RequestKind, delta: 1 | -1, now?: number): void {
    this.#kinds[phase][kind].add(delta, now);
    this.#peaks.changed(phase, kind, delta);
  }

  ofSchema(level: string, schema: string): SchemaMetrics {
    const key = `${level}/${schema}`;
    let made = this.#schemas.get(key);
    if (made === undefined) this.#schemas.set(key, (made = makeSchemaMetrics(this.#families, level, schema)));
    return made;
  }

  observer(level: string, demand: (seats: number, now: number) => void): QueueSetObserver {
    const known = new Map<string, SchemaMetrics>();
    const of = (schema: string): SchemaMetrics => {
      let made = known.get(schema);
      if (made === undefined) known.set(schema, (made = this.ofSchema(level, schema)));
      return made;
    };
    const ratios = this.#ratiosOf(level);
    const rejected = new Map<RejectReason, Map<string, Counter>>();
    const dispatch = once(() => dispatchGauges(this.#families, level));
    return {
      rejected: (schema: string, reason: RejectReason) => {
        let bySchema = rejected.get(reason);
        if (bySchema === undefined) rejected.set(reason, (bySchema = new Map()));
        let counter = bySchema.get(schema);
        if (counter === undefined) bySchema.set(schema, (counter = this.#families.rejected.with(level, schema, reason)));
        counter.inc();
      },
      waiting(schema, requests, seats) {
        const { inQueueRequests, inQueueSeats } = of(schema);
        inQueueRequests.add(requests);
        inQueueSeats.add(seats);
        ratios.waiting.add(requests);
      },
      executing(schema, requests, now) {
        of(schema).executingRequests.add(requests);
        ratios.executing.add(requests, now);
      },
      occupied(schema, seats, now) {
        of(schema).executingSeats.add(seats);
        ratios.seats.add(seats, now);
      },
      demand(seats, now) {
        demand(seats, now);
        ratios.demand.set(seats, now);
      },
      dispatched: ({ now, start, starts, discounted }) => {
        const gauges = dispatch();
        gauges.now.set(now / 1000);
        gauges.start.set(start / 1000);
        gauges.startsMin.set(starts.min / 1000);
        gauges.startsMax.set(starts.max / 1000);
        gauges.discountedMin.set(discounted.min / 1000);
        gauges.discountedMax.set(discounted.max / 1000);
      },
      enqueued: (schema, length) => of(schema).queueLength.observe(length),
      notAccommodated: (schema) => this.#families.noAccommodation.with(level, schema).inc(),
    };
  }

  configured(level: string, { nominal, min, max }: LevelLimits): void {
    this.#families.nominalLimit.with(level).set(nominal);
    this.#families.lowerLimit.with(level).set(min);
    this.#families.upperLimit.with(level).set(max);
  }

  /** What may wait and be served at most, in all levels together. */
  totals(waiting: number, executing: number): void {
    for (const [phase, limit] of [
      ['waiting', waiting],
      ['executing', executing],
    ] as const) {
      for (const ratio of Object.values(this.#kinds[phase])) ratio.setDenominator(limit);
    }
  }

  adjusted(level: string, demand: LevelDemand, target: number, limit: number, virtualTime: number): void {
    const families = this.#families;
    families.demandHighWatermark.with(level).set(demand.highWatermark);
    families.demandAverage.with(level).set(demand.average);
    families.demandDeviation.with(level).set(demand.deviation);
    families.demandSmoothed.with(level).set(demand.smoothed);
    families.target.with(level).set(target);
    families.currentLimit.with(level).set(limit);
    families.currentR.with(level).set(virtualTime / 1000);
    const ratios = this.#ratiosOf(level);
    for (const ratio of [ratios.seats, ratios.executing, ratios.demand]) ratio.setDenominator(limit);
  }

  fairFraction(fraction: number): void {
    this.#families.fairFraction.with().set(fraction);
  }

  #ratiosOf(level: string): LevelRatios {
    let ratios = this.#levels.get(level);
    if (ratios === undefined) {
      const { seatUtilization, requestUtilization, demand } = this.#families;
      const ratio = (histogram: Histogram): TimedRatio => new TimedRatio(histogram, this.#now);
      ratios = {
        seats: ratio(seatUtilization.with('executing', level)),
        waiting: ratio(requestUtilization.with('waiting', level)),
        executing: ratio(requestUtilization.with('executing', level)),
        demand: ratio(demand.with(level)),
      };
      this.#levels.set(level, ratios);
    }
    return ratios;
  }

  #observeAll(): void {
    for (const ratios of [...this.#levels.values(), ...Object.values(this.#kinds)]) {
      for (const ratio of Object.values<TimedRatio>({ ...ratios })) ratio.observe();
    }
  }
}

function makeSchemaMetrics(families: Families, level: string, schema: string): SchemaMetrics {
  // What is divided further is there once it has something to say, as upstream's: who adds up the parts must not find empty ones.
  const served = once(() => families.waitSeconds.with(level, schema, 'true'));
  const inVain = once(() => families.waitSeconds.with(level, schema, 'false'));
  const watch = once(() => families.executionSeconds.with(level, schema, 'watch'));
  const regular = once(() => families.executionSeconds.with(level, schema, 'regular'));
  return {
    dispatched: families.dispatched.with(level, schema),
    get waitedAndServed() {
      return served();
    },
    get waitedInVain() {
      return inVain();
    },
    get watchInitialization() {
      return watch();
    },
    get execution() {
      return regular();
    },
    estimatedSeats: families.estimatedSeats.with(level, schema),
    watchCount: families.watchCount.with(level, schema),
    inQueueRequests: families.inQueueRequests.with(level, schema),
    inQueueSeats: families.inQueueSeats.with(level, schema),
    executingRequests: families.executingRequests.with(level, schema),
    executingSeats: families.executingSeats.with(level, schema),
    queueLength: families.queueLength.with(level, schema),
  };
}

/** What is known of a level at each dispatch. */
function dispatchGauges({ dispatchR, latestS, nextStarts, nextDiscounted }: Families, level: string) {
  return {
    now: dispatchR.with(level),
    start: latestS.with(level),
    startsMin: nextStarts.with(level, 'min'),
    startsMax: nextStarts.with(level, 'max'),
    discountedMin: nextDiscounted.with(level, 'min'),
    discountedMax: nextDiscounted.with(level, 'max'),
  };
}
