import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AdmissionServer } from '../../../test/support/admission-server.ts';
import { turnsOf } from '../../../test/support/turns.ts';

const namespace = '/api/v1/namespaces/default';
const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };

test('a pod among many quotas lets others through while they are looked at, and every one of them counts', async (context) => {
  await using server = await new AdmissionServer({ plugins: ['ResourceQuota'] }).start();
  for (let index = 0; index < 60; index++) {
    const [name, hard] = [`q${index}`, { pods: index === 59 ? '1' : '5', 'count/secrets': '5' }];
    await server.given(`${namespace}/resourcequotas`, { metadata: { name }, spec: { hard } });
    await server.patch(`${namespace}/resourcequotas/${name}/status`, { status: { hard, used: { pods: '0', 'count/secrets': '0' } } });
  }
  const { result, turns } = await turnsOf(context, () => server.tryCreate(`${namespace}/pods`, pod));
  assert.equal(result.status, 201);
  // Each is read, compared and charged.
  assert.ok(turns > 180, `${turns} turns of the event loop for 60 quotas`);
  await server.given(`${namespace}/pods`, pod);
  const { message } = await server.create(`${namespace}/pods`, { ...pod, metadata: { name: 'second' } });
  assert.equal(message, 'pods "second" is forbidden: exceeded quota: q59, requested: pods=1, used: pods=1, limited: pods=1');
});

test('a container that does not say what quotas ask for is named, and what was counted before is not counted again', async () => {
  await using server = await new AdmissionServer({ plugins: ['ResourceQuota'] }).start();
  for (const [name, hard] of [
    ['a', { 'requests.cpu': '3' }],
    ['b', { 'requests.cpu': '3', 'limits.memory': '1Gi' }],
  ] as const) {
    await server.given(`${namespace}/resourcequotas`, { metadata: { name }, spec: { hard } });
    const used = Object.fromEntries(Object.keys(hard).map((resource) => [resource, '0']));
    await server.patch(`${namespace}/resourcequotas/${name}/status`, { status: { hard, used } });
  }
  const container = (name: string, cpu: string, limits?: object): object => ({
    name,
    image: 'i',
    resources: { requests: { cpu }, ...(limits && { limits }) },
  });
  const limits = { memory: '1Mi' };
  const of = (...containers: object[]): object => ({ metadata: { name: 'p' }, spec: { containers } });
  const refused = await server.create(`${namespace}/pods`, of(container('x', '1', limits), container('z', '1'), container('y', '1')));
  assert.equal(refused.message, 'pods "p" is forbidden: failed quota: b: must specify limits.memory for: y,z');
  await server.given(`${namespace}/pods`, of(container('x', '2', limits)));
  const resized = await server.patch(`${namespace}/pods/p/resize`, {
    spec: { containers: [{ name: 'x', resources: { requests: { cpu: '3' }, limits } }] },
  });
  assert.equal(resized.message, undefined);
  const beyond = await server.patch(`${namespace}/pods/p/resize`, {
    spec: { containers: [{ name: 'x', resources: { requests: { cpu: '4' }, limits } }] },
  });
  assert.match(beyond.message ?? '', /exceeded quota: a, requested: requests.cpu=1, used: requests.cpu=3, limited: requests.cpu=3$/);
});
