// Upstream: k8s.io/apiserver/pkg/util/flowcontrol/apf_controller.go#priorityLevelState, #queueSetCompleterForPL
import type { Clock } from '../../../base/clock.ts';
import type { PriorityLevelConfigurationSpec } from '../../../schema/types/flowcontrol-v1.ts';
import type { FlowControlMetrics } from './metrics.ts';
import type { Queuing } from './queue-set.ts';
import { QueueSet } from './queue-set.ts';
import { RetryAfter } from './retry-after.ts';
import { SeatDemand } from './seat-demand.ts';
import { dealingProblem } from './shuffle-sharding.ts';

const exempt = 'exempt';
/** share of a level's seats that a single request may take */
const maxSeatsShare = 0.15;
const noQueues: Queuing = { queues: 0, handSize: 0, queueLengthLimit: 0 };

/** A PriorityLevelConfiguration as far as it matters here. */
export interface LevelObject {
  readonly name: string;
  readonly uid: string;
  readonly spec: PriorityLevelConfigurationSpec;
}

/** Why a level cannot be followed; undefined: it can. */
export function levelProblem({ name, spec: { type, limited, exempt: exemption } }: LevelObject): string | undefined {
  if ((type === 'Limited') !== (limited !== undefined)) return 'broken union structure at the top, for Limited';
  if ((type === 'Exempt') !== (exemption !== undefined)) return 'broken union structure at the top, for Exempt';
  if ((type === 'Exempt') !== (name === exempt)) return 'non-alignment between name and type';
  if (limited === undefined) return undefined;
  const { type: response, queuing } = limited.limitResponse;
  if ((response === 'Reject') !== (queuing === undefined)) return 'broken union structure for limit response';
  return queuing && dealingProblem(queuing.queues, queuing.handSize);
}

export interface PriorityLevelOptions {
  readonly now: () => number;
  readonly clock: Clock;
  readonly metrics: FlowControlMetrics;
}

/** A priority level: its part of the server's seats, and the requests that use them or wait for them. */
export class PriorityLevel {
  readonly demand: SeatDemand;
  readonly queues: QueueSet;
  readonly retryAfter: RetryAfter;
  readonly isExempt: boolean;
  object: LevelObject;
  /** is in the API no more, and goes when its last request has been served */
  isQuiescing = false;
  /** its requests are those that wait first when the event loop is late: no schema of the system's own leads to it */
  isLow = false;
  nominalLimit = 0;
  minLimit = 0;
  maxLimit = 0;
  /** seats of a single request at most; 0: not bounded here */
  maxSeats = 0;

  constructor(object: LevelObject, { now, clock, metrics }: PriorityLevelOptions) {
    this.object = object;
    this.demand = new SeatDemand(now);
    this.isExempt = object.spec.type === 'Exempt';
    this.retryAfter = new RetryAfter(() => clock.now());
    const observer = metrics.observer(object.name, (seats, now) => this.demand.set(seats, now));
    this.queues = new QueueSet({ now, clock, observer, isExempt: this.isExempt, queuing: this.queuing, limit: 0 });
  }

  get queuing(): Queuing {
    return this.object.spec.limited?.limitResponse.queuing ?? noQueues;
  }

  get shares(): number {
    const { limited, exempt: exemption } = this.object.spec;
    return (limited ?? exemption)?.nominalConcurrencyShares ?? 0;
  }

  /** Its part of the server, by its share of all shares. */
  setLimits(serverSeats: number, allShares: number): void {
    const { limited, exempt: exemption } = this.object.spec;
    const nominal = Math.ceil((serverSeats * this.shares) / allShares);
    const lendable = Math.round((nominal * ((limited ?? exemption)?.lendablePercent ?? 0)) / 100);
    const borrowing = limited?.borrowingLimitPercent;
    this.nominalLimit = nominal;
    this.minLimit = nominal - lendable;
    this.maxLimit = nominal + (borrowing === undefined ? serverSeats : Math.round((nominal * borrowing) / 100));
    const { queues, handSize } = this.queuing;
    if (queues > 0) this.maxSeats = Math.max(1, Math.min(Math.ceil(nominal * maxSeatsShare), Math.trunc(nominal / handSize)));
  }
}
