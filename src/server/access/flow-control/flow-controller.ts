// Upstream: k8s.io/apiserver/pkg/util/flowcontrol/apf_controller.go
import type { Clock } from '../../../base/clock.ts';
import type { Logger } from '../../../base/log.ts';
import type { FlowSchemaSpec } from '../../../schema/types/flowcontrol-v1.ts';
import type { RequestInfo } from '../../request/request-info.ts';
import type { UserInfo } from '../../request/user.ts';
import type { Claim } from './concurrency-allocation.ts';
import { allocate } from './concurrency-allocation.ts';
import type { FlowSchemaMatch } from './flow-schema-match.ts';
import { compileMatch } from './flow-schema-match.ts';
import { LoopDelay } from './loop-delay.ts';
import type { FlowControlMetrics, SchemaMetrics } from './metrics.ts';
import type { LevelObject } from './priority-level.ts';
import { PriorityLevel, levelProblem } from './priority-level.ts';
import type { QueuedRequest } from './queue-set.ts';

/** Limits follow demand by this period. */
export const adjustmentPeriodMs = 10_000;
const catchAll = 'catch-all';
/** What a FlowSchema has unless it says something else; those of the system come before it. */
const defaultPrecedence = 1000;

/** A FlowSchema as far as it matters here. */
export interface SchemaObject {
  readonly name: string;
  readonly uid: string;
  readonly spec: FlowSchemaSpec;
}

/** What a request counts as. */
export interface Classification {
  readonly name: string;
  readonly uid: string;
  readonly level: PriorityLevel;
  readonly metrics: SchemaMetrics;
  /** tells flows of the schema apart; '' where nothing does */
  readonly distinguisherOf: (info: RequestInfo, user: UserInfo) => string;
}

interface CompiledSchema extends Classification {
  readonly spec: FlowSchemaSpec;
  readonly matches: FlowSchemaMatch;
}

export interface FlowControllerOptions {
  /** --max-requests-inflight and --max-mutating-requests-inflight together */
  readonly serverSeats: number;
  /** what there is where the API has no objects of these names */
  readonly mandatoryLevels: readonly LevelObject[];
  readonly mandatorySchemas: readonly SchemaObject[];
  readonly metrics: FlowControlMetrics;
  readonly clock: Clock;
  readonly log: Logger;
  /** milliseconds, monotonic */
  readonly now?: () => number;
  /** milliseconds that this process has worked */
  readonly worked?: () => number;
  /** calls when all that is there to be read in this turn of the event loop has been read */
  readonly atTurnEnd?: (run: () => void) => void;
}

/** Which flow schema and priority level a request belongs to, and how many seats each level has. */
export class FlowController implements Disposable {
  readonly #options: Required<FlowControllerOptions>;
  #schemas: readonly CompiledSchema[] = [];
  #levels: ReadonlyMap<string, PriorityLevel> = new Map();
  #nominalSum = 0;
  readonly #loopDelay: LoopDelay;
  /** requests that have been served in this turn of the event loop */
  #served: { readonly level: PriorityLevel; readonly request: QueuedRequest }[] = [];

  constructor(options: FlowControllerOptions) {
    this.#options = { now: () => performance.now(), worked: processWork, atTurnEnd: (run) => void setImmediate(run), ...options };
    const { clock, now, worked, metrics } = this.#options;
    this.#loopDelay = new LoopDelay({ clock, now, worked, changed: () => this.#handOut() });
    metrics.observeLoopDelay(this.#loopDelay);
    this.configure([], []);
  }

  [Symbol.dispose](): void {
    this.#loopDelay[Symbol.dispose]();
  }

  get metrics(): FlowControlMetrics {
    return this.#options.metrics;
  }

  get levels(): Iterable<PriorityLevel> {
    return this.#levels.values();
  }

  /** Follows these objects from now on; requests under way stay where they are. */
  configure(levels: readonly LevelObject[], schemas: readonly SchemaObject[]): void {
    this.#levels = this.#digestLevels(levels);
    this.#schemas = this.#digestSchemas(schemas);
    const all = [...this.#levels.values()];
    const { serverSeats, metrics } = this.#options;
    const shares = all.reduce((sum, level) => sum + level.shares, 0);
    for (const level of all) {
      level.setLimits(serverSeats, shares);
      metrics.configured(level.object.name, { nominal: level.nominalLimit, min: level.minLimit, max: level.maxLimit });
    }
    this.#nominalSum = all.reduce((sum, { nominalLimit }) => sum + nominalLimit, 0);
    const canWait = all.reduce((sum, { queuing }) => sum + queuing.queues * queuing.queueLengthLimit, 0);
    metrics.totals(canWait, this.#nominalSum);
    this.#handOut();
    this.adjust();
  }

  classify(info: RequestInfo, user: UserInfo): Classification {
    const schemas = this.#schemas;
    for (const schema of schemas) if (schema.matches(info, user)) return schema;
    // The mandatory schemas are for all; this is for requests that no other schema matches.
    return schemas.find(({ name }) => name === catchAll) as CompiledSchema;
  }

  /** Takes note of a request that begins. */
  begun(level: PriorityLevel, at = this.#options.now()): void {
    if (!level.isExempt) this.#loopDelay.used(at);
  }

  /**
   * The request has been served. Most are at once, and would never be seen to occupy a seat: they do until the turn of the event loop ends, so
   * that no more than there are seats begin in a turn, and those that wait for the next are chosen fairly.
   */
  served(level: PriorityLevel, request: QueuedRequest): void {
    if (level.queuing.queues < 1) {
      // Such a level has no queues: a seat that is held for longer would turn a request away.
      this.#finish(level, request);
      return;
    }
    level.queues.answer(request);
    if (this.#served.push({ level, request }) > 1) return;
    this.#options.atTurnEnd(() => {
      const served = this.#served;
      this.#served = [];
      for (const one of served) this.#finish(one.level, one.request);
    });
  }

  #finish(level: PriorityLevel, request: QueuedRequest): void {
    level.queues.finish(request);
    this.#reap(level);
  }

  /** While the event loop is late, low levels get a share of their seats only. */
  #handOut(): void {
    for (const level of this.#levels.values()) level.queues.handOut(level.isLow ? this.#loopDelay.share : 1);
  }

  /** A level that the API has no more goes once it has no requests. */
  #reap(level: PriorityLevel): void {
    if (!level.isQuiescing || !level.queues.isIdle || this.#levels.get(level.object.name) !== level) return;
    this.configure(
      [...this.#levels.values()].filter((one) => !one.isQuiescing).map(({ object }) => object),
      this.#schemas.map(({ name, uid, spec }) => ({ name, uid, spec })),
    );
  }

  /** Divides the seats by what was wanted since the last time: levels lend what they do not need. */
  adjust(): void {
    const levels = [...this.#levels.values()];
    for (const { demand } of levels) demand.update();
    const limited = levels.filter(({ isExempt }) => !isExempt);
    const leastOf = (level: PriorityLevel): number =>
      level.isExempt
        ? Math.max(level.minLimit, level.demand.highWatermark)
        : Math.max(level.minLimit, Math.min(level.nominalLimit, level.demand.highWatermark));
    const sum = (pick: (level: PriorityLevel) => number): number => limited.reduce((so, level) => so + pick(level), 0);
    const remaining = levels.reduce((left, level) => (level.isExempt ? left - leastOf(level) : left), this.#nominalSum);
    const [minSum, leastSum] = [sum(({ minLimit }) => minLimit), sum(leastOf)];
    const claims = limited.map((level): Claim => {
      const least = leastOf(level);
      return { lowerBound: least, upperBound: level.maxLimit, target: Math.max(least, level.demand.smoothed) };
    });
    let fairFraction = 0;
    let limitOf: (level: PriorityLevel, index: number) => number;
    if (remaining <= minSum) limitOf = ({ minLimit }) => minLimit;
    else if (remaining <= leastSum) {
      const share = (remaining - minSum) / (leastSum - minSum);
      limitOf = (level) => level.minLimit + Math.round((leastOf(level) - level.minLimit) * share);
    } else {
      const allocation = allocate(this.#nominalSum, claims);
      fairFraction = allocation?.fairFraction ?? 0;
      if (allocation === undefined)
        this.#options.log.error('seats of PriorityLevelConfigurations cannot be divided', { claims: JSON.stringify(claims) });
      limitOf = (level, index) => Math.round(allocation?.shares[index] ?? level.queues.limit);
    }
    const { metrics } = this.#options;
    metrics.fairFraction(fairFraction);
    for (const level of levels) {
      const index = limited.indexOf(level);
      const limit = index < 0 ? leastOf(level) : limitOf(level, index);
      level.queues.configure(level.queuing, limit);
      metrics.adjusted(level.object.name, level.demand, claims[index]?.target ?? limit, limit, level.queues.virtualTime);
    }
  }

  #digestLevels(objects: readonly LevelObject[]): Map<string, PriorityLevel> {
    const { mandatoryLevels, log } = this.#options;
    const next = new Map<string, PriorityLevel>();
    const keep = (object: LevelObject): void => {
      const level = this.#levels.get(object.name) ?? new PriorityLevel(object, this.#options);
      level.object = object;
      level.isQuiescing = false;
      next.set(object.name, level);
    };
    for (const object of objects) {
      const problem = levelProblem(object);
      if (problem === undefined) keep(object);
      else log.warn('Ignoring a PriorityLevelConfiguration whose spec is broken', { name: object.name, problem });
    }
    for (const object of mandatoryLevels) if (!next.has(object.name)) keep(this.#levels.get(object.name)?.object ?? object);
    for (const [name, level] of this.#levels) {
      if (next.has(name) || level.queues.isIdle) continue;
      level.isQuiescing = true;
      next.set(name, level);
    }
    return next;
  }

  #digestSchemas(objects: readonly SchemaObject[]): CompiledSchema[] {
    const { mandatorySchemas } = this.#options;
    const known = objects.filter(({ spec }) => this.#isDesired(spec.priorityLevelConfiguration.name));
    const missing = mandatorySchemas.filter(({ name }) => !known.some((one) => one.name === name));
    const all = [...known, ...missing].toSorted(byPrecedence);
    for (const level of this.#levels.values()) {
      const leading = all.filter(({ spec }) => spec.priorityLevelConfiguration.name === level.object.name);
      level.isLow = !level.isExempt && leading.every(({ spec }) => spec.matchingPrecedence >= defaultPrecedence);
    }
    return all.map((object) => this.#compile(object));
  }

  #isDesired(level: string): boolean {
    return this.#levels.get(level)?.isQuiescing === false;
  }

  #compile({ name, uid, spec }: SchemaObject): CompiledSchema {
    const level = this.#levels.get(spec.priorityLevelConfiguration.name) as PriorityLevel;
    // Schemas that no request has matched are not shown.
    let metrics: SchemaMetrics | undefined;
    const makeMetrics = (): SchemaMetrics => (metrics = this.#options.metrics.ofSchema(level.object.name, name));
    const { queues } = level.queuing;
    const method = queues > 1 ? spec.distinguisherMethod?.type : undefined;
    return {
      name,
      uid,
      spec,
      level,
      get metrics() {
        return metrics ?? makeMetrics();
      },
      matches: compileMatch(spec),
      distinguisherOf: method === 'ByUser' ? (_, user) => user.name : method === 'ByNamespace' ? ({ namespace }) => namespace : () => '',
    };
  }
}

function processWork(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The exempt one before all others and the last resort after them, whatever their numbers. */
function byPrecedence(a: SchemaObject, b: SchemaObject): number {
  return a.spec.matchingPrecedence - b.spec.matchingPrecedence || (a.name < b.name ? -1 : 1);
}
