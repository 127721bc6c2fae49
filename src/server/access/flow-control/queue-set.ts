// Upstream: k8s.io/apiserver/pkg/util/flowcontrol/fairqueuing/queueset/queueset.go
import type { Clock } from '../../../base/clock.ts';
import type { ParsedRequest } from '../../request/stages.ts';
import { Seats, isWide } from './seats.ts';
import { dealHand } from './shuffle-sharding.ts';
import type { WorkEstimate } from './work-estimate.ts';

export type RejectReason = 'concurrency-limit' | 'queue-full' | 'time-out';

/** Called with everything that is measured, and the time of the change. */
export interface QueueSetObserver {
  rejected(schema: string, reason: RejectReason): void;
  /** by one request; `seats` it wants */
  waiting(schema: string, requests: 1 | -1, seats: number): void;
  executing(schema: string, requests: 1 | -1, now: number): void;
  occupied(schema: string, seats: number, now: number): void;
  /** seats in use and waited for, now */
  demand(seats: number, now: number): void;
  enqueued(schema: string, queueLength: number): void;
  notAccommodated(schema: string): void;
  /** a request leaves its queue; in virtual time */
  dispatched(progress: DispatchProgress): void;
}

/** Where the queues of a set stood when a request was dispatched, in virtual time: the next start of its own queue, and of all that wait. */
export interface DispatchProgress {
  readonly now: number;
  readonly start: number;
  readonly starts: { min: number; max: number };
  /** less the work that is thought to be under way */
  readonly discounted: { min: number; max: number };
}

export interface Queuing {
  /** 0: requests never wait; they are served or rejected */
  readonly queues: number;
  readonly handSize: number;
  readonly queueLengthLimit: number;
}

/** Requests that are of one kind: of one flow schema, and of one user or namespace where that distinguishes. */
export interface Flow {
  readonly schema: string;
  readonly distinguisher: string;
}

/** What a request is thought to take until it is known how long it took. */
const estimatedServiceMs = 3;
const maxHands = 4096;

interface Queue {
  index: number;
  /** oldest first */
  readonly waiting: Set<QueuedRequest>;
  /** seats that the waiting ones want, and their work */
  waitingSeats: number;
  waitingWork: number;
  executing: number;
  /** of those, how many were responded to and keep their seats only until the turn of the event loop ends */
  answered: number;
  seatsInUse: number;
  /** virtual time at which the next of its requests is due */
  nextDispatch: number;
}

/** One request on its way through a queue set. Work is measured in seat-milliseconds. */
export class QueuedRequest {
  readonly flow: Flow;
  readonly request: ParsedRequest;
  readonly initialSeats: number;
  readonly seats: number;
  readonly work: number;
  readonly arrivedAt: number;
  /** virtual time */
  readonly arrival: number;
  readonly queue: Queue | undefined;
  finalSeats: number;
  additionalLatencyMs: number;
  startedAt: number | undefined;
  isAnswered = false;
  /** what to do when it is decided; undefined while no request waits */
  decided: ((execute: boolean) => void) | undefined;

  constructor(flow: Flow, request: ParsedRequest, estimate: WorkEstimate, queue: Queue | undefined, arrivedAt: number, arrival: number) {
    this.flow = flow;
    this.request = request;
    this.initialSeats = estimate.initialSeats;
    this.finalSeats = estimate.finalSeats;
    this.additionalLatencyMs = estimate.additionalLatencyMs;
    this.seats = Math.max(estimate.initialSeats, estimate.finalSeats);
    this.work = estimate.initialSeats * estimatedServiceMs + estimate.finalSeats * estimate.additionalLatencyMs;
    this.queue = queue;
    this.arrivedAt = arrivedAt;
    this.arrival = arrival;
  }
}

/**
 * The requests of a priority level: those that are served, at most so many seats at once, and those that wait. Among the queues with
 * waiting requests the one is served whose share of the seats, over virtual time, is behind the others'.
 */
export class QueueSet {
  readonly #now: () => number;
  readonly #clock: Clock;
  readonly #observer: QueueSetObserver;
  readonly #isExempt: boolean;
  readonly #hands = new Map<string, readonly number[]>();
  readonly #executing = new Set<QueuedRequest>();
  #queuing: Queuing;
  readonly #seats: Seats;
  #queues: Queue[] = [];
  #virtualTime = 0;
  #lastTime: number;
  #robin = 0;
  #enqueued = 0;
  #activeQueues = 0;
  waiting = 0;
  seatsWaiting = 0;
  dispatched = 0;
  rejected = 0;
  cancelled = 0;

  /** `now`: milliseconds, monotonic. Exempt requests are served at once, whatever the limit. */
  constructor(options: {
    now: () => number;
    clock: Clock;
    observer: QueueSetObserver;
    isExempt: boolean;
    queuing: Queuing;
    limit: number;
  }) {
    this.#now = options.now;
    this.#clock = options.clock;
    this.#observer = options.observer;
    this.#isExempt = options.isExempt;
    this.#queuing = options.queuing;
    this.#seats = new Seats(options.limit);
    this.#lastTime = options.now();
  }

  get executing(): number {
    return this.#executing.size;
  }

  get limit(): number {
    return this.#seats.limit;
  }

  get seatsInUse(): number {
    return this.#seats.inUse;
  }

  get isIdle(): boolean {
    return this.waiting === 0 && this.#executing.size === 0;
  }

  get virtualTime(): number {
    return this.#virtualTime;
  }

  get queues(): readonly Readonly<Queue>[] {
    this.#addQueues();
    return this.#queues;
  }

  /** Requests that are served now. */
  get underWay(): Iterable<QueuedRequest> {
    return this.#executing;
  }

  /** Queues in use stay until they are empty. */
  configure(queuing: Queuing, limit: number): void {
    this.#advance();
    if (queuing.queues !== this.#queuing.queues || queuing.handSize !== this.#queuing.handSize) this.#hands.clear();
    this.#queuing = queuing;
    this.#seats.limit = limit;
    this.#dispatch();
  }

  /** Hands out this share of the seats from now on, to requests that can wait. */
  handOut(share: number): void {
    const more = share > this.#seats.share;
    this.#seats.share = share;
    if (!more || this.waiting === 0) return;
    this.#advance();
    this.#dispatch();
  }

  /** undefined: it is turned away. Otherwise it is served at once (`startedAt`), or waits until it is `decided`. */
  start(flow: Flow, request: ParsedRequest, estimate: WorkEstimate): QueuedRequest | undefined {
    this.#advance();
    const now = this.#lastTime;
    if (this.#isExempt || this.#queuing.queues < 1) {
      const queued = new QueuedRequest(flow, request, estimate, undefined, now, this.#virtualTime);
      if (!this.#isExempt && !this.#seats.hasRoomFor(queued)) return this.#reject(flow, 'concurrency-limit');
      this.#serve(queued);
      return queued;
    }
    const queue = this.#chooseQueue(flow);
    // Where requests wait there is no room for them, though seats may be free that are not for lists.
    // A client with its response may ask again before the turn ends, when a seat is given back to one that waits.
    if (queue.waiting.size >= this.#queuing.queueLengthLimit + queue.answered) return this.#reject(flow, 'queue-full');
    const queued = new QueuedRequest(flow, request, estimate, queue, now, this.#virtualTime);
    this.#enqueue(queued, queue);
    this.#dispatch();
    return queued;
  }

  /** The client does not wait any longer. */
  cancel(queued: QueuedRequest): void {
    const { queue, decided } = queued;
    if (queue === undefined || !queue.waiting.has(queued)) return;
    this.#advance();
    this.#leaveQueue(queued, queue);
    this.#bound(queue);
    this.rejected++;
    this.cancelled++;
    this.#observer.rejected(queued.flow.schema, 'time-out');
    this.#observeDemand();
    this.#removeIfUnwanted(queue);
    queued.decided = undefined;
    decided?.(false);
  }

  /** The client has its response; `finish` follows when the turn ends. */
  answer(queued: QueuedRequest): void {
    const { queue, additionalLatencyMs } = queued;
    if (queue === undefined || additionalLatencyMs > 0) return;
    queued.isAnswered = true;
    queue.answered++;
  }

  /** The request has been served. */
  finish(queued: QueuedRequest): void {
    this.#advance();
    this.#executing.delete(queued);
    this.#observer.executing(queued.flow.schema, -1, this.#lastTime);
    const { queue } = queued;
    if (queue !== undefined) {
      queue.executing--;
      if (queued.isAnswered) queue.answered--;
      const took = this.#lastTime - (queued.startedAt ?? this.#lastTime);
      queue.nextDispatch -= queued.initialSeats * (estimatedServiceMs - took);
      this.#bound(queue);
      if (queue.executing === 0 && queue.waiting.size === 0) this.#activeQueues--;
    }
    if (queued.additionalLatencyMs <= 0) {
      this.#release(queued);
      return;
    }
    this.#clock.setTimeout(() => {
      this.#advance();
      this.#release(queued);
    }, queued.additionalLatencyMs);
  }

  #release(queued: QueuedRequest): void {
    const { queue, seats, flow } = queued;
    this.#seats.giveBack(queued);
    this.#observer.occupied(flow.schema, -seats, this.#lastTime);
    if (queue !== undefined) {
      queue.seatsInUse -= seats;
      this.#removeIfUnwanted(queue);
    }
    this.#observeDemand();
    this.#dispatch();
  }

  #reject({ schema }: Flow, reason: RejectReason): undefined {
    this.rejected++;
    this.#observer.rejected(schema, reason);
  }

  /** Made when they are first needed: in most levels of most servers no request ever comes. */
  #addQueues(): void {
    for (let index = this.#queues.length; index < this.#queuing.queues; index++) {
      this.#queues.push({
        index,
        waiting: new Set(),
        waitingSeats: 0,
        waitingWork: 0,
        executing: 0,
        answered: 0,
        seatsInUse: 0,
        nextDispatch: 0,
      });
    }
  }

  /** Virtual time runs as fast as a queue with work is served by its share of the seats. */
  #advance(): void {
    const now = this.#now();
    const passed = now - this.#lastTime;
    this.#lastTime = now;
    if (this.#activeQueues > 0) {
      this.#virtualTime += (passed * Math.min(this.seatsInUse, this.limit)) / this.#activeQueues;
    }
  }

  /** Of the flow's queues the one with the least work. */
  #chooseQueue(flow: Flow): Queue {
    this.#addQueues();
    const hand = this.#handOf(flow);
    const offset = this.#enqueued++ % hand.length;
    let best = this.#queues[hand[offset] as number] as Queue;
    for (let i = 1; i < hand.length && best.waitingWork > 0; i++) {
      const queue = this.#queues[hand[(offset + i) % hand.length] as number] as Queue;
      if (queue.waitingWork < best.waitingWork) best = queue;
    }
    return best;
  }

  #handOf({ schema, distinguisher }: Flow): readonly number[] {
    const key = `${schema}\0${distinguisher}`;
    let hand = this.#hands.get(key);
    if (hand === undefined) {
      if (this.#hands.size >= maxHands) this.#hands.clear();
      this.#hands.set(key, (hand = dealHand(schema, distinguisher, this.#queuing.queues, this.#queuing.handSize)));
    }
    return hand;
  }

  #enqueue(queued: QueuedRequest, queue: Queue): void {
    if (queue.waiting.size === 0 && queue.executing === 0) {
      queue.nextDispatch = this.#virtualTime;
      this.#activeQueues++;
    }
    queue.waiting.add(queued);
    queue.waitingSeats += queued.seats;
    queue.waitingWork += queued.work;
    this.waiting++;
    this.seatsWaiting += queued.seats;
    this.#bound(queue);
    const { schema } = queued.flow;
    this.#observer.waiting(schema, 1, queued.seats);
    this.#observer.enqueued(schema, queue.waiting.size);
    this.#observeDemand();
  }

  #leaveQueue(queued: QueuedRequest, queue: Queue): void {
    queue.waiting.delete(queued);
    queue.waitingSeats -= queued.seats;
    queue.waitingWork -= queued.work;
    this.waiting--;
    this.seatsWaiting -= queued.seats;
    if (queue.waiting.size === 0 && queue.executing === 0) this.#activeQueues--;
    this.#observer.waiting(queued.flow.schema, -1, -queued.seats);
  }

  #dispatch(): void {
    while (this.waiting > 0 && this.seatsInUse < this.limit) {
      const found = this.#nextRequest();
      if (found === undefined) return;
      const queue = found.queue as Queue;
      this.#leaveQueue(found, queue);
      if (queue.waiting.size === 0 && queue.executing === 0) this.#activeQueues++;
      this.#serve(found);
      queue.executing++;
      queue.seatsInUse += found.seats;
      queue.nextDispatch += found.work;
      this.#bound(queue);
      const { decided } = found;
      found.decided = undefined;
      decided?.(true);
    }
  }

  /**
   * The oldest request of the queue that would be done first in virtual time; undefined: it must wait for more seats. A wide one that waits
   * lets the first of the others pass, as long as that takes nothing that it waits for: upstream has threads, and there it would not wait long.
   */
  #nextRequest(): QueuedRequest | undefined {
    let best: QueuedRequest | undefined;
    let narrow: QueuedRequest | undefined;
    let [finish, narrowFinish] = [Infinity, Infinity];
    const starts = { min: Infinity, max: -Infinity };
    const discounted = { min: Infinity, max: -Infinity };
    const count = this.#queues.length;
    for (let i = 1; i <= count; i++) {
      const queue = this.#queues[(this.#robin + i) % count] as Queue;
      if (queue.waiting.size === 0) continue;
      const oldest = queue.waiting.values().next().value as QueuedRequest;
      widen(starts, queue.nextDispatch);
      widen(discounted, queue.nextDispatch - queue.seatsInUse * estimatedServiceMs);
      const due = queue.nextDispatch + oldest.work;
      if (due < finish) [best, finish] = [oldest, due];
      if (due < narrowFinish && !isWide(oldest)) [narrow, narrowFinish] = [oldest, due];
    }
    if (best === undefined) return undefined;
    const seats = this.#seats;
    if (!seats.mayBeNext(best)) {
      this.#observer.notAccommodated(best.flow.schema);
      if (narrow === undefined || narrow === best || !seats.mayPass(narrow, best)) return undefined;
      best = narrow;
    }
    if (best.finalSeats > this.limit) {
      best.additionalLatencyMs = (best.finalSeats * best.additionalLatencyMs) / this.limit;
      best.finalSeats = this.limit;
    }
    const { index, nextDispatch: start } = best.queue as Queue;
    this.#observer.dispatched({ now: this.#virtualTime, start, starts, discounted });
    this.#robin = index;
    return best;
  }

  #serve(queued: QueuedRequest): void {
    queued.startedAt = this.#lastTime;
    this.#executing.add(queued);
    this.dispatched++;
    this.#seats.take(queued);
    const { schema } = queued.flow;
    this.#observer.executing(schema, 1, this.#lastTime);
    this.#observer.occupied(schema, queued.seats, this.#lastTime);
    this.#observeDemand();
  }

  /** A queue gains nothing from the time before its oldest request came. */
  #bound(queue: Queue): void {
    if (queue.waiting.size === 0) return;
    const { arrival } = queue.waiting.values().next().value as QueuedRequest;
    if (queue.nextDispatch < arrival) queue.nextDispatch = arrival;
  }

  #removeIfUnwanted(queue: Queue): void {
    if (this.#queues.length <= this.#queuing.queues || queue.waiting.size > 0 || queue.executing > 0 || queue.seatsInUse > 0) return;
    // Queues that hands are dealt from stay where they are.
    if (queue.index < this.#queuing.queues) return;
    this.#queues = this.#queues.filter((other) => other !== queue);
    for (const [index, other] of this.#queues.entries()) other.index = index;
    this.#robin %= Math.max(1, this.#queues.length);
  }

  #observeDemand(): void {
    this.#observer.demand(this.seatsInUse + this.seatsWaiting, this.#lastTime);
  }
}

function widen(range: { min: number; max: number }, value: number): void {
  if (value < range.min) range.min = value;
  if (value > range.max) range.max = value;
}
