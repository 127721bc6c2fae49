import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MetricsRegistry } from '../../base/metrics.ts';
import { ApiError } from '../../machinery/errors.ts';
import { RequestMetrics } from '../filters/request-metrics.ts';
import type { RequestPlace } from '../http/request.ts';
import type { Response } from '../http/response.ts';
import type { RequestInfo } from '../request/request-info.ts';
import { requestInfo } from '../request/request-info.ts';
import type { ParsedRequest } from '../request/stages.ts';
import { InFlight, isLongRunning } from './in-flight.ts';

function request(path: string, query = ''): ParsedRequest {
  const parameters = new URLSearchParams(query);
  const info = requestInfo('GET', path, query);
  const fake = {
    path,
    info,
    rawQuery: query,
    query: parameters,
    receivedAt: performance.now(),
    abort: () => {},
    header: () => undefined,
    responseHeaders: {},
    forgetWarnings: () => {},
  };
  return fake as unknown as ParsedRequest;
}

const ok: Response = { status: 200, headers: {} };

const inFlightFor = (timeoutMs: number, places: string[] = []): InFlight =>
  new InFlight({ timeoutMs, refusesWatch: () => false, timedOut: (_, place) => places.push(place) });

test('drain() waits for what is under way and refuses what comes after', async () => {
  const inFlight = inFlightFor(60_000);
  const { promise, resolve } = Promise.withResolvers<Response>();
  const handler = inFlight.filter()(() => promise);
  const answer = handler(request('/api/v1/pods'));
  assert.equal(inFlight.count, 1);
  const drained = inFlight.drain();
  assert.throws(
    () => handler(request('/api/v1/pods')),
    (error) => error instanceof ApiError && error.status.code === 503 && error.status.details?.retryAfterSeconds === 1,
  );
  assert.equal(handler(request('/readyz')), promise, 'whoever watches over the server is served to the end');
  resolve(ok);
  assert.equal(await answer, ok);
  await drained;
  assert.equal(inFlight.count, 0);
});

const never = (): Promise<Response> => new Promise<Response>(() => {});

test('a request that takes too long is answered with 504, without what its handler had to say', async () => {
  const inFlight = inFlightFor(10);
  const slow = request('/api/v1/pods');
  slow.responseHeaders['audit-id'] = 'a';
  const handler = inFlight.filter()(() => {
    slow.responseHeaders['x-kubernetes-pf-flowschema-uid'] = 'b';
    return never();
  });
  assert.deepEqual(await handler(slow), {
    status: 504,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: Buffer.from(
      '{"metadata":{},"status":"Failure","message":"Timeout: request did not complete within the allotted timeout","reason":"Timeout","details":{},"code":504}\n',
    ),
  });
  assert.deepEqual(slow.responseHeaders, { 'audit-id': 'a' });
  assert.equal(inFlight.count, 0);
});

test('a client may want an answer sooner', async () => {
  const inFlight = inFlightFor(60_000);
  assert.equal((await inFlight.filter()(never)(request('/api/v1/pods', 'timeout=10ms'))).status, 504);
});

test('an early deadline does not wait for a later one, and tells where its request was', async () => {
  const places: string[] = [];
  const inFlight = inFlightFor(60_000, places);
  const handler = inFlight.filter()(never);
  const ask = (timeout: string, place: RequestPlace): Promise<Response> => {
    const asked = request('/api/v1/pods', `timeout=${timeout}`);
    asked.place = place;
    return handler(asked) as Promise<Response>;
  };
  void ask('60s', 'storage');
  assert.equal((await ask('5.5ms', 'admission')).status, 504);
  assert.deepEqual(places, ['admission']);
  void ask('50s', 'handling');
  assert.equal((await ask('1ms', 'waiting')).status, 504);
  assert.deepEqual(places, ['admission', 'waiting']);
  assert.equal(inFlight.count, 2);
});

test('a timeout that is no duration is refused', () => {
  assert.throws(() => inFlightFor(60_000).filter()(() => ok)(request('/api/v1/pods', 'timeout=soon')), {
    message: 'invalid timeout specified in the request URL - time: invalid duration "soon"',
  });
});

const kinds: readonly (readonly [path: string, query: string, longRunning: boolean])[] = [
  ['/api/v1/pods', '', false],
  ['/api/v1/pods', 'watch=1', true],
  ['/api/v1/watch/pods', '', true],
  ['/api/v1/namespaces/n/pods/p/log', '', true],
  ['/api/v1/namespaces/n/pods/p/status', '', false],
  ['/healthz', '', false],
];

for (const [path, query, expected] of kinds) {
  test(`${path}?${query} is ${expected ? '' : 'not '}long-running`, () => {
    assert.equal(isLongRunning(requestInfo('GET', path, query) as RequestInfo), expected);
  });
}

test('what becomes of work on a request that has timed out is counted, once it is over', async () => {
  const metrics = new RequestMetrics(new MetricsRegistry());
  const endedLate = (late: ParsedRequest, failed: boolean): void => metrics.endedLate(late, failed);
  const inFlight = new InFlight({ timeoutMs: 10, refusesWatch: () => false, timedOut: () => {}, endedLate });
  const works = [Promise.withResolvers<Response>(), Promise.withResolvers<Response>(), Promise.withResolvers<Response>()];
  const answers = works.map(({ promise }, i) => {
    const late = request('/api/v1/namespaces/n/pods');
    return inFlight.filter()(() => promise)(i === 0 ? late : Object.assign(late, { info: { ...late.info, verb: 'create' } }));
  });
  for (const answer of answers) assert.equal((await answer).status, 504);
  const { postTimeout } = metrics.families;
  assert.equal(postTimeout.with('timeout-handler', 'ok').value, 0);
  works[0]?.resolve(ok);
  works[1]?.resolve(ok);
  works[2]?.reject(new Error('too late'));
  await new Promise(setImmediate);
  assert.equal(postTimeout.with('timeout-handler', 'ok').value, 3);
  assert.deepEqual([postTimeout.with('rest-handler', 'ok').value, postTimeout.with('rest-handler', 'error').value], [1, 1]);
});
