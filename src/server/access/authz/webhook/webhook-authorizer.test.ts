import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { systemClock } from '../../../../base/clock.ts';
import { MetricsRegistry } from '../../../../base/metrics.ts';
import { FieldPath } from '../../../../machinery/field.ts';
import type { RemoteServer } from '../../../webhook/kubeconfig.ts';
import { ReviewClient } from '../../../webhook/review-client.ts';
import { testRemote } from '../../../../../test/support/webhook-remote.ts';
import type { Attributes } from '../../../request/authorizer.ts';
import { accessReviewSpec } from './access-review.ts';
import { WebhookMatchConditions } from './match-conditions.ts';
import type { WebhookAuthorizerOptions } from './webhook-authorizer.ts';
import { WebhookAuthorizer, accessReviewVersion } from './webhook-authorizer.ts';
import { WebhookAuthorizerMetrics, webhookAuthorizerFamilies } from './webhook-metrics.ts';

const kind = 'SubjectAccessReview';
const path = FieldPath.root('webhook');
const user = { name: 'jane', uid: 'u', groups: ['g'], extra: { k: ['v'] } };
const question: Attributes = {
  user,
  verb: 'list',
  isResource: true,
  path: '/api/v1/namespaces/n/pods',
  group: '',
  version: 'v1',
  namespace: 'n',
  resource: 'pods',
  subresource: '',
  name: '',
};

function authorizerOf(
  server: RemoteServer,
  options: Partial<WebhookAuthorizerOptions> & { readonly expressions?: readonly string[]; readonly timeoutMs?: number } = {},
) {
  const apiVersion = options.apiVersion ?? accessReviewVersion('v1');
  const onAttempt = (seconds: number, failure: unknown): void => options.metrics?.attempted(seconds, failure, client.isClosed);
  const timeoutMs = options.timeoutMs ?? 30_000;
  const client: ReviewClient = new ReviewClient({ server, apiVersion, kind, initialPauseMs: 1, timeoutMs, onAttempt }, systemClock);
  const { conditions, errors } = WebhookMatchConditions.compile(options.expressions ?? [], path);
  assert.deepEqual(errors.map(String), []);
  const ttl = { authorizedTtlMs: 100, unauthorizedTtlMs: 0 };
  const authorizer = new WebhookAuthorizer({
    client,
    apiVersion,
    conditions,
    clock: systemClock,
    decisionOnError: 'no-opinion',
    ...ttl,
    ...options,
  });
  return { authorizer, [Symbol.dispose]: () => client[Symbol.dispose]() };
}

test('WebhookAuthorizer decides as the answer says', async () => {
  const cases: readonly (readonly [status: object, decision: object])[] = [
    [
      { allowed: true, reason: 'yes' },
      { decision: 'allow', reason: 'yes' },
    ],
    [
      { allowed: false, denied: true, reason: 'never' },
      { decision: 'deny', reason: 'never' },
    ],
    [{ allowed: false }, { decision: 'no-opinion', reason: '' }],
    [
      { allowed: true, denied: true },
      { decision: 'deny', reason: '', error: 'webhook subject access review returned both allow and deny response' },
    ],
  ];
  for (const [status, decision] of cases) {
    await using remote = await testRemote(() => ({ status }));
    using made = authorizerOf(remote);
    assert.deepEqual(await made.authorizer.authorize(question), decision);
  }
});

test('WebhookAuthorizer keeps answers for as long as it is told', async () => {
  let now = 0;
  await using remote = await testRemote(({ spec }: { spec: { user: string } }) => ({ status: { allowed: spec.user === 'jane' } }));
  using made = authorizerOf(remote, { clock: { ...systemClock, elapsed: () => now } });
  const ask = async (name: string): Promise<number> => {
    await made.authorizer.authorize({ ...question, user: { ...user, name } });
    return remote.received.length;
  };
  assert.deepEqual([await ask('jane'), await ask('jane'), await ask('joe'), await ask('joe')], [1, 1, 2, 3]);
  now = 100;
  assert.equal(await ask('jane'), 4);
});

test('WebhookAuthorizer does what its policy says when the server fails', async () => {
  await using remote = await testRemote(() => (response: ServerResponse) => response.writeHead(403).end('no'));
  for (const decisionOnError of ['deny', 'no-opinion'] as const) {
    using made = authorizerOf(remote, { decisionOnError });
    assert.deepEqual(await made.authorizer.authorize(question), { decision: decisionOnError, reason: '', error: 'no' });
  }
});

test('WebhookAuthorizer calls the older version with its own name for groups', async () => {
  await using remote = await testRemote(() => ({}));
  using made = authorizerOf(remote, { apiVersion: accessReviewVersion('v1beta1') });
  await made.authorizer.authorize(question);
  assert.deepEqual(remote.received[0], {
    kind,
    apiVersion: 'authorization.k8s.io/v1beta1',
    metadata: {},
    spec: {
      resourceAttributes: { namespace: 'n', verb: 'list', version: 'v1', resource: 'pods' },
      user: 'jane',
      group: ['g'],
      extra: { k: ['v'] },
      uid: 'u',
    },
    status: { allowed: false },
  });
});

test('WebhookAuthorizer asks only where all conditions match; one that fails counts unless another is false', async () => {
  const failing = "request.extra['x'][0] == 'y'";
  const error = `cel evaluation error: expression '${failing}' resulted in error: no such key: x`;
  const cases: readonly (readonly [expressions: readonly string[], decision: object, calls: number])[] = [
    [["request.resourceAttributes.namespace == 'n'", "'g' in request.groups"], { decision: 'allow', reason: '' }, 1],
    [['has(request.nonResourceAttributes)'], { decision: 'no-opinion', reason: '' }, 0],
    [[failing], { decision: 'deny', reason: '', error }, 0],
    [[failing, "request.user != 'jane'"], { decision: 'no-opinion', reason: '' }, 0],
    [["request.resourceAttributes.subresource == ''"], { decision: 'allow', reason: '' }, 1],
  ];
  for (const [expressions, decision, calls] of cases) {
    await using remote = await testRemote(() => ({ status: { allowed: true } }));
    using made = authorizerOf(remote, { expressions, decisionOnError: 'deny' });
    assert.deepEqual(await made.authorizer.authorize(question), decision);
    assert.equal(remote.received.length, calls);
  }
});

test('WebhookMatchConditions tells what cannot be a condition', () => {
  const { errors } = WebhookMatchConditions.compile([' ', "'a'", "'a'"], path);
  assert.deepEqual(errors.map(String), [
    'webhook.matchConditions[0].expression: Required value',
    `webhook.matchConditions[1].expression: Invalid value: "'a'": must evaluate to bool but got string`,
    `webhook.matchConditions[2].expression: Duplicate value: "'a'"`,
  ]);
  const many = WebhookMatchConditions.compile(
    Array.from({ length: 65 }, (_, i) => `${i} > 0`),
    path,
  );
  assert.deepEqual(many.errors.map(String), ['webhook.matchConditions: Too many: 65: must have at most 64 items']);
});

test('accessReviewSpec() passes selectors on, without what reviews cannot say', () => {
  const spec = accessReviewSpec({ ...question, fieldSelector: 'metadata.name=x,a!=b', labelSelector: 'a=b,c in (y,x),!d,e,f>3' });
  assert.deepEqual(spec.resourceAttributes?.fieldSelector?.requirements, [
    { key: 'a', operator: 'NotIn', values: ['b'] },
    { key: 'metadata.name', operator: 'In', values: ['x'] },
  ]);
  assert.deepEqual(
    spec.resourceAttributes?.labelSelector?.requirements?.map(({ key, operator }) => `${key} ${operator}`),
    ['a In', 'c In', 'd DoesNotExist', 'e Exists'],
  );
  assert.equal(accessReviewSpec({ ...question, labelSelector: 'a in (' }).resourceAttributes?.labelSelector, undefined);
});

test('WebhookAuthorizer counts tries by their end, requests that went on without it, and what conditions said', async () => {
  const registry = new MetricsRegistry();
  const { evaluations, seconds, failOpen, ...conditions } = webhookAuthorizerFamilies(registry);
  const metrics = new WebhookAuthorizerMetrics(registry, 'w');
  let code = 200;
  await using remote = await testRemote(() =>
    code === 200 ? { status: { allowed: true } } : (response: ServerResponse) => void (code > 0 && response.writeHead(code).end('no')),
  );
  using made = authorizerOf(remote, {
    metrics,
    authorizedTtlMs: 0,
    expressions: ["request.extra['k'][0] != 'x'", "request.user != 'joe'"],
  });
  await made.authorizer.authorize(question);
  await made.authorizer.authorize({ ...question, user: { ...user, name: 'joe' } });
  await made.authorizer.authorize({ ...question, user: { ...user, extra: {} } });
  code = 500;
  await made.authorizer.authorize(question);
  code = 0;
  using impatient = authorizerOf(remote, { metrics, timeoutMs: 20 });
  await impatient.authorizer.authorize(question);
  const results = ['success', 'error', 'timeout'];
  assert.deepEqual(
    results.map((result) => [evaluations.with('w', result).value, seconds.with('w', result).total, failOpen.with('w', result).value]),
    [
      [1, 1, 0],
      [5, 5, 1],
      [1, 1, 1],
    ],
  );
  assert.equal(conditions.conditionSeconds.with('Webhook', 'w').total, 4);
  assert.equal(conditions.conditionExclusions.with('Webhook', 'w').value, 1);
  assert.equal(conditions.conditionErrors.with('Webhook', 'w').value, 1);
});
