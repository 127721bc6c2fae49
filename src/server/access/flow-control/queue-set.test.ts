import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '../../../base/clock.ts';
import type { ParsedRequest } from '../../request/stages.ts';
import type { QueueSetObserver, QueuedRequest, Queuing } from './queue-set.ts';
import { QueueSet } from './queue-set.ts';

const silent: QueueSetObserver = {
  rejected() {},
  waiting() {},
  executing() {},
  occupied() {},
  demand() {},
  enqueued() {},
  notAccommodated() {},
  dispatched() {},
};
const request = {} as ParsedRequest;
const seats = (initialSeats: number, finalSeats = 0, additionalLatencyMs = 0) => ({ initialSeats, finalSeats, additionalLatencyMs });

function queueSet(limit: number, queuing: Queuing, isExempt = false): { set: QueueSet; clock: ManualClock } {
  const clock = new ManualClock();
  return { clock, set: new QueueSet({ now: () => clock.now(), clock, observer: silent, isExempt, queuing, limit }) };
}

const start = (set: QueueSet, distinguisher: string, estimate = seats(1)): QueuedRequest | undefined =>
  set.start({ schema: 's', distinguisher }, request, estimate);

describe('QueueSet', () => {
  test('without queues, requests beyond the limit are turned away', () => {
    const { set } = queueSet(2, { queues: 0, handSize: 0, queueLengthLimit: 0 });
    const first = start(set, 'a');
    assert.ok(first);
    assert.ok(start(set, 'a'));
    assert.equal(start(set, 'a'), undefined);
    set.finish(first);
    assert.ok(start(set, 'a'));
    assert.deepEqual([set.executing, set.rejected], [2, 1]);
  });

  test('exempt requests are served whatever the limit', () => {
    const { set } = queueSet(0, { queues: 0, handSize: 0, queueLengthLimit: 0 }, true);
    for (let i = 0; i < 100; i++) assert.ok(start(set, 'a')?.startedAt !== undefined);
  });

  test('lists that wait are turned away when their queue is full, though seats are left for others', () => {
    const { set } = queueSet(20, { queues: 1, handSize: 1, queueLengthLimit: 2 });
    const lists = Array.from({ length: 6 }, () => start(set, 'a', seats(8)));
    assert.equal(set.executing, 1);
    assert.equal(lists.filter((one) => one === undefined).length, 3);
    assert.ok(set.seatsInUse < set.limit);
  });

  test('requests wait in queues, and are turned away when those are full', () => {
    const { set } = queueSet(1, { queues: 1, handSize: 1, queueLengthLimit: 2 });
    const served = start(set, 'a') as QueuedRequest;
    const waiting = [start(set, 'a'), start(set, 'a')];
    assert.ok(waiting.every((one) => one !== undefined && one.startedAt === undefined));
    assert.equal(start(set, 'a'), undefined);
    const decisions: boolean[] = [];
    for (const one of waiting) (one as QueuedRequest).decided = (execute) => decisions.push(execute);
    set.finish(served);
    assert.deepEqual(decisions, [true]);
    set.cancel(waiting[1] as QueuedRequest);
    assert.deepEqual(decisions, [true, false]);
    set.finish(waiting[0] as QueuedRequest);
    assert.ok(set.isIdle);
    assert.deepEqual([set.seatsInUse, set.seatsWaiting, set.waiting], [0, 0, 0]);
  });

  test('a request that wants more seats than there are is served alone', () => {
    const { set } = queueSet(4, { queues: 8, handSize: 2, queueLengthLimit: 10 });
    const large = start(set, 'large', seats(10)) as QueuedRequest;
    assert.ok(large.startedAt !== undefined);
    const small = start(set, 'small') as QueuedRequest;
    assert.equal(small.startedAt, undefined);
    set.finish(large);
    assert.ok(small.startedAt !== undefined);
  });

  test('seats for watches that a write wakes are released later', () => {
    const { set, clock } = queueSet(4, { queues: 8, handSize: 2, queueLengthLimit: 10 });
    set.finish(start(set, 'a', seats(1, 3, 20)) as QueuedRequest);
    assert.equal(set.seatsInUse, 3);
    clock.advance(20);
    assert.equal(set.seatsInUse, 0);
  });

  test('flows get equal shares, however many requests each has waiting', () => {
    const { set, clock } = queueSet(4, { queues: 64, handSize: 1, queueLengthLimit: 300 });
    const served = new Map<string, number>();
    const serve = (one: QueuedRequest): void => {
      const { distinguisher } = one.flow;
      served.set(distinguisher, (served.get(distinguisher) ?? 0) + 1);
      clock.setTimeout(() => {
        set.finish(one);
        ask(distinguisher);
      }, 5);
    };
    const ask = (flow: string): void => {
      const one = start(set, flow);
      if (one === undefined) return;
      if (one.startedAt !== undefined) serve(one);
      else one.decided = () => serve(one);
    };
    for (const [flow, clients] of Object.entries({ a: 20, b: 50, c: 200 })) for (let i = 0; i < clients; i++) ask(flow);
    clock.advance(10_000);
    const counts = [...served.values()];
    const mean = counts.reduce((a, b) => a + b) / counts.length;
    for (const count of counts) assert.ok(Math.abs(count - mean) / mean < 0.1, `${counts.join(' ')}`);
  });

  test('fewer queues: those in use stay until they are empty', () => {
    const { set } = queueSet(100, { queues: 32, handSize: 4, queueLengthLimit: 10 });
    const running = Array.from({ length: 50 }, (_, i) => start(set, `f${i}`) as QueuedRequest);
    set.configure({ queues: 2, handSize: 1, queueLengthLimit: 10 }, 100);
    for (let i = 0; i < 20; i++) running.push(start(set, `g${i}`) as QueuedRequest);
    for (const one of running) set.finish(one);
    assert.ok(set.isIdle);
    assert.equal(set.seatsInUse, 0);
  });
});
