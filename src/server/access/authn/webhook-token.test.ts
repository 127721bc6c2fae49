import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { systemClock } from '../../../base/clock.ts';
import { MetricsRegistry } from '../../../base/metrics.ts';
import type { ObjectReader } from '../../registry/object-reader.ts';
import { ReviewClient } from '../../webhook/review-client.ts';
import { testRemote } from '../../../../test/support/webhook-remote.ts';
import { tokenCacheFamilies, tokenCacheMetrics } from './token-cache-metrics.ts';
import { cachedTokenAuthenticator } from './token-cache.ts';
import { tokenReviewVersion, webhookTokenAuthenticator } from './webhook-token.ts';

interface Review {
  readonly apiVersion: string;
  readonly spec: { readonly token: string; readonly audiences?: readonly string[] };
}

const apiVersion = tokenReviewVersion('v1');
const kind = 'TokenReview';
const reader = {} as ObjectReader;
const options = { apiVersion, kind, initialPauseMs: 1 };
const fail =
  (code: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    response.writeHead(code, headers).end('no');

test('webhookTokenAuthenticator() takes the user from the answer, and the audiences that were asked for', async () => {
  await using remote = await testRemote(({ spec }: Review) => ({
    apiVersion,
    kind,
    status: { authenticated: true, user: { username: spec.token, groups: ['g'], extra: { k: ['v'] } }, audiences: ['a', 'c'] },
  }));
  using client = new ReviewClient({ ...options, server: remote }, systemClock);
  const authenticate = webhookTokenAuthenticator(client, ['implicit']);
  const user = { name: 'jane', uid: '', groups: ['g'], extra: { k: ['v'] } };
  assert.deepEqual(await authenticate('jane', ['b', 'a'], reader), { user, audiences: ['a'] });
  assert.deepEqual(await authenticate('jane', undefined, reader), { user, audiences: undefined });
  assert.equal(await authenticate('jane', ['b'], reader), undefined);
  assert.deepEqual((remote.received[0] as Review).spec, { token: 'jane', audiences: ['b', 'a'] });
});

test('webhookTokenAuthenticator() throws what the answer states as error, and otherwise knows nobody', async () => {
  await using remote = await testRemote(({ spec }: Review) => ({ status: spec.token === 'stale' ? { error: 'too old' } : {} }));
  using client = new ReviewClient({ ...options, server: remote }, systemClock);
  const authenticate = webhookTokenAuthenticator(client, []);
  await assert.rejects(async () => authenticate('stale', undefined, reader), { message: 'too old' });
  assert.equal(await authenticate('other', undefined, reader), undefined);
});

test('ReviewClient asks again where a failure may pass, five times, and not where it stays', async () => {
  const cases: readonly (readonly [code: number, calls: number])[] = [
    [500, 5],
    [429, 5],
    [504, 5],
    [403, 1],
    [503, 1],
  ];
  for (const [code, calls] of cases) {
    await using remote = await testRemote(() => fail(code));
    using client = new ReviewClient({ ...options, server: remote }, systemClock);
    await assert.rejects(client.review({}, {}));
    assert.equal(remote.received.length, calls, String(code));
  }
});

test('ReviewClient refuses an answer of another kind or version', async () => {
  const cases: readonly (readonly [object, string])[] = [
    [{ kind: 'Pod', apiVersion: 'v1' }, 'converting (v1.Pod) to (v1.TokenReview): unknown conversion'],
    [{ kind, apiVersion: 'authentication.k8s.io/v1beta1' }, 'converting (v1beta1.TokenReview) to (v1.TokenReview): unknown conversion'],
    [[], "couldn't get version/kind; json parse error: not an object"],
  ];
  for (const [answer, message] of cases) {
    await using remote = await testRemote(() => answer);
    using client = new ReviewClient({ ...options, server: remote }, systemClock);
    await assert.rejects(client.review({}, {}), { message });
  }
});

test('tokenReviewVersion() knows two versions', () => {
  assert.equal(tokenReviewVersion('v1beta1'), 'authentication.k8s.io/v1beta1');
  assert.throws(() => tokenReviewVersion('v2'), {
    message: 'unsupported authentication webhook version "v2", supported versions are "v1", "v1beta1"',
  });
});

test('cachedTokenAuthenticator() asks once for those who ask together, keeps what it is told to, and no failure', async () => {
  let now = 0;
  let calls = 0;
  const clock = { ...systemClock, elapsed: () => now };
  const holder = { user: { name: 'a', uid: '', groups: [], extra: {} }, audiences: undefined };
  const authenticate = cachedTokenAuthenticator(
    async (token) => {
      calls++;
      await Promise.resolve();
      if (token === 'bad') throw new Error('bad');
      return token === 'good' ? holder : undefined;
    },
    { clock, successTtlMs: 100, unknownTtlMs: 50 },
  );
  const callsFor = async (token: string): Promise<number> => {
    calls = 0;
    await Promise.resolve(authenticate(token, undefined, reader)).catch(() => undefined);
    return calls;
  };
  await Promise.all([authenticate('good', undefined, reader), authenticate('good', undefined, reader)]);
  assert.equal(calls, 1);
  assert.equal(await callsFor('good'), 0);
  assert.equal(await callsFor('unknown'), 1);
  assert.equal(await callsFor('unknown'), 0);
  now = 60;
  assert.equal(await callsFor('good'), 0);
  assert.equal(await callsFor('unknown'), 1);
  now = 120;
  assert.equal(await callsFor('good'), 1);
  assert.equal(await callsFor('bad'), 1);
  assert.equal(await callsFor('bad'), 1);
});

test('cachedTokenAuthenticator() counts lookups, those that wait, and questions by how they end', async () => {
  const registry = new MetricsRegistry();
  const { requests, seconds, fetches, active } = tokenCacheFamilies(registry);
  const asked = Promise.withResolvers<void>();
  const authenticate = cachedTokenAuthenticator(
    async (token) => {
      await asked.promise;
      if (token === 'bad') throw new Error('bad');
      return { user: { name: 'a', uid: '', groups: [], extra: {} }, audiences: undefined };
    },
    { clock: systemClock, successTtlMs: 60_000, unknownTtlMs: 0, metrics: tokenCacheMetrics(registry) },
  );
  const answers = ['good', 'good', 'bad'].map((token) => authenticate(token, undefined, reader));
  assert.deepEqual([active.with('in_flight').value, active.with('blocked').value], [2, 3]);
  asked.resolve();
  await Promise.allSettled(answers);
  await authenticate('good', undefined, reader);
  assert.deepEqual([active.with('in_flight').value, active.with('blocked').value], [0, 0]);
  assert.deepEqual([requests.with('miss').value, requests.with('hit').value], [3, 1]);
  assert.deepEqual([seconds.with('miss').total, seconds.with('hit').total], [3, 1]);
  assert.deepEqual([fetches.with('ok').value, fetches.with('error').value], [1, 1]);
});
