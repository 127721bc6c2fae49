import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Kind, KubeClient } from '../../index.ts';
import type { TestServer } from '../../testing/index.ts';
import { ManualClock, startTestServer } from '../../testing/index.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { surplus } from './controller.ts';

type Pod = Kind<'v1', 'Pod'>;

describe('pod-garbage-collector-controller', { timeout: 60_000 }, () => {
  const clock = new ManualClock(Date.parse('2030-01-01T00:00:00Z'));
  let server: TestServer;
  let client: KubeClient;

  before(async () => {
    server = await startTestServer({ clock, controllers: ['pod-garbage-collector-controller', 'serviceaccount-controller'] });
    client = server.client();
    await client.resource('v1', 'ServiceAccount', 'default').waitFor('default', (account) => account !== undefined);
    await client.create({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'there' } });
  });

  after(() => server.stop());

  const pods = () => client.resource('v1', 'Pod', 'default');
  const create = (name: string, nodeName?: string): Promise<Pod> =>
    pods().create({
      // Keeps what the controller has written in sight.
      metadata: { name, finalizers: ['example.com/hold'] },
      spec: { containers: [{ name: 'c', image: 'i' }], ...(nodeName !== undefined && { nodeName }) },
    });
  /** The pod when it is as the condition wants it; time goes on meanwhile. */
  const until = (what: string, name: string, holds: (pod: Pod) => boolean): Promise<Pod> =>
    eventually(what, async () => {
      clock.advance(1000);
      const pod = await pods().get(name);
      return holds(pod) ? pod : undefined;
    });

  test('pods of a node that is gone fail and go, after some time', async () => {
    await create('stays', 'there');
    const started = clock.now();
    await create('orphan', 'gone');
    const pod = await until('the pod is being deleted', 'orphan', ({ metadata }) => metadata.deletionTimestamp !== undefined);
    assert.ok(clock.now() - started >= 40_000, `after ${clock.now() - started} ms`);
    assert.equal(pod.status.phase, 'Failed');
    assert.equal(pod.metadata.deletionGracePeriodSeconds, 0);
    const target = pod.status.conditions?.find(({ type }) => type === 'DisruptionTarget');
    assert.deepEqual(
      [target?.status, target?.reason, target?.message, target?.observedGeneration],
      ['True', 'DeletionByPodGC', 'PodGC: node no longer exists', 1],
    );
    const other = await pods().get('stays');
    assert.equal(other.metadata.deletionTimestamp, undefined);
    assert.equal(other.status.phase, 'Pending');
  });

  test('pods without a node that are being deleted fail', async () => {
    await create('unscheduled');
    await pods().delete('unscheduled');
    const pod = await until('the pod has failed', 'unscheduled', ({ status }) => status.phase === 'Failed');
    assert.equal(
      pod.status.conditions?.find(({ type }) => type === 'DisruptionTarget'),
      undefined,
    );
  });

  test('pods that are being deleted go from nodes that are out of service', async () => {
    const nodes = client.resource('v1', 'Node');
    const taints = [{ key: 'node.kubernetes.io/out-of-service', effect: 'NoExecute' }];
    await nodes.create({ metadata: { name: 'broken' }, spec: { taints } });
    await create('hangs', 'broken');
    await create('waits', 'there');
    await pods().delete('waits');
    await pods().delete('hangs');
    await until(
      'the pod has failed',
      'hangs',
      ({ status, metadata }) => status.phase === 'Failed' && metadata.deletionGracePeriodSeconds === 0,
    );
    assert.notEqual((await pods().get('waits')).status.phase, 'Failed');
  });
});

test('surplus() has evicted pods first, then the oldest', () => {
  const pod = (name: string, phase: string, second: number, reason?: string) =>
    ({
      metadata: { name, creationTimestamp: `2030-01-01T00:00:0${second}Z` },
      spec: {},
      status: { phase, reason },
    }) as unknown as Parameters<typeof surplus>[0][number];
  const all = [pod('new', 'Failed', 3), pod('old', 'Succeeded', 1), pod('runs', 'Running', 0), pod('evicted', 'Failed', 9, 'Evicted')];
  const names = (threshold: number): (string | undefined)[] => [...surplus(all, threshold)].map(({ metadata }) => metadata.name);
  assert.deepEqual(names(3), []);
  assert.deepEqual(names(2), ['evicted']);
  assert.deepEqual(names(1), ['evicted', 'old']);
});
