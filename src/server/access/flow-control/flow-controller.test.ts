import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../../base/clock.ts';
import { silentLogger } from '../../../base/log.ts';
import { MetricsRegistry } from '../../../base/metrics.ts';
import { requestInfo } from '../../request/request-info.ts';
import type { RequestInfo } from '../../request/request-info.ts';
import type { ParsedRequest } from '../../request/stages.ts';
import { allocate } from './concurrency-allocation.ts';
import type { SchemaObject } from './flow-controller.ts';
import { FlowController } from './flow-controller.ts';
import { FlowControlMetrics } from './metrics.ts';
import type { LevelObject } from './priority-level.ts';
import { RetryAfter } from './retry-after.ts';
import { dealHand, dealingProblem } from './shuffle-sharding.ts';

const everything = {
  subjects: [{ kind: 'Group', group: { name: '*' } }],
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
};
const level = (name: string, shares: number, lendablePercent = 0, queues = 8): LevelObject => ({
  name,
  uid: `${name}-uid`,
  spec: {
    type: 'Limited',
    limited: {
      nominalConcurrencyShares: shares,
      lendablePercent,
      limitResponse: { type: 'Queue', queuing: { queues, handSize: 2, queueLengthLimit: 10 } },
    },
  },
});
const schema = (name: string, levelName: string, matchingPrecedence: number, rule: object = everything): SchemaObject => ({
  name,
  uid: `${name}-uid`,
  spec: { priorityLevelConfiguration: { name: levelName }, matchingPrecedence, rules: [rule as typeof everything] },
});

function controller(): { controller: FlowController; clock: ManualClock; endTurn: () => void; loop: { lateMs: number } } {
  const clock = new ManualClock();
  /** how much later than by the clock whatever is due finds the time to be */
  const loop = { lateMs: 0 };
  const atEnd: (() => void)[] = [];
  const mandatoryLevels: LevelObject[] = [
    { name: 'exempt', uid: '', spec: { type: 'Exempt', exempt: {} } },
    {
      name: 'catch-all',
      uid: '',
      spec: { type: 'Limited', limited: { nominalConcurrencyShares: 5, limitResponse: { type: 'Reject' } } },
    },
  ];
  const masters = { ...everything, subjects: [{ kind: 'Group', group: { name: 'system:masters' } }] };
  const made = new FlowController({
    serverSeats: 600,
    mandatoryLevels,
    mandatorySchemas: [schema('exempt', 'exempt', 1, masters), schema('catch-all', 'catch-all', 10_000)],
    metrics: new FlowControlMetrics(new MetricsRegistry()),
    clock,
    log: silentLogger,
    now: () => clock.now() + loop.lateMs,
    worked: () => clock.now() + loop.lateMs,
    atTurnEnd: (run) => atEnd.push(run),
  });
  const endTurn = (): void => {
    for (const run of atEnd.splice(0)) run();
  };
  return { controller: made, clock, endTurn, loop };
}

const info = (path: string, method = 'GET'): RequestInfo => requestInfo(method, path, '') as RequestInfo;
const user = (name: string, ...groups: string[]) => ({ name, uid: '', groups, extra: {} });
const limits = (made: FlowController): Record<string, number> =>
  Object.fromEntries([...made.levels].map(({ object, queues }) => [object.name, queues.limit]));

test('before there are objects, everybody but masters is in the catch-all level, which has all seats', () => {
  const { controller: made } = controller();
  assert.equal(made.classify(info('/api/v1/pods'), user('jo', 'system:authenticated')).name, 'catch-all');
  assert.equal(made.classify(info('/api/v1/pods'), user('root', 'system:masters')).name, 'exempt');
  assert.deepEqual(limits(made), { exempt: 0, 'catch-all': 600 });
});

test('schemas are tried by precedence, then by name; those that name no level are not', () => {
  const { controller: made } = controller();
  made.configure(
    [level('a', 10), level('b', 10)],
    [schema('y', 'b', 50), schema('x', 'a', 50), schema('first', 'nowhere', 2), schema('last', 'b', 60)],
  );
  const found = made.classify(info('/api/v1/pods'), user('jo', 'system:authenticated'));
  assert.deepEqual([found.name, found.uid, found.level.object.uid], ['x', 'x-uid', 'a-uid']);
});

test('levels have seats by their shares, lend what they do not need, and get it back when they do', () => {
  const { controller: made, clock } = controller();
  made.configure([level('a', 10, 50), level('b', 10, 50)], [schema('x', 'a', 50)]);
  const nominal = Math.ceil((600 * 10) / 25);
  assert.equal([...made.levels].find(({ object }) => object.name === 'a')?.nominalLimit, nominal);
  const a = [...made.levels].find(({ object }) => object.name === 'a');
  const one = { initialSeats: 1, finalSeats: 0, additionalLatencyMs: 0 };
  const running = Array.from({ length: 300 }, (_, i) => a?.queues.start({ schema: 'x', distinguisher: `${i}` }, {} as ParsedRequest, one));
  clock.advance(10_000);
  made.adjust();
  const lent = limits(made);
  assert.ok((lent['a'] as number) > nominal, JSON.stringify(lent));
  assert.ok((lent['b'] as number) >= nominal / 2);
  for (const each of running) if (each?.startedAt !== undefined) a?.queues.finish(each);
});

test('a level that is gone serves who is in it, and then goes', () => {
  const { controller: made, endTurn } = controller();
  made.configure([level('a', 10)], [schema('x', 'a', 50)]);
  const { level: a } = made.classify(info('/api/v1/pods'), user('jo'));
  const one = a.queues.start({ schema: 'x', distinguisher: '' }, {} as ParsedRequest, {
    initialSeats: 1,
    finalSeats: 0,
    additionalLatencyMs: 0,
  });
  made.configure([], []);
  assert.ok(a.isQuiescing);
  assert.equal(made.classify(info('/api/v1/pods'), user('jo')).name, 'catch-all');
  assert.ok(one);
  made.served(a, one);
  endTurn();
  assert.deepEqual(Object.keys(limits(made)).toSorted(), ['catch-all', 'exempt']);
});

test('a client that has its answer finds its place in a full queue, in the same turn of the event loop too', () => {
  const { controller: made, endTurn } = controller();
  const { spec, ...a } = level('a', 1);
  const queuing = { queues: 1, handSize: 1, queueLengthLimit: 2 };
  made.configure(
    [{ ...a, spec: { ...spec, limited: { ...spec.limited, limitResponse: { type: 'Queue', queuing } } } } as LevelObject],
    [schema('x', 'a', 50)],
  );
  const { level: full } = made.classify(info('/api/v1/pods'), user('jo'));
  const estimate = { initialSeats: 1, finalSeats: 0, additionalLatencyMs: 0 };
  const ask = (): ReturnType<typeof full.queues.start> =>
    full.queues.start({ schema: 'x', distinguisher: '' }, {} as ParsedRequest, estimate);
  const asked = Array.from({ length: full.queues.limit + 2 }, () => ask());
  assert.ok(asked.every((request) => request !== undefined));
  assert.equal(ask(), undefined);
  made.served(full, asked[0] as NonNullable<(typeof asked)[0]>);
  assert.ok(ask());
  assert.equal(ask(), undefined, 'one answer makes one place');
  endTurn();
  assert.equal(full.queues.waiting, 2);
  assert.equal(ask(), undefined);
});

test('while the event loop is late, levels of the system keep their seats and others hand out fewer', () => {
  const { controller: made, clock, loop } = controller();
  made.configure([level('high', 10), level('low', 10)], [schema('x', 'high', 999), schema('y', 'low', 1000)]);
  const [high, low] = ['high', 'low'].map((name) => [...made.levels].find(({ object }) => object.name === name));
  assert.ok(high && low);
  const fill = (one: typeof high): number => {
    const started = Array.from({ length: 300 }, (_, index) =>
      one.queues.start({ schema: 'x', distinguisher: String(index) }, {} as ParsedRequest, {
        initialSeats: 1,
        finalSeats: 0,
        additionalLatencyMs: 0,
      }),
    );
    const served = started.filter((request) => request?.startedAt !== undefined);
    for (const request of started) if (request?.startedAt === undefined && request !== undefined) one.queues.cancel(request);
    for (const request of served) one.queues.finish(request as NonNullable<typeof request>);
    return served.length;
  };
  const whole = fill(low);
  assert.equal(fill(high), whole);
  assert.equal(whole, low.queues.limit);
  made.begun(low);
  for (let turn = 1; turn <= 20; turn++) {
    loop.lateMs = 200 * turn;
    clock.advance(10);
  }
  assert.equal(fill(high), whole);
  assert.equal(fill(low), Math.ceil(whole / 2));
  for (let turn = 0; turn < 200; turn++) clock.advance(10);
  assert.equal(fill(low), whole);
});

test('a level with a broken spec is ignored', () => {
  const { controller: made } = controller();
  made.configure([{ name: 'broken', uid: '', spec: { type: 'Limited' } }, level('few', 1, 0, 1)], [schema('x', 'broken', 50)]);
  assert.deepEqual(Object.keys(limits(made)).toSorted(), ['catch-all', 'exempt']);
});

const matches: readonly (readonly [rule: object, path: string, who: ReturnType<typeof user>, expected: boolean])[] = [
  [{ subjects: [{ kind: 'User', user: { name: 'jo' } }] }, '/api/v1/pods', user('jo'), true],
  [{ subjects: [{ kind: 'User', user: { name: 'al' } }] }, '/api/v1/pods', user('jo'), false],
  [
    { subjects: [{ kind: 'ServiceAccount', serviceAccount: { namespace: 'n', name: '*' } }] },
    '/api/v1/pods',
    user('system:serviceaccount:n:a'),
    true,
  ],
  [
    { subjects: [{ kind: 'ServiceAccount', serviceAccount: { namespace: 'n', name: 'b' } }] },
    '/api/v1/pods',
    user('system:serviceaccount:n:a'),
    false,
  ],
  [{ resourceRules: [{ verbs: ['list'], apiGroups: [''], resources: ['pods'], namespaces: ['*'] }] }, '/api/v1/pods', user('jo'), false],
  [
    { resourceRules: [{ verbs: ['list'], apiGroups: [''], resources: ['pods'], namespaces: ['n'] }] },
    '/api/v1/namespaces/n/pods',
    user('jo'),
    true,
  ],
  [{ resourceRules: [{ ...everything.resourceRules[0], resources: ['pods/log'] }] }, '/api/v1/namespaces/n/pods/p/log', user('jo'), true],
  [{ resourceRules: [{ ...everything.resourceRules[0], verbs: ['*', 'get'] }] }, '/api/v1/pods', user('jo'), false],
  [{ nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz'] }] }, '/healthz/ping', user('jo'), true],
  [{ nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz/*'] }] }, '/healthz', user('jo'), false],
];
for (const [rule, path, who, expected] of matches) {
  test(`${JSON.stringify(rule)} ${expected ? 'is' : 'is not'} for ${path} of ${who.name}`, () => {
    const { controller: made } = controller();
    made.configure([level('a', 10)], [schema('x', 'a', 50, { ...everything, ...rule })]);
    assert.equal(made.classify(info(path), who).name === 'x', expected);
  });
}

test('allocate() gives everybody the same fraction of what they want, within their bounds', () => {
  const claims = [
    { target: 10, lowerBound: 0, upperBound: 100 },
    { target: 30, lowerBound: 0, upperBound: 100 },
    { target: 60, lowerBound: 50, upperBound: 55 },
  ];
  const { shares = [] } = allocate(115, claims) ?? {};
  assert.deepEqual(
    shares.map((share) => Math.round(share * 1e6) / 1e6),
    [15, 45, 55],
  );
  assert.equal(allocate(10, claims), undefined);
  assert.deepEqual(allocate(50, claims)?.shares, [0, 0, 50]);
});

test('hands are those that upstream deals', () => {
  assert.deepEqual(new Set(dealHand('s', 'u', 128, 6)).size, 6);
  assert.deepEqual(dealHand('s', 'u', 128, 6), dealHand('s', 'u', 128, 6));
  assert.equal(dealingProblem(512, 10), 'required entropy bits of deckSize 512 and handSize 10 is greater than 60');
});

test('who is turned away again and again is asked to stay away longer', () => {
  let now = 0;
  const retry = new RetryAfter(() => now);
  const seconds: number[] = [];
  for (let second = 0; second < 40; second++) {
    now = second * 1000;
    for (let i = 0; i < 200; i++) retry.record();
    seconds.push(retry.seconds);
  }
  assert.deepEqual(seconds.slice(0, 5), [1, 2, 2, 4, 4]);
  assert.equal(seconds.at(-1), 32);
  for (let second = 100; second < 200; second += 40) {
    now = second * 1000;
    retry.record();
  }
  assert.equal(retry.seconds, 29);
});
