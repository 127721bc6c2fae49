import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, test } from 'node:test';
import { ManualClock } from '../../base/clock.ts';
import { silentLogger } from '../../base/log.ts';
import { MetricsRegistry } from '../../base/metrics.ts';
import { FlowController } from '../access/flow-control/flow-controller.ts';
import { FlowControlMetrics } from '../access/flow-control/metrics.ts';
import { WatchCounts } from '../access/flow-control/watch-counts.ts';
import { createWorkEstimator } from '../access/flow-control/work-estimate.ts';
import type { StreamBody, Handler, Response } from '../http/response.ts';
import { WritableSink } from '../http/sink.ts';
import { requestInfo } from '../request/request-info.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { AuthenticatedRequest } from '../request/stages.ts';
import { InFlightPeaks } from '../access/flow-control/in-flight-peaks.ts';
import { withMaxInFlight } from './max-in-flight.ts';
import { withPriorityAndFairness } from './priority-and-fairness.ts';
import { UnreadBodies } from './unread-body.ts';

function request(path: string, group = 'system:authenticated', method = 'GET', query = ''): AuthenticatedRequest {
  const abort = new AbortController();
  return {
    method,
    info: requestInfo(method, path, query) as RequestInfo,
    user: { name: 'jo', uid: '', groups: [group], extra: {} },
    query: new URLSearchParams(query),
    rawQuery: query,
    receivedAt: performance.now(),
    deadline: performance.now() + 60_000,
    signal: abort.signal,
    source: { onClose: (gone: () => void) => abort.signal.addEventListener('abort', gone) },
    responseHeaders: {},
    abort: () => abort.abort(),
  } as unknown as AuthenticatedRequest;
}

const subjects = (name: string) => [{ kind: 'Group', group: { name } }];
const all = {
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
};

/** A server with so many seats, where the test completes requests by hand. */
function fair(seats: number, queues = 1): { handler: Handler<AuthenticatedRequest>; answers: (() => void)[]; controller: FlowController } {
  const clock = new ManualClock();
  const limitResponse = queues === 0 ? { type: 'Reject' } : { type: 'Queue', queuing: { queues, handSize: 1, queueLengthLimit: 2 } };
  const controller = new FlowController({
    serverSeats: seats,
    mandatoryLevels: [
      { name: 'exempt', uid: 'pe', spec: { type: 'Exempt', exempt: {} } },
      { name: 'catch-all', uid: 'pc', spec: { type: 'Limited', limited: { nominalConcurrencyShares: 5, limitResponse } } },
    ],
    mandatorySchemas: [
      {
        name: 'exempt',
        uid: 'fe',
        spec: {
          priorityLevelConfiguration: { name: 'exempt' },
          matchingPrecedence: 1,
          rules: [{ ...all, subjects: subjects('system:masters') }],
        },
      },
      {
        name: 'catch-all',
        uid: 'fc',
        spec: { priorityLevelConfiguration: { name: 'catch-all' }, matchingPrecedence: 9, rules: [{ ...all, subjects: subjects('*') }] },
      },
    ],
    metrics: new FlowControlMetrics(new MetricsRegistry()),
    clock,
    log: silentLogger,
  });
  const watches = new WatchCounts();
  const estimate = createWorkEstimator({
    amountOf: () => undefined,
    watchesOf: ({ info }) => watches.interestedIn(info),
    bySize: true,
    watchLists: true,
  });
  const answers: (() => void)[] = [];
  const handler = withPriorityAndFairness({ controller, estimate, watches, clock, waitLimitMs: 15_000 })(
    () => new Promise((resolve) => answers.push(() => resolve({ status: 200, headers: {} }))),
  );
  return { handler, answers, controller };
}

const turnEnd = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
const status = async (answer: ReturnType<Handler>): Promise<number> => (await answer).status;

describe('withPriorityAndFairness()', () => {
  test('names the schema and level of every answer', () => {
    const { handler } = fair(1);
    const asked = request('/api/v1/pods');
    void handler(asked);
    assert.deepEqual(asked.responseHeaders, { 'x-kubernetes-pf-flowschema-uid': 'fc', 'x-kubernetes-pf-prioritylevel-uid': 'pc' });
  });

  test('has requests wait for a seat, and turns those away that find the queue full', async () => {
    const { handler, answers } = fair(1);
    const [first, second, third] = [handler(request('/api/v1/pods')), handler(request('/api/v1/pods')), handler(request('/api/v1/pods'))];
    const fourth = await handler(request('/api/v1/pods'));
    assert.deepEqual(
      [fourth.status, fourth.headers['retry-after'], String(fourth.body)],
      [429, '1', 'Too many requests, please try again later.\n'],
    );
    assert.equal(answers.length, 1);
    for (const [index, answer] of [first, second, third].entries()) {
      answers[index]?.();
      assert.equal(await status(answer), 200);
      await turnEnd();
    }
  });

  test('lets members of system:masters and long-running requests pass', async () => {
    const { handler, answers } = fair(1, 0);
    void handler(request('/api/v1/pods'));
    void handler(request('/api/v1/pods', 'system:masters'));
    void handler(request('/api/v1/namespaces/n/pods/p/exec', undefined, 'POST'));
    assert.equal(answers.length, 3);
    assert.equal(await status(handler(request('/api/v1/pods'))), 429);
  });

  test('begins no more requests in one turn of the event loop than there are seats, even if each is served at once', async () => {
    const { controller } = fair(2);
    let begun = 0;
    const watches = new WatchCounts();
    const estimate = createWorkEstimator({ amountOf: () => undefined, watchesOf: () => 0, bySize: true, watchLists: true });
    const options = { controller, estimate, watches, clock: new ManualClock(), waitLimitMs: 1 };
    const handler = withPriorityAndFairness(options)(() => ({ status: 200 + begun++, headers: {} }));
    const asked = Array.from({ length: 4 }, () => handler(request('/api/v1/pods')));
    assert.equal(begun, 2);
    await turnEnd();
    assert.deepEqual(await Promise.all(asked.map(status)), [200, 201, 202, 203]);
  });

  test('serves exempt requests and other levels while a level has no seats, another has no queues either, and one of their schemas matches nothing', async () => {
    const { handler, answers, controller } = fair(8);
    const limitResponse = { type: 'Queue', queuing: { queues: 1, handSize: 1, queueLengthLimit: 1 } };
    const rules = (name: string): object[] => [{ ...all, subjects: subjects(name) }];
    const leading = (name: string, matchingPrecedence: number, given: object[], level = 'none') => ({
      name,
      uid: name,
      spec: { priorityLevelConfiguration: { name: level }, matchingPrecedence, rules: given as never },
    });
    controller.configure(
      [
        { name: 'none', uid: 'none', spec: { type: 'Limited', limited: { nominalConcurrencyShares: 0, limitResponse } } },
        { name: 'nil', uid: 'nil', spec: { type: 'Limited', limited: { nominalConcurrencyShares: 0, limitResponse: { type: 'Reject' } } } },
      ],
      [
        leading('broken', 2, [{}, { subjects: [{ kind: 'Robot' }], resourceRules: [{}], nonResourceRules: [{}] }]),
        leading('poor', 3, rules('poor')),
        leading('poorest', 3, rules('poorest'), 'nil'),
      ],
    );
    // As upstream: without queues, one that wants more seats than there are is served alone.
    void handler(request('/api/v1/pods', 'poorest'));
    assert.equal(await status(handler(request('/api/v1/pods', 'poorest'))), 429);
    const waiting = request('/api/v1/pods', 'poor');
    const waits = handler(waiting);
    assert.equal(await status(handler(request('/api/v1/pods', 'poor'))), 429);
    void handler(request('/api/v1/pods', 'system:masters'));
    void handler(request('/api/v1/pods'));
    assert.equal(answers.length, 3);
    waiting.abort(undefined);
    assert.equal(await status(waits), 429);
  });

  test('gives the place of a client that has gone to the next', async () => {
    const { handler, answers } = fair(1);
    void handler(request('/api/v1/pods'));
    const gone = request('/api/v1/pods');
    const abandoned = handler(gone);
    gone.abort(undefined);
    assert.equal(await status(abandoned), 429);
    const next = handler(request('/api/v1/pods'));
    answers[0]?.();
    await turnEnd();
    await turnEnd();
    answers[1]?.();
    assert.equal(await status(next), 200);
  });

  test('keeps the seat while a body is sent, and that of a watch until it has begun', async () => {
    const { controller } = fair(4);
    const clock = new ManualClock();
    const watches = new WatchCounts();
    let end = (): void => {};
    const streaming: Response = { status: 200, headers: {}, body: () => new Promise<void>((resolve) => (end = resolve)) };
    const estimate = createWorkEstimator({ amountOf: () => undefined, watchesOf: () => 0, bySize: true, watchLists: true });
    const handler = withPriorityAndFairness({ controller, estimate, watches, clock, waitLimitMs: 1 })(() => streaming);
    const level = [...controller.levels].find(({ object }) => object.name === 'catch-all');
    const list = await handler(request('/api/v1/pods'));
    const sent = (list.body as StreamBody)({} as never);
    assert.equal(level?.queues.seatsInUse, 1);
    end();
    await sent;
    await turnEnd();
    assert.equal(level?.queues.seatsInUse, 0);
    const watch = await handler(request('/api/v1/pods', undefined, 'GET', 'watch=true'));
    const watching = (watch.body as StreamBody)({} as never);
    await turnEnd();
    assert.equal(level?.queues.seatsInUse, 0);
    assert.equal(watches.interestedIn(request('/api/v1/pods').info), 1);
    end();
    await watching;
    assert.equal(watches.interestedIn(request('/api/v1/pods').info), 0);
  });
});

test('a client that goes before its list is sent leaves no seat occupied', async () => {
  const { controller } = fair(4);
  const watches = new WatchCounts();
  const estimate = createWorkEstimator({ amountOf: () => undefined, watchesOf: () => 0, bySize: true, watchLists: true });
  const streaming: Response = { status: 200, headers: {}, body: () => Promise.resolve() };
  const options = { controller, estimate, watches, clock: new ManualClock(), waitLimitMs: 1 };
  const handler = withPriorityAndFairness(options)(() => Promise.resolve(streaming));
  const level = [...controller.levels].find(({ object }) => object.name === 'catch-all');
  const asked = request('/api/v1/pods');
  await handler(asked);
  assert.equal(level?.queues.seatsInUse, 1);
  asked.abort(undefined);
  await turnEnd();
  assert.equal(level?.queues.seatsInUse, 0);
  const late = request('/api/v1/pods');
  late.abort(undefined);
  await handler(late);
  await handler(request('/api/v1/pods', undefined, 'HEAD'));
  await turnEnd();
  assert.equal(level?.queues.seatsInUse, 0);
});

test('a list that its client does not read gives its seat back, and goes on when it is read', async () => {
  const { controller } = fair(4);
  const clock = new ManualClock();
  const estimate = createWorkEstimator({ amountOf: () => undefined, watchesOf: () => 0, bySize: true, watchLists: true });
  let sent = 0;
  const body: StreamBody = async (sink) => {
    for (; sent < 3; sent++) if (!sink.write(Buffer.from('part'))) await sink.drained();
  };
  const options = { controller, estimate, watches: new WatchCounts(), clock, waitLimitMs: 1 };
  const handler = withPriorityAndFairness(options)(() => ({ status: 200, headers: {}, body }));
  const seats = (): number | undefined => [...controller.levels].find(({ object }) => object.name === 'catch-all')?.queues.seatsInUse;
  const unread = new PassThrough({ highWaterMark: 1 });
  const response = await handler(request('/api/v1/pods'));
  const sending = (response.body as StreamBody)(new WritableSink(unread));
  await turnEnd();
  clock.advance(999);
  await turnEnd();
  assert.equal(seats(), 1);
  clock.advance(1);
  await turnEnd();
  assert.equal(seats(), 0);
  unread.resume();
  await sending;
  await turnEnd();
  assert.deepEqual([sent, seats(), clock.timers], [3, 0, 0]);
});

test('of more lists than may wait so for their clients the rest keep their seats', async () => {
  const clock = new ManualClock();
  const bodies = new UnreadBodies(clock);
  const body: StreamBody = (sink) => (sink.write(Buffer.from('part')) ? Promise.resolve() : sink.drained());
  let left = 0;
  const streams = Array.from({ length: 300 }, () => new PassThrough({ highWaterMark: 1 }));
  const sending = streams.map((stream) => bodies.send(body, new WritableSink(stream), () => left++));
  clock.advance(1000);
  assert.deepEqual([bodies.count, left], [256, 256]);
  for (const stream of streams) stream.destroy();
  await Promise.all(sending);
  assert.deepEqual([bodies.count, left], [0, 256 + 300]);
});

test('withMaxInFlight() counts reads and writes apart and turns away all but system:masters', async () => {
  const answers: (() => void)[] = [];
  const handler = withMaxInFlight(
    { reads: 1, writes: 0 },
    new InFlightPeaks(new MetricsRegistry()),
  )(() => new Promise((resolve) => answers.push(() => resolve({ status: 200, headers: {} }))));
  const first = handler(request('/api/v1/pods'));
  assert.equal(await status(handler(request('/api/v1/pods'))), 429);
  void handler(request('/api/v1/pods', 'system:masters'));
  void handler(request('/api/v1/namespaces/n/pods', undefined, 'POST'));
  assert.equal(answers.length, 3);
  answers[0]?.();
  assert.equal(await status(first), 200);
  void handler(request('/api/v1/pods'));
  assert.equal(answers.length, 4);
});
