import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '../../base/clock.ts';
import { AdmissionServer, admissionServer } from '../../../test/support/admission-server.ts';

const configured = (limits: unknown): { plugins: string[]; configuration: Record<string, unknown> } => ({
  plugins: ['EventRateLimit'],
  configuration: { EventRateLimit: { apiVersion: 'eventratelimit.admission.k8s.io/v1alpha1', kind: 'Configuration', limits } },
});

async function report(
  server: AdmissionServer,
  { namespace = 'ns', dryRun = false, as = '' }: { namespace?: string; dryRun?: boolean; as?: string } = {},
): Promise<string | undefined> {
  const { status, message } = await server.create(
    `/api/v1/namespaces/${namespace}/events${dryRun ? '?dryRun=All' : ''}`,
    {
      metadata: { generateName: 'e' },
      involvedObject: { kind: 'Pod', name: 'a', namespace },
      source: { component: 'c' },
      reason: 'R',
      type: 'Normal',
    },
    { as },
  );
  assert.equal(status, message === undefined ? 201 : 429);
  return message;
}

describe('EventRateLimit, of namespaces', () => {
  const clock = new ManualClock(Date.now());
  const server = admissionServer({ ...configured([{ type: 'Namespace', qps: 2, burst: 2 }]), clock });

  test('a namespace may burst, and then go on at the steady rate', async () => {
    const refused = 'Too many requests: limit reached on type Namespace for key ns';
    assert.deepEqual([await report(server), await report(server), await report(server)], [undefined, undefined, refused]);
    assert.equal(await report(server, { namespace: 'other' }), undefined);
    clock.advance(500);
    assert.deepEqual([await report(server), await report(server)], [undefined, refused]);
  });
});

describe('EventRateLimit, of users', () => {
  const server = admissionServer({ ...configured([{ type: 'User', qps: 1, burst: 1 }]), clock: new ManualClock(Date.now()) });

  test('each user has a rate of its own', async () => {
    for (const user of ['jo', 'al']) await server.allow(user, [{ apiGroups: [''], resources: ['events'], verbs: ['create'] }]);
    assert.deepEqual(
      [await report(server, { as: 'jo' }), await report(server, { as: 'jo' }), await report(server, { as: 'al' })],
      [undefined, 'Too many requests: limit reached on type User for key jo', undefined],
    );
  });
});

describe('EventRateLimit, of the server and of what events are about', () => {
  const limits = [
    { type: 'Server', qps: 1, burst: 1 },
    { type: 'SourceAndObject', qps: 1, burst: 1 },
  ];
  const server = admissionServer({ ...configured(limits), clock: new ManualClock(Date.now()) });

  test('dry runs and other objects do not count', async () => {
    assert.equal(await report(server, { dryRun: true }), undefined);
    assert.equal((await server.create('/api/v1/namespaces/ns/configmaps', { metadata: { name: 'x' } })).status, 201);
    assert.equal(await report(server), undefined);
  });

  test('all limits that are reached are named', async () => {
    assert.equal(
      await report(server),
      'Too many requests: [limit reached on type Server for key , limit reached on type SourceAndObject for key cPodnsa]',
    );
  });
});

describe('EventRateLimit, with a memory for one namespace', () => {
  const limits = [{ type: 'Namespace', qps: 1, burst: 1, cacheSize: 1 }];
  const server = admissionServer({ ...configured(limits), clock: new ManualClock(Date.now()) });

  test('the namespace that was not used for longest is forgotten', async () => {
    for (const namespace of ['a', 'b', 'a']) assert.equal(await report(server, { namespace }), undefined);
  });
});

const faults: readonly (readonly [limits: unknown, message: string])[] = [
  [undefined, 'limits: Invalid value: null: must not be empty'],
  [[], 'limits: Invalid value: []: must not be empty'],
  [
    [{ type: 'Foo', qps: 0, burst: -1, cacheSize: -2 }],
    '[limits[0].type: Unsupported value: "Foo": supported values: "Server", "Namespace", "User", "SourceAndObject", limits[0].burst: Invalid value: -1: must be positive, limits[0].qps: Invalid value: 0: must be positive, limits[0].cacheSize: Invalid value: -2: must not be negative]',
  ],
];
for (const [limits, message] of faults) {
  test(`a server with limits ${JSON.stringify(limits)} of events does not start`, async () => {
    await assert.rejects(new AdmissionServer(configured(limits)).start(), {
      message: `failed to apply admission: couldn't init admission plugin "EventRateLimit": ${message}`,
    });
  });
}
